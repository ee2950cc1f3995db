import { isAscii } from "node:buffer";
import { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import { SPACE } from "../../mail/words/ascii.ts";
import { type AlignedKind, alignedStretches } from "../../text/quoting/aligned-lines.ts";
import { splitQuotations } from "../../text/quoting/split-body.ts";
import { formatCount } from "../../text/tokens/format-count.ts";
import { writeAsciiParagraphs } from "./ascii-paragraphs.ts";
import { codeBlock, paragraphs } from "./markdown.ts";
import type { PageLinks } from "./page-links.ts";

/** Maximum UTF-16 units of text per message on a page; the whole text is in archive.db and extraction.json. */
const MAX_BODY_LENGTH = 100_000;
/** Maximum lines of a quotation that stays open: an answer between two quotations is read with them. */
const MAX_OPEN_LINES = 6;

const NO_TEXT = "*(no text)*";

/** Language of a code block for readers that highlight code; none of them runs it. */
const LANGUAGES: Readonly<Record<AlignedKind, string>> = { patch: "diff", table: "text" };

/** A range of a body, as offsets in UTF-16 units. */
interface Stretch {
  readonly kind: "text" | "quotation" | AlignedKind;
  readonly start: number;
  readonly end: number;
}

/**
 * Writes the text of a message as Markdown: long quotations folded, patches and tables verbatim, a very long text
 * truncated with a note.
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
    // Most mail is ASCII, with equal offsets in units and bytes.
    const bytes = ascii ? utf8.subarray(start, end) : null;
    if (kind === "text" && bytes !== null) writeAsciiParagraphs(bytes, out);
    else out.text(markdownOf({ kind, text: body.slice(start, end), ascii: bytes }, links));
  }
  if (isFirst) out.text(NO_TEXT);
  if (body.length < whole.length)
    out.text(`\n\n*(truncated: ${formatCount(whole.length - body.length)} more characters in the archive)*`);
}

/** A range of a body with its text, and its bytes if they are ASCII. */
interface ShownStretch {
  readonly kind: Stretch["kind"];
  readonly text: string;
  readonly ascii: Uint8Array | null;
}

function markdownOf({ kind, text, ascii }: ShownStretch, links: PageLinks): string {
  if (kind === "patch" || kind === "table") return codeBlock(text, LANGUAGES[kind]);
  const markdown = ascii === null ? paragraphs(text) : asciiParagraphs(ascii);
  return kind === "text" ? markdown : links.quotation(markdown, linesOf(text));
}

function asciiParagraphs(ascii: Uint8Array): string {
  const written = new Utf8Buffer();
  writeAsciiParagraphs(ascii, written);
  return written.view().toString("utf8");
}

/** Parts of a body with text, in order. */
function stretches(body: string): readonly Stretch[] {
  const found: Stretch[] = [];
  let shownFrom = 0;
  const addShown = (end: number): void => void found.push(...shownStretches(body, shownFrom, end));
  const parts = linesOf(body) <= MAX_OPEN_LINES ? [] : splitQuotations(body);
  for (const { kind, start, end } of parts) {
    if (kind !== "quoted" || linesOf(body.slice(start, end)) <= MAX_OPEN_LINES) continue;
    addShown(start);
    found.push({ kind: "quotation", start, end });
    shownFrom = end;
  }
  addShown(body.length);
  return found.filter(({ start, end }) => body.slice(start, end).trim() !== "");
}

/** Preformatted ranges, and the text between them. */
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
  let lines = 0;
  for (let start = 0; start < text.length; ) {
    const lineFeed = text.indexOf("\n", start);
    const end = lineFeed < 0 ? text.length : lineFeed;
    if (hasText(text, start, end)) lines++;
    start = end + 1;
  }
  return lines;
}

const DELETE = 0x7f;

function hasText(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code > SPACE && code < DELETE) return true;
    if (text[at]!.trim() !== "") return true;
  }
  return false;
}
