import { printable } from "../../text/tokens/printable.ts";
import type { Line, StyledText } from "../terminal/line.ts";
import { wrapText } from "../terminal/text-columns.ts";

/** Shared formatting of search results. */

/** Columns of a line: the usual width of terminals and mail. */
export const LINE_CELLS = 80;
export const INDENT = "    ";
/** A match in a snippet, with its text as group 1. */
const MATCH = /\*\*([^*]+)\*\*/;

/** Splits a snippet into lines. Matches are colored, or between `**` without colors. */
export function snippetLines(snippet: string, hasColors: boolean): readonly Line[] {
  const wrapped = wrapText(printable(snippet), LINE_CELLS - INDENT.length);
  return hasColors ? coloredMatches(wrapped) : wrapped.map((line) => INDENT + line);
}

/** Lines of a snippet with styled matches, which may continue on the next line. */
function coloredMatches(snippet: readonly string[]): readonly Line[] {
  const lines: (string | StyledText)[][] = [];
  // Splitting by a pattern with one group yields the text between matches, and the matches in between.
  for (const [index, piece] of snippet.join("\n").split(MATCH).entries()) {
    for (const [turn, text] of piece.split("\n").entries()) {
      if (index === 0 || turn > 0) lines.push([INDENT]);
      if (text !== "") lines.at(-1)?.push(index % 2 === 1 ? { style: "match", text } : text);
    }
  }
  return snippet.length === 0 ? [] : lines;
}
