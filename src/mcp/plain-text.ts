import { printable } from "../text/tokens/printable.ts";

/**
 * Invisible characters that a model would read: zero-width characters, tags, variation selectors, fillers,
 * bidirectional marks (Unicode's Default_Ignorable_Code_Point), and interlinear annotation marks.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** Longest name, subject or path returned, in characters. */
const MAX_LINE_CHARACTERS = 300;

/** One line of header text, which cannot start another line or hide text. */
export function plainLine(text: string): string {
  const line = printable(text.slice(0, 2 * MAX_LINE_CHARACTERS))
    .replace(INVISIBLE, "")
    .trim();
  return line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS - 1).toWellFormed()}…` : line;
}

/** Text of several lines without invisible characters. Deterministic, so that consecutive windows fit together. */
export function plainText(text: string): string {
  const lines = text.split(/\r\n|[\r\n\u0085\u2028\u2029]/);
  return lines
    .map((line) => printable(line).replace(INVISIBLE, "").trimEnd())
    .join("\n")
    .trim();
}
