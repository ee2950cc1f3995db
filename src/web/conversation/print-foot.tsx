/** What identifies a message on paper: for whoever has only that. */
export function PrintFoot({ messageId, sha256 }: { readonly messageId: string; readonly sha256: string }) {
  return (
    <footer class="print-foot">
      <span>Message-ID: {messageId}</span>
      <span>SHA-256: {sha256}</span>
    </footer>
  );
}
