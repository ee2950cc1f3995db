import type { ClauseText } from "../../shell/query-text.ts";

/** The query box. */
export const QUERY_BOX = "q";

/** Moves the cursor to the box and selects a clause, so that typing replaces it. */
export function editInBox({ text, start }: Pick<ClauseText, "text" | "start">): void {
  const box = document.getElementById(QUERY_BOX);
  if (!(box instanceof HTMLInputElement)) return;
  box.focus();
  // The box may contain unsearched text.
  const at = box.value.startsWith(text, start) ? start : box.value.indexOf(text);
  if (at >= 0) box.setSelectionRange(at, at + text.length);
}
