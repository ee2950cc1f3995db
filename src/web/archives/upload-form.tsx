import { useSignal } from "@preact/signals";
import { PII_TYPES } from "../../mail/records/provenance.ts";
import { sizeOf } from "../parts/formats.ts";
import type { ShellIntake } from "../shell/shell-data.ts";
import { ARCHIVES_WORDS } from "../words/archives-words.ts";
import { number } from "../words/nouns.ts";
import { WORDS } from "../words/words.ts";
import { type Bundling, type ChosenFile, refusalOf, uploadsOf } from "./chosen-files.ts";
import type { UploadOptions } from "./upload-queue.ts";

interface UploadFormProps {
  readonly chosen: readonly ChosenFile[];
  readonly intake: ShellIntake;
  /** Free disk space of the service; null if unknown. */
  readonly freeBytes: number | null;
  /** True for a retry with the missing data at hand. */
  readonly isAgain: boolean;
  readonly onStart: (bundling: Bundling, options: UploadOptions) => void;
  readonly onCancel: () => void;
}

/** Options for the selected files. */
export function UploadForm({ chosen, intake, freeBytes, isAgain, onStart, onCancel }: UploadFormProps) {
  const bundling = useSignal<Bundling>("each");
  const archives = ARCHIVES_WORDS;
  // Files of a folder are one archive in both cases.
  const each = uploadsOf(chosen, "each");
  const files = bundling.value === "each" ? each : uploadsOf(chosen, bundling.value);
  const refused = files.flatMap((file) => {
    const why = refusalOf(file, intake, freeBytes);
    return why === null ? [] : [{ name: file.name, why }];
  });
  const bytes = chosen.reduce((sum, { file }) => sum + file.size, 0);
  return (
    <form
      class="upload-form"
      onSubmit={(event) => {
        event.preventDefault();
        onStart(bundling.value, optionsOf(new FormData(event.currentTarget)));
      }}
    >
      <h2>{`${number(chosen.length, "file")}, ${sizeOf(bytes)}`}</h2>
      {each.length < 2 ? null : (
        <fieldset>
          <legend>{archives.bundling}</legend>
          {(["each", "together"] as const).map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="bundling"
                checked={bundling.value === name}
                onChange={() => {
                  bundling.value = name;
                }}
              />
              {archives.bundlings[name]}
            </label>
          ))}
        </fieldset>
      )}
      {refused.map(({ name, why }) => (
        <p key={name} class="failed-why">
          <bdi>{name}</bdi>: {archives.refusals[why](sizeOf(why === "disk" ? (freeBytes ?? 0) : intake.maxBytes))}
        </p>
      ))}
      <details open={isAgain}>
        <summary>{archives.options}</summary>
        <fieldset>
          <legend>{archives.redact}</legend>
          {PII_TYPES.map((type) => (
            <label key={type}>
              <input type="checkbox" name="redact" value={type} />
              {archives.piiTypes[type]}
            </label>
          ))}
        </fieldset>
        {/* For programs that keep passwords; outside of the label, which names the first field in it. */}
        <input type="text" autocomplete="username" hidden />
        <label class="field">
          {archives.password}
          <input type="password" name="password" autocomplete="new-password" />
        </label>
        <label class="field">
          {archives.maxMessages}
          <input type="text" inputmode="numeric" pattern="[1-9][0-9]{0,9}" name="max_messages" />
        </label>
        <label>
          <input type="checkbox" name="discard_originals" value="1" />
          {archives.discard}
        </label>
      </details>
      <footer>
        <button type="submit" class="button primary" disabled={refused.length === files.length}>
          {archives.start(files.length - refused.length)}
        </button>
        <button type="button" class="button" onClick={onCancel}>
          {WORDS.actions.cancel}
        </button>
      </footer>
    </form>
  );
}

/** The options that were filled in. */
function optionsOf(form: FormData): UploadOptions {
  const redact = form.getAll("redact").join(",");
  const rest = ["password", "max_messages", "discard_originals"].map((name) => [name, String(form.get(name) ?? "")]);
  return Object.fromEntries([["redact", redact], ...rest].filter(([, value]) => value !== ""));
}
