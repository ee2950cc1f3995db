import { useApplication } from "../application.ts";
import { TABLE_WORDS } from "../words/table-words.ts";
import { copyText } from "./copy-text.ts";
import { IconButton } from "./icon.tsx";

/** Digits shown of a hash: enough to distinguish two by eye. */
const SHOWN_DIGITS = 12;

/** The beginning of a SHA-256, which copies completely. */
export function Hash({ sha256 }: { readonly sha256: string }) {
  const application = useApplication();
  const copy = (): void => void copyText(application, sha256, TABLE_WORDS.about.hashCopied);
  return (
    <span class="hash">
      <code title={sha256}>{sha256.slice(0, SHOWN_DIGITS)}…</code>
      <IconButton icon="copies" name={TABLE_WORDS.about.copyHash(sha256.slice(0, SHOWN_DIGITS))} onClick={copy} />
    </span>
  );
}
