import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { UploadWire } from "../../http/upload-service/base/wire-uploads.ts";
import { useApplication } from "../application.ts";
import { momentOf, sizeOf } from "../parts/formats.ts";
import { Icon, IconButton } from "../parts/icon.tsx";
import { Lazy } from "../parts/lazy.tsx";
import { addressOf, BASE_PATH, type Parameters, type ViewName } from "../shell/addresses.ts";
import { faultText } from "../shell/fault.ts";
import { useAnswer } from "../shell/use-answer.ts";
import { ARCHIVES_WORDS } from "../words/archives-words.ts";
import { number } from "../words/nouns.ts";
import { WORDS } from "../words/words.ts";
import type { ChosenFile } from "./chosen-files.ts";
import { ExtractionProgress } from "./extraction-progress.tsx";
import type { PhaseProgress } from "./phase-pace.ts";

interface ArchiveRowProps {
  readonly upload: UploadWire;
  readonly phase: PhaseProgress | null;
  readonly mayUpload: boolean;
  /** Retries a failed upload; false if its file must be chosen again. */
  readonly onAgain: () => boolean;
  readonly onChosenAgain: (files: readonly ChosenFile[]) => void;
  /** Null if the user may not. */
  readonly onRemove: (() => Promise<void>) | null;
}

/** An upload with its status and actions. */
export function ArchiveRow({ upload, phase, mayUpload, onAgain, onChosenAgain, onRemove }: ArchiveRowProps) {
  const { isUtc } = useApplication();
  const { upload_id, filename, size_bytes, status, created_at, originals, error } = upload;
  const hasArchive = isReadable(upload);
  const isRemoving = useSignal(false);
  const href = addressOf("overview", { archive: upload_id });
  return (
    <li class={`archive ${status}`}>
      <div class="archive-name">
        {hasArchive ? (
          <a href={href}>
            <bdi>{filename}</bdi>
          </a>
        ) : (
          <bdi>{filename}</bdi>
        )}
        <span class="quiet">
          {sizeOf(size_bytes)} · {momentOf(created_at, isUtc.value)}
        </span>
      </div>
      <div class="archive-state">
        {status === "running" ? <ExtractionProgress phase={upload.phase} progress={phase} /> : null}
        {status === "queued" ? (
          <>
            <span>{ARCHIVES_WORDS.states.queued}</span>
            <progress aria-label={ARCHIVES_WORDS.states.queued} value={0} />
          </>
        ) : null}
        {status === "cancelled" ? ARCHIVES_WORDS.states.cancelled : null}
        {status === "completed" ? <Counts upload={upload} mayUpload={mayUpload} /> : null}
        {error === null ? null : <FailedWhy error={error} />}
      </div>
      <div class="archive-tools">
        {hasArchive ? (
          <>
            <a class="button primary" href={href}>
              {ARCHIVES_WORDS.explore}
            </a>
            {status === "completed" && mayUpload && onRemove !== null ? (
              <Lazy load={() => import("./add-mail.tsx")}>
                {({ AddMail }) => <AddMail uploadId={upload_id} filename={filename} />}
              </Lazy>
            ) : null}
            <Downloads uploadId={upload_id} />
          </>
        ) : null}
        {status === "failed" && originals !== "in place" && mayUpload && onRemove !== null ? (
          <TryAgain name={filename} onAgain={onAgain} onChosen={onChosenAgain} />
        ) : null}
        {onRemove === null ? null : (
          <IconButton
            icon="remove"
            name={ARCHIVES_WORDS.remove(filename)}
            onClick={() => {
              isRemoving.value = true;
            }}
          />
        )}
      </div>
      {isRemoving.value && onRemove !== null ? (
        <RemoveDialog
          upload={upload}
          onRemove={onRemove}
          onClose={() => {
            isRemoving.value = false;
          }}
        />
      ) : null}
    </li>
  );
}

/** True for an upload whose archive can be read, also while mail is added to it. */
function isReadable({ status, adding }: UploadWire): boolean {
  return status === "completed" || adding !== null;
}

interface Detail {
  readonly counts: { readonly messages: number; readonly threads: number; readonly contacts: number } | null;
  readonly provenance: { readonly warning_count: number } | null;
}

