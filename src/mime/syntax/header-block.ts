import { COLON, CR, LF, SPACE, TAB } from "../../mail/words/ascii.ts";
import { trimBytes } from "./byte-text.ts";
import { decodeHeaderText } from "./encoded-words.ts";
import type { MimeFindingCode } from "./findings.ts";
import { endOfLeadIn } from "./lead-in.ts";

/**
 * The header fields of a message or body part (RFC 5322 section 2.2): the text once, and the offsets of each field.
 * Looking up a field compares numbers, so that reading twenty fields of a message allocates only the requested values.
 */
export interface HeaderBlock {
  /** The block, one character per byte (latin1). */
  readonly text: string;
  /** Four numbers per field: name key, start of the name, start and end of the raw body in `text`. */
  readonly spans: readonly number[];
  /** A bit per name key: most fields looked up are missing, and most of those are excluded by the bits. */
  readonly nameBits: number;
  /** Start of the header and of the body in the source bytes. */
  readonly start: number;
  readonly bodyStart: number;
  readonly findings: readonly MimeFindingCode[];
}

/** Maximum length of a header, the rest is cut: attacks have had headers of 3 MB, and memory must not run out. */
export const MAX_HEADER_BYTES = 16 * 1024 * 1024;
/** Maximum bytes of a field in a longer header: enough for most lists of recipients, and for further fields. */
const MAX_FIELD_BYTES = 4 * 1024 * 1024;

/** Bytes first converted to text; most headers are shorter, and a short message is converted at once. */
const FIRST_WINDOW_BYTES = 4096;
const WINDOW_GROWTH = 8;

export const SPAN = 4;

/**
 * Reads the header block at the start of the bytes. Skips what mail stores leave before it: a byte order mark, blank
 * lines, an mbox separator line.
 */
export function parseHeaderBlock(bytes: Buffer): HeaderBlock {
  return scanHeaderBlock(bytes, endOfLeadIn(bytes, 0, bytes.length), bytes.length);
}

/**
 * Reads the header between two offsets, without skipping anything before it. If it exceeds the limit, its long fields
 * are truncated, so that the fields after them are read.
 */
export function scanHeaderBlock(bytes: Buffer, start: number, end: number): HeaderBlock {
  const block = scanFields(bytes, start, end);
  if (!block.findings.includes("header-cut")) return block;
  const { shortened, gaps } = truncateFields(bytes, start, end);
  const read = scanFields(shortened, 0, shortened.length);
  let bodyStart = start + read.bodyStart;
  for (const { at, length } of gaps) if (at < read.bodyStart) bodyStart += length;
  const findings = read.findings.filter(
    (code) => code === "header-line-ignored" || code === "header-without-blank-line",
  );
  return { ...read, start, bodyStart, findings: [...findings, "header-cut"] };
}

/** Omitted bytes of a header: their offset in the shortened header, and their number. */
interface Gap {
  readonly at: number;
  readonly length: number;
}

/** The header up to its blank line, with long fields truncated. */
function truncateFields(
  bytes: Buffer,
  start: number,
  end: number,
): { readonly shortened: Buffer; readonly gaps: readonly Gap[] } {
  const pieces: Buffer[] = [];
  const gaps: Gap[] = [];
  let kept = 0;
  let from = start;
  let at = start;
  while (at < end && kept + at - from <= MAX_HEADER_BYTES) {
    const next = endOfField(bytes, at, end);
    const cut = at + MAX_FIELD_BYTES;
    if (next > cut) {
      const lineEnd = bytes[next - 1] === LF ? next - 1 : next;
      pieces.push(bytes.subarray(from, cut));
      kept += cut - from;
      gaps.push({ at: kept, length: lineEnd - cut });
      from = lineEnd;
    }
    const isEnd = isLineEnd(bytes, at);
    at = next;
    if (isEnd) break;
  }
  pieces.push(bytes.subarray(from, at));
  return { shortened: Buffer.concat(pieces), gaps };
}

/** Offset after a field and its line end. */
function endOfField(bytes: Buffer, start: number, end: number): number {
  let lineFeed = bytes.indexOf(LF, start);
  if (isLineEnd(bytes, start)) return Math.min(end, lineFeed + 1);
  while (lineFeed >= 0 && (bytes[lineFeed + 1] === SPACE || bytes[lineFeed + 1] === TAB))
    lineFeed = bytes.indexOf(LF, lineFeed + 1);
  return lineFeed < 0 ? end : Math.min(end, lineFeed + 1);
}

