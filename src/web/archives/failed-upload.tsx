import { useRef } from "preact/hooks";
import type { UploadWire } from "../../http/upload-service/base/wire-uploads.ts";
import { Icon } from "../parts/icon.tsx";
import { ARCHIVES_WORDS } from "../words/archives-words.ts";
import type { ChosenFile } from "./chosen-files.ts";

/** Why an upload failed, with a hint. */
export function FailedWhy({ error: { code, message } }: { readonly error: NonNullable<UploadWire["error"]> }) {
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
export function TryAgain({ name, onAgain, onChosen }: TryAgainProps) {
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
