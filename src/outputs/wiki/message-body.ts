import { isAscii } from "node:buffer";
import type { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import { formatCount } from "../../text/format-count.ts";
import { splitBody } from "../../text/split-body.ts";
import { writeAsciiParagraphs } from "./ascii-paragraphs.ts";
import { paragraphs } from "./markdown.ts";
import type { PageLinks } from "./page-links.ts";

/** UTF-16 units of text shown of one message on a page; the whole text is in archive.db and extraction.json. */
const MAX_BODY_LENGTH = 100_000;
/** Lines of a quotation that stay open: an answer between two of them is read with what it answers. */
const MAX_OPEN_LINES = 6;

const NO_TEXT = "*(no text)*";

/** A stretch of a body, as offsets in UTF-16 units: a long quotation, or what lies between two of them. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  /** Lines of a quotation that is folded, blank ones not counted; 0 for text that is shown. */
  readonly foldedLines: number;
}

/**
 * Writes the text of a message as markdown, its long quotations folded, and cut with a note when it is very long.
 * @param utf8 the text
 */
export function writeBody(utf8: Uint8Array, links: PageLinks, out: Utf8Buffer): void {
  const ascii = isAscii(utf8);
  const whole = ascii
    ? Buffer.from(utf8.buffer, utf8.byteOffset, utf8.length).toString("latin1")
    : new TextDecoder("utf-8", { ignoreBOM: true }).decode(utf8);
  const body = whole.length > MAX_BODY_LENGTH ? whole.slice(0, MAX_BODY_LENGTH).toWellFormed() : whole;
  let isFirst = true;
  for (const { start, end, foldedLines } of stretches(body)) {
    if (!isFirst) out.text("\n\n");
    isFirst = false;
    if (foldedLines > 0) out.text(links.quotation(body.slice(start, end), foldedLines));
    // Most mail is ASCII, whose offsets are those of its bytes.
    else if (ascii) writeAsciiParagraphs(utf8.subarray(start, end), out);
    else out.text(paragraphs(body.slice(start, end)));
  }
  if (isFirst) out.text(NO_TEXT);
  if (body.length < whole.length)
    out.text(`\n\n*(cut: ${formatCount(whole.length - body.length)} more characters in the archive)*`);
}

/** What of a body has text, in order. */
function stretches(body: string): readonly Stretch[] {
  const found: Stretch[] = [];
  let shownFrom = 0;
  const addShown = (end: number): void => {
    if (body.slice(shownFrom, end).trim() !== "") found.push({ start: shownFrom, end, foldedLines: 0 });
  };
  for (const { kind, start, end } of splitBody(body)) {
    const lines = kind === "quoted" ? linesOf(body.slice(start, end)) : 0;
    if (lines <= MAX_OPEN_LINES) continue;
    addShown(start);
    found.push({ start, end, foldedLines: lines });
    shownFrom = end;
  }
  addShown(body.length);
  return found;
}

/** Lines with text. */
function linesOf(text: string): number {
  return text.split("\n").reduce((lines, line) => lines + (line.trim() === "" ? 0 : 1), 0);
}