function isLineEnd(bytes: Buffer, start: number): boolean {
  let at = start;
  while (bytes[at] === CR) at++;
  return bytes[at] === LF;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over a header, of which only a window is decoded, with all its ways to end
function scanFields(bytes: Buffer, start: number, end: number): HeaderBlock {
  const limit = Math.min(end, start + MAX_HEADER_BYTES);
  let windowEnd = Math.min(limit, start + FIRST_WINDOW_BYTES);
  let text = bytes.toString("latin1", start, windowEnd);
  const spans: number[] = [];
  const findings: MimeFindingCode[] = [];
  let line = 0;
  let bodyStart = -1;
  while (bodyStart < 0) {
    let lineFeed = line < text.length ? text.indexOf("\n", line) : -1;
    if (lineFeed < 0) {
      if (windowEnd < limit) {
        windowEnd = Math.min(limit, start + (windowEnd - start) * WINDOW_GROWTH);
        text = bytes.toString("latin1", start, windowEnd);
        continue;
      }
      lineFeed = text.length;
    }
    const contentEnd = trimCarriageReturns(text, line, lineFeed);
    if (contentEnd === line && lineFeed < text.length) {
      if (continuesWithType(text, lineFeed + 1, spans)) findings.push("header-line-ignored");
      else bodyStart = lineFeed + 1;
    } else if (line >= text.length) {
      bodyStart = text.length;
      findings.push(limit < end ? "header-cut" : "header-without-body");
    } else if (!readLine(text, line, contentEnd, spans)) {
      if (isFollowedByField(text, lineFeed + 1, spans) && !isDelimiter(text, line, contentEnd))
        findings.push("header-line-ignored");
      else {
        bodyStart = line;
        findings.push("header-without-blank-line");
      }
    }
    line = lineFeed + 1;
  }
  const nameBits = bitsOfNames(spans);
  return { text, spans, nameBits, start, bodyStart: start + Math.min(bodyStart, end - start), findings };
}

function trimCarriageReturns(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && text.charCodeAt(at - 1) === CR) at--;
  return at;
}

/** Adds a field or continues the previous one (folding); returns false for other lines. */
function readLine(text: string, line: number, end: number, spans: number[]): boolean {
  const first = text.charCodeAt(line);
  if ((first === SPACE || first === TAB) && spans.length > 0) {
    spans[spans.length - 1] = end;
    return true;
  }
  const colon = colonOf(text, line, end);
  if (colon < 0) return false;
  const nameEnd = trimBlanks(text, line, colon);
  // Some programs write two colons.
  const isDouble = text.charCodeAt(colon + 1) === COLON && text.charCodeAt(colon + 2) === SPACE;
  spans.push(nameKey(nameEnd - line, text.charCodeAt(line)), line, isDouble ? colon + 2 : colon + 1, end);
  return true;
}

/**
 * Offset of the colon that ends a field name; -1 if the line does not begin with one. Blanks before the colon are
 * obsolete syntax (4.5).
 */
function colonOf(text: string, line: number, end: number): number {
  let at = line;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (code <= SPACE || code > 0x7e || code === COLON) break;
    at++;
  }
  if (at === line) return -1;
  while (at < end && (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === TAB)) at++;
  return at < end && text.charCodeAt(at) === COLON ? at : -1;
}

function trimBlanks(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && text.charCodeAt(at - 1) <= SPACE) at--;
  return at;
}

/**
 * A line without a field name is inside the header if a field follows at once, or after a few such lines a field that
 * every header has and this one still lacks; otherwise the body has begun.
 */
function isFollowedByField(text: string, next: number, spans: readonly number[]): boolean {
  let line = next;
  for (let lines = 0; lines < MAX_INVALID_LINES; lines++) {
    const lineFeed = text.indexOf("\n", line);
    const end = lineFeed < 0 ? text.length : lineFeed;
    const colon = colonOf(text, line, end);
    if (colon > line && text.charCodeAt(colon - 1) > SPACE) return lines === 0 || isMissing(text, line, colon, spans);
    if (lineFeed < 0 || trimCarriageReturns(text, line, end) === line) return false;
    line = lineFeed + 1;
  }
  return false;
}

/** Maximum successive invalid lines inside a header. */
const MAX_INVALID_LINES = 4;
const ESSENTIAL_NAMES: ReadonlySet<string> = new Set(["from", "to", "subject", "date", "message-id"]);

/** True for the name of an essential field that the fields before it lack. A text without fields has no header. */
function isMissing(text: string, line: number, colon: number, spans: readonly number[]): boolean {
  const name = text.slice(line, colon).toLowerCase();
  return spans.length > 0 && ESSENTIAL_NAMES.has(name) && !hasField(text, name, spans);
}

function hasField(text: string, name: string, spans: readonly number[]): boolean {
  const key = nameKey(name.length, name.charCodeAt(0));
  for (let at = 0; at < spans.length; at += SPAN)
    if (spans[at] === key && text.slice(spans[at + 1], spans[at + 1]! + name.length).toLowerCase() === name)
      return true;
  return false;
}

/** First fields after a blank line that some programs write into the middle of a header. */
const TYPE_FIELD = /^(?:mime-version|content-type) {0,9}:/i;
const LOWER_C = 0x63;
const LOWER_M = 0x6d;
/** Maximum characters of the fields after such a blank line. */
const MAX_TYPE_FIELDS = 2_000;

