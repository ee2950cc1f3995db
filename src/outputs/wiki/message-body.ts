import { isAscii } from "node:buffer";
import type { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import { type AlignedKind, alignedStretches } from "../../text/aligned-lines.ts";
import { formatCount } from "../../text/format-count.ts";
import { splitBody } from "../../text/split-body.ts";
import { writeAsciiParagraphs } from "./ascii-paragraphs.ts";
import { codeBlock, paragraphs } from "./markdown.ts";
import type { PageLinks } from "./page-links.ts";

/** UTF-16 units of text shown of one message on a page; the whole text is in archive.db and extraction.json. */
const MAX_BODY_LENGTH = 100_000;
/** Lines of a quotation that stay open: an answer between two of them is read with what it answers. */
const MAX_OPEN_LINES = 6;

const NO_TEXT = "*(no text)*";

/** What readers that colour code are told of a block; none of them runs it. */
const LANGUAGES: Readonly<Record<AlignedKind, string>> = { patch: "diff", table: "text" };

/** A stretch of a body, as offsets in UTF-16 units. */
interface Stretch {
  readonly kind: "text" | "quotation" | AlignedKind;
  readonly start: number;
  readonly end: number;
}

/**
 * Writes the text of a message as markdown: its long quotations folded, its patches and tables as they stand, and cut
 * with a note when it is very long.
 * @param utf8 the text
 */
export function writeBody(utf8: Uint8Array, links: PageLinks, out: Utf8Buffer): void {
  const ascii = isAscii(utf8);
  const whole = ascii
    ? Buffer.from(utf8.buffer, utf8.byteOffset, utf8.length).toString("latin1")
    : new TextDecoder("utf-8", { ignoreBOM: true }).decode(utf8);
  const body = whole.length > MAX_BODY_LENGTH ? whole.slice(0, MAX_BODY_LENGTH).toWellFormed() : whole;
  let isFirst = true;
  for (const { kind, start, end } of stretches(body)) {
    if (!isFirst) out.text("\n\n");
    isFirst = false;
    // Most mail is ASCII, whose offsets are those of its bytes.
    if (kind === "text" && ascii) writeAsciiParagraphs(utf8.subarray(start, end), out);
    else out.text(markdownOf(body.slice(start, end), kind, links));
  }
  if (isFirst) out.text(NO_TEXT);
  if (body.length < whole.length)
    out.text(`\n\n*(cut: ${formatCount(whole.length - body.length)} more characters in the archive)*`);
}

function markdownOf(text: string, kind: Stretch["kind"], links: PageLinks): string {
  if (kind === "text") return paragraphs(text);
  return kind === "quotation" ? links.quotation(text, linesOf(text)) : codeBlock(text, LANGUAGES[kind]);
}

/** What of a body has text, in order. */
function stretches(body: string): readonly Stretch[] {
  const found: Stretch[] = [];
  let shownFrom = 0;
  const addShown = (end: number): void => void found.push(...shownStretches(body, shownFrom, end));
  for (const { kind, start, end } of splitBody(body)) {
    if (kind !== "quoted" || linesOf(body.slice(start, end)) <= MAX_OPEN_LINES) continue;
    addShown(start);
    found.push({ kind: "quotation", start, end });
    shownFrom = end;
  }
  addShown(body.length);
  return found.filter(({ start, end }) => body.slice(start, end).trim() !== "");
}

/** What is read by its columns, and the text between. */
function shownStretches(body: string, from: number, to: number): readonly Stretch[] {
  const found: Stretch[] = [];
  let at = from;
  for (const { kind, start, end } of alignedStretches(body.slice(from, to))) {
    found.push({ kind: "text", start: at, end: from + start }, { kind, start: from + start, end: from + end });
    at = from + end;
  }
  return [...found, { kind: "text", start: at, end: to }];
}

/** Lines with text. */
function linesOf(text: string): number {
  return text.split("\n").reduce((lines, line) => lines + (line.trim() === "" ? 0 : 1), 0);
}
