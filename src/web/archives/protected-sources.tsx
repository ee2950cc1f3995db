import { useSignal } from "@preact/signals";
import type { WarningPageWire } from "../../http/explore-api/wire/wire-provenance.ts";
import { useApplication } from "../application.ts";
import { Icon } from "../parts/icon.tsx";
import { BASE_PATH } from "../shell/addresses.ts";
import { faultText } from "../shell/fault.ts";
import { useAnswer } from "../shell/use-answer.ts";
import { ARCHIVES_WORDS } from "../words/archives-words.ts";

/** Code of the warning about a source that was skipped because it is protected. */
const PROTECTED_CODE = "password-protected";

interface ProtectedSourcesProps {
  readonly uploadId: string;
  readonly filename: string;
  /** False if the upload was not kept and cannot be extracted again. */
  readonly isKept: boolean;
}

/** All protected sources that an extraction has skipped, each with a password field and a way to skip it. */
export function ProtectedSources({ uploadId, filename, isKept }: ProtectedSourcesProps) {
  const { answers } = useApplication();
  const { data } = useAnswer<WarningPageWire>(
    `${BASE_PATH}/uploads/${uploadId}/explore/warnings?code=${PROTECTED_CODE}&limit=1`,
  );
  const skipped = useSignal<readonly (number | null)[]>([]);
  const status = useSignal("");
  const isSent = useSignal(false);
  const words = ARCHIVES_WORDS.protectedSources;
  if (data === null || data.sources.length === 0) return null;
  const asked = data.sources.filter(({ source }) => !skipped.value.includes(source));
  const send = async (passwords: readonly string[]): Promise<void> => {
    try {
      await answers.post(`${BASE_PATH}/uploads/${uploadId}/passwords`, { passwords });
      isSent.value = true;
      status.value = words.sent;
    } catch (cause) {
      status.value = faultText(cause);
    }
  };
  return (
    <form
      class="protected-sources"
      aria-label={`${words.title(data.sources.length)} ${filename}`}
      onSubmit={(event) => {
        event.preventDefault();
        const passwords = new FormData(event.currentTarget).getAll("password").map(String).filter(Boolean);
        event.currentTarget.reset();
        if (passwords.length > 0) void send(passwords);
      }}
    >
      <p>
        <Icon name="warning" /> {words.title(data.sources.length)} {isKept ? null : words.notKept}
      </p>
      {isKept && !isSent.value && asked.length > 0 ? (
        <>
          <ul>
            {asked.map(({ source, path }) => (
              <li key={source}>
                <bdi>{path}</bdi>
                <input type="password" name="password" autocomplete="off" aria-label={words.password(path)} />
                <button
                  type="button"
                  class="button"
                  aria-label={words.skipName(path)}
                  onClick={() => {
                    skipped.value = [...skipped.value, source];
                  }}
                >
                  {words.skip}
                </button>
              </li>
            ))}
          </ul>
          <input type="text" autocomplete="username" value={filename} readOnly hidden />
          <button type="submit" class="button primary">
            {words.add}
          </button>
        </>
      ) : null}
      <p role="status">{status.value}</p>
    </form>
  );
}