/** True if only MIME fields follow a blank line up to the next one, and the type of the body is still missing. */
function continuesWithType(text: string, next: number, spans: readonly number[]): boolean {
  const first = text.charCodeAt(next) | 0x20;
  if ((first !== LOWER_C && first !== LOWER_M) || hasField(text, "content-type", spans)) return false;
  const sample = text.slice(next, next + MAX_TYPE_FIELDS);
  if (!TYPE_FIELD.test(sample)) return false;
  const lines = sample.split(/\r?\n/);
  const end = lines.indexOf("");
  const fields = lines.slice(0, Math.max(0, end));
  return (
    fields.every((line) => /^(?:[ \t]|mime-version *:|content-[a-z-]{1,30} *:)/i.test(line)) &&
    fields.some((line) => /^content-type *: *[a-z]{1,20}\/[a-z]/i.test(line))
  );
}

/** A line made of the boundary that the header above it names: the blank line before it was lost. */
function isDelimiter(text: string, line: number, end: number): boolean {
  if (line > MAX_SEARCHED || !text.startsWith("--", line)) return false;
  const boundary = text.slice(line + 2, end).trimEnd();
  const named = boundary === "" ? -1 : text.indexOf(boundary);
  return named >= 0 && named < line && /boundary\s*=\s*"?$/i.test(text.slice(Math.max(0, named - MAX_NAMING), named));
}

/** Maximum characters of a header searched for a boundary, once for every line that may be one. */
const MAX_SEARCHED = 32 * 1024;
/** Characters of `boundary = "`, including a fold. */
const MAX_NAMING = 40;

/** Key of a name by its length and its first letter, in either case. */
export function nameKey(length: number, firstCode: number): number {
  return (length << 8) | (firstCode | 0x20);
}

/** A single bit out of 32. With this factor, one in seven missing fields shares a bit with an existing one. */
function nameBit(key: number): number {
  return 1 << ((key >> 8) + (key & 0xff) * 7);
}

function bitsOfNames(spans: readonly number[]): number {
  let bits = 0;
  for (let at = 0; at < spans.length; at += SPAN) bits |= nameBit(spans[at]!);
  return bits;
}

/** @param name in lower case, of the same length */
export function isNamed(block: HeaderBlock, index: number, name: string): boolean {
  const start = block.spans[index * SPAN + 1]!;
  for (let at = 0; at < name.length; at++) {
    const code = block.text.charCodeAt(start + at);
    const lower = code >= 0x41 && code <= 0x5a ? code | 0x20 : code;
    if (lower !== name.charCodeAt(at)) return false;
  }
  return true;
}

export function fieldCount(block: HeaderBlock): number {
  return block.spans.length / SPAN;
}

/** Index of the first field with that name (lower case) at or after `from`; -1 if there is none. */
export function findField(block: HeaderBlock, name: string, from = 0): number {
  const key = nameKey(name.length, name.charCodeAt(0));
  if ((block.nameBits & nameBit(key)) === 0) return -1;
  const spans = block.spans;
  for (let index = from, at = from * SPAN; at < spans.length; index++, at += SPAN) {
    if (spans[at] === key && isNamed(block, index, name)) return index;
  }
  return -1;
}

/** Start of a field's name in the source bytes; unknown in a truncated header. */
export function fieldStart(block: HeaderBlock, index: number): number {
  return block.start + block.spans[index * SPAN + 1]!;
}

/** Start of a field's raw body in the text of the block, including folds and outer blanks. */
export function bodyStartOf(block: HeaderBlock, index: number): number {
  return block.spans[index * SPAN + 2]!;
}

/** End of the raw body. */
export function bodyEndOf(block: HeaderBlock, index: number): number {
  return block.spans[index * SPAN + 3]!;
}

/** Body of a field, unfolded and trimmed, one character per byte: input of the structured fields. */
export function rawField(block: HeaderBlock, index: number): string {
  const body = trimBytes(block.text.slice(bodyStartOf(block, index), bodyEndOf(block, index)));
  return body.includes("\n") || body.includes("\r") ? unfold(body) : body;
}

/** Body of the first non-empty field with that name; "" if there is none. */
export function firstField(block: HeaderBlock, name: string): string {
  for (let index = findField(block, name); index >= 0; index = findField(block, name, index + 1)) {
    const body = rawField(block, index);
    if (body !== "") return body;
  }
  return "";
}

/** The same, decoded: encoded words (RFC 2047) and raw 8-bit text. */
export function decodedField(block: HeaderBlock, name: string, charset: string | null = null): string {
  return decodeHeaderText(firstField(block, name), charset);
}

/** Each fold (line end and the blanks around it) becomes one blank. A stray carriage return is a line end as well. */
function unfold(body: string): string {
  const pieces: string[] = [];
  let kept = 0;
  for (let at = 0; at < body.length; at++) {
    const code = body.charCodeAt(at);
    if (code !== LF && code !== CR) continue;
    pieces.push(body.slice(kept, trimBlanks(body, kept, at)));
    while (at + 1 < body.length && isWhiteSpace(body.charCodeAt(at + 1))) at++;
    kept = at + 1;
  }
  pieces.push(body.slice(kept));
  return pieces.join(" ");
}

function isWhiteSpace(code: number): boolean {
  return code === SPACE || code === TAB || code === LF || code === CR;
}