/** Counts of an archive, each with a link. */
function Counts({ upload, mayUpload }: Pick<ArchiveRowProps, "upload" | "mayUpload">) {
  const { upload_id: uploadId, filename, originals } = upload;
  const { data } = useAnswer<Detail>(detailPath(uploadId));
  if (data === null || data.counts === null) return <span class="quiet">{ARCHIVES_WORDS.states.completed}</span>;
  const { messages, threads, contacts } = data.counts;
  const warnings = data.provenance?.warning_count ?? 0;
  const ways: readonly (readonly [string, ViewName, Parameters?])[] = [
    [number(messages, "message"), "search"],
    [number(threads, "conversation"), "search", { group: "conversation" }],
    [number(contacts, "person"), "people"],
    ...(warnings === 0 ? [] : [[number(warnings, "warning"), "warnings"] as const]),
  ];
  return (
    <>
      <ul class="archive-counts">
        {ways.map(([text, view, parameters]) => (
          <li key={text}>
            <a href={addressOf(view, { archive: uploadId }, parameters)}>{text}</a>
          </li>
        ))}
      </ul>
      {warnings > 0 && mayUpload ? (
        <Lazy load={() => import("./protected-sources.tsx")}>
          {({ ProtectedSources }) => (
            <ProtectedSources uploadId={uploadId} filename={filename} isKept={originals !== "discarded"} />
          )}
        </Lazy>
      ) : null}
    </>
  );
}

function detailPath(uploadId: string): string {
  return `${BASE_PATH}/uploads/${uploadId}`;
}

/** Files of an archive that can be saved. */
const FILES = [
  "extraction.json",
  "emails.csv",
  "contacts.csv",
  "threads.csv",
  "contacts.json",
  "provenance.json",
  "graph.html",
  "wiki.zip",
] as const;

function Downloads({ uploadId }: { readonly uploadId: string }) {
  return (
    <details class="menu">
      <summary class="button">
        {ARCHIVES_WORDS.files}
        <Icon name="down" />
      </summary>
      <ul>
        {FILES.map((name) => (
          <li key={name}>
            <a href={`${detailPath(uploadId)}/${name}`} download="">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface RemoveDialogProps {
  readonly upload: UploadWire;
  readonly onRemove: () => Promise<void>;
  readonly onClose: () => void;
}

/** Confirms a deletion. */
function RemoveDialog({ upload, onRemove, onClose }: RemoveDialogProps) {
  const { upload_id, filename, originals } = upload;
  const hasArchive = isReadable(upload);
  const dialog = useRef<HTMLDialogElement>(null);
  // Loaded first, because the row shows it.
  const { data } = useAnswer<Detail>(hasArchive ? detailPath(upload_id) : null);
  const fault = useSignal("");
  useEffect(() => dialog.current!.showModal(), []);
  const archives = ARCHIVES_WORDS;
  const { actions } = WORDS;
  const remove = (): void => {
    // The row disappears, and with it the button that opened the dialog.
    const leave = (): void => {
      dialog.current?.close();
      document.getElementById("content")!.focus();
    };
    onRemove().then(leave, (cause: unknown) => {
      fault.value = faultText(cause);
    });
  };
  return (
    <dialog ref={dialog} class="sheet small" aria-label={archives.remove(filename)} onClose={onClose}>
      <h2>{archives.remove(filename)}</h2>
      <p>{hasArchive ? archives.lostArchive(heldBy(data)) : archives.lostUpload}</p>
      <p class="quiet">{archives.lostOriginals[originals]}</p>
      {fault.value === "" ? null : <p role="alert">{fault.value}</p>}
      <footer>
        <button type="button" class="button" onClick={() => dialog.current!.close()}>
          {actions.keep}
        </button>
        <button type="button" class="button danger" onClick={remove}>
          {archives.remove(filename)}
        </button>
      </footer>
    </dialog>
  );
}

/** Content of an archive in words. */
function heldBy(detail: Detail | null): string {
  if (detail === null || detail.counts === null) return ARCHIVES_WORDS.itsMessages;
  const { messages, threads } = detail.counts;
  return ARCHIVES_WORDS.held(number(messages, "message"), number(threads, "conversation"));
}

/** Why an upload failed, with a hint. */
function FailedWhy({ error: { code, message } }: { readonly error: NonNullable<UploadWire["error"]> }) {
  const hint = ARCHIVES_WORDS.hints.get(code);
  return (
    <div class="failed-why">
      <Icon name="warning" />
      <p>
        {message} <span class="quiet">{code}</span>
        {hint === undefined ? null : <span class="hint">{hint}</span>}
      </p>
    </div>
  );
}

interface TryAgainProps {
  readonly name: string;
  /** False if the file must be selected again: the service keeps no failed uploads. */
  readonly onAgain: () => boolean;
  readonly onChosen: (files: readonly ChosenFile[]) => void;
}

/** Retries a failed upload with the missing data, such as its password. */
function TryAgain({ name, onAgain, onChosen }: TryAgainProps) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class="button"
        aria-label={ARCHIVES_WORDS.againName(name)}
        onClick={() => {
          if (!onAgain()) picker.current!.click();
        }}
      >
        {ARCHIVES_WORDS.again}
      </button>
      <input
        ref={picker}
        type="file"
        hidden
        onChange={({ currentTarget }) => {
          onChosen(Array.from(currentTarget.files ?? [], (file) => ({ path: file.name, file })));
          currentTarget.value = "";
        }}
      />
    </>
  );
}
