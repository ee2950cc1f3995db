import { WORDS } from "../words/words.ts";

/** Identifies a printed message. */
export function PrintFoot({ messageId, sha256 }: { readonly messageId: string; readonly sha256: string }) {
  return (
    <footer class="print-foot">
      <span>{`${WORDS.messageId}: ${messageId}`}</span>
      <span>{`${WORDS.sha256}: ${sha256}`}</span>
    </footer>
  );
}
