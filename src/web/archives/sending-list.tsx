import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { sizeOf } from "../parts/formats.ts";
import { Icon, IconButton } from "../parts/icon.tsx";
import type { ShellIntake } from "../shell/shell-data.ts";
import { ARCHIVES_WORDS } from "../words/archives-words.ts";
import { type ChosenFile, droppedFiles } from "./chosen-files.ts";
import { formatTimeLeft } from "./time-left.ts";
import { UploadForm } from "./upload-form.tsx";
import type { UploadManager } from "./upload-manager.ts";
import type { FileUpload } from "./upload-queue.ts";

interface SendingListProps {
  readonly desk: UploadManager;
  readonly intake: ShellIntake;
  /** Called with the failed uploads that a new one replaces. */
  readonly onSent: (replaced: readonly string[]) => void;
}

/** The drop area, and the files being uploaded. */
export function SendingList({ desk, intake, onSent }: SendingListProps) {
  const isOver = useSignal(false);
  const drop = useRef<HTMLDivElement>(null);
  const { files, replaced } = desk.chosen.value;
  const choose = (chosen: readonly ChosenFile[]): void => desk.choose(chosen);
  // The form disappears, and its buttons with it.
  const leave = (): void => drop.current!.querySelector("input")!.focus();
  return (
    <section aria-label={ARCHIVES_WORDS.upload}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what is dropped can be chosen with the buttons in it */}
      <div
        ref={drop}
        class={isOver.value ? "drop over" : "drop"}
        onDragOver={(event) => {
          event.preventDefault();
          isOver.value = true;
        }}
        onDragLeave={() => {
          isOver.value = false;
        }}
        onDrop={(event) => {
          event.preventDefault();
          isOver.value = false;
          if (event.dataTransfer !== null) void droppedFiles(event.dataTransfer.items).then(choose);
        }}
      >
        <Icon name="upload" />
        <p>{ARCHIVES_WORDS.drop}</p>
        <p class="quiet">{intake.endings.join(" ")}</p>
        <p class="pickers">
          <Picker isFolder={false} onChosen={choose} />
          <Picker isFolder={true} onChosen={choose} />
        </p>
      </div>
      {files.length === 0 ? null : (
        <UploadForm
          chosen={files}
          intake={intake}
          freeBytes={desk.freeBytes.value}
          isAgain={replaced.length > 0}
          onStart={(bundling, options) => {
            leave();
            void desk.start(bundling, options, intake).then(onSent);
          }}
          onCancel={() => {
            leave();
            desk.forget();
          }}
        />
      )}
      <ul class="archive-list">
        {desk.sending.value.map((upload, index) => (
          <SendingRow
            key={`${index} ${upload.sending.value.name}`}
            upload={upload}
            onGone={() => {
              onSent([]);
              desk.drop(upload);
            }}
          />
        ))}
      </ul>
    </section>
  );
}

interface PickerProps {
  readonly isFolder: boolean;
  readonly onChosen: (files: readonly ChosenFile[]) => void;
}

function Picker({ isFolder, onChosen }: PickerProps) {
  return (
    <label class="button">
      {isFolder ? ARCHIVES_WORDS.chooseFolder : ARCHIVES_WORDS.chooseFiles}
      <input
        type="file"
        class="visually-hidden"
        multiple
        {...(isFolder ? { webkitdirectory: true } : {})}
        onChange={({ currentTarget }) => {
          onChosen(
            Array.from(currentTarget.files ?? [], (file) => ({ path: file.webkitRelativePath || file.name, file })),
          );
          currentTarget.value = "";
        }}
      />
    </label>
  );
}

interface SendingRowProps {
  readonly upload: FileUpload;
  readonly onGone: () => void;
}

function SendingRow({ upload, onGone }: SendingRowProps) {
  const { name, size, state, sent, rate, fault } = upload.sending.value;
  const archives = ARCHIVES_WORDS;
  useEffect(() => {
    if (state === "sent") onGone();
  }, [state]);
  return (
    <li class="archive">
      <div class="archive-name">
        <bdi>{name}</bdi>
        <span class="quiet">{sizeOf(size)}</span>
      </div>
      <div class="archive-state">
        <span>
          {archives.sending[state]}{" "}
          {state === "sending" && rate > 0 ? (
            <span class="quiet">
              {archives.sendingRate(sizeOf(rate))}, {formatTimeLeft((size - sent) / rate)}
            </span>
          ) : null}
        </span>
        {fault === "" ? <progress aria-label={name} value={sent} max={size} /> : <p class="failed-why">{fault}</p>}
      </div>
      <div class="archive-tools">
        {state === "sending" ? (
          <IconButton icon="pause" name={archives.pause} onClick={() => void upload.pause()} />
        ) : null}
        {state === "paused" || state === "failed" ? (
          <IconButton icon="play" name={archives.resume} onClick={() => upload.resume()} />
        ) : null}
        <IconButton icon="close" name={archives.giveUp} onClick={() => void upload.cancel().then(onGone)} />
      </div>
    </li>
  );
}
