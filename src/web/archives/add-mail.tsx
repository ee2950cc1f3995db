import { useSignal } from "@preact/signals";
import { useApplication } from "../application.ts";
import { BASE_PATH } from "../shell/addresses.ts";
import { faultText } from "../shell/fault.ts";
import { ARCHIVES_WORDS } from "../words/archives-words.ts";
import { type ChosenFile, uploadsOf } from "./chosen-files.ts";

interface AddMailProps {
  readonly uploadId: string;
  readonly filename: string;
}

/** Sends mail that is added to an archive; several files are sent as one. */
export function AddMail({ uploadId, filename }: AddMailProps) {
  const { answers } = useApplication();
  const status = useSignal("");
  const send = async (chosen: readonly ChosenFile[]): Promise<void> => {
    const [file] = uploadsOf(chosen, "together");
    if (file === undefined) return;
    status.value = ARCHIVES_WORDS.sending.sending;
    try {
      const path = `${BASE_PATH}/uploads/${uploadId}/sources?filename=${encodeURIComponent(file.name)}`;
      await answers.send(path, { method: "POST", body: file });
      status.value = "";
    } catch (cause) {
      status.value = faultText(cause);
    }
  };
  return (
    <>
      <span class="pickers">
        <label class="button">
          {ARCHIVES_WORDS.addMail}
          <input
            type="file"
            class="visually-hidden"
            multiple
            aria-label={`${ARCHIVES_WORDS.addMail}: ${filename}`}
            onChange={({ currentTarget }) => {
              // The button disappears while mail is added.
              currentTarget.closest(".archive")!.querySelector("a")!.focus();
              void send(Array.from(currentTarget.files ?? [], (file) => ({ path: file.name, file })));
              currentTarget.value = "";
            }}
          />
        </label>
      </span>
      <p role="status">{status.value}</p>
    </>
  );
}
