import { fieldNameLength, startsWithFrom } from "../reading/header-line.ts";
import { headerBlockAt, MACHINE_BLOCK, MAIL_BLOCK } from "./separator-block.ts";

/** Maximum bytes of a separator line. Real ones have less than 400; a longer line is text. */
const SEPARATOR_LINE_BYTES_MAX = 4096;

/** Bytes of the header after a separator line that are checked: enough for the fields of nearly every message. */
const HEADER_BYTES_MAX = 8192;

/** Maximum bytes from the start of a candidate that its check reads: the line and the header after it. */
export const LOOKAHEAD_BYTES = SEPARATOR_LINE_BYTES_MAX + HEADER_BYTES_MAX;

/** LF, or CR in the mailboxes of classic Mac OS programs. CRLF counts as LF. */
export type LineEnd = 10 | 13;

/** Evidence that a candidate (line start + "From ") is a separator, as bits. */
export const DATED = 1;
/** A header field or a UUCP `>From ` line follows. */
export const HEADER_FOLLOWS = 2;
/** An empty line or the end of the file follows: a message without header. */
const NOTHING_FOLLOWS = 4;
/** An empty line or the start of the file precedes it. */
export const BLANK_BEFORE = 8;
/** The header of a message follows a blank line and this line, whose date is missing or not in English. */
const BLOCK_FOLLOWS = 16;
/** The line is that of a patch, as git writes it. */
export const PATCH = 32;

const LF = 10;
const CR = 13;
const SPACE = 0x20;
const TAB = 0x09;
const MINUS = 0x2d;
const COLON = 0x3a;
const AT_SIGN = 0x40;

/** Classes of the words of a separator line, four bits each in the automaton's register. */
const OTHER = 0;
const MONTH = 1;
const DAY = 2;
const TIME = 3;
const YEAR = 4;
const ISO_DATE = 5;

/**
 * Orders of a date: asctime with up to two words of zone, RFC 5322, `Mon Jan 1 2001 10:00:00`. Newest word lowest;
 * `mask` hides the rest.
 */
const DATE_ORDERS: readonly { readonly mask: number; readonly value: number }[] = [
  { mask: 0xffff, value: 0x1234 },
  { mask: 0xfff0f, value: 0x12304 },
  { mask: 0xfff00f, value: 0x123004 },
  { mask: 0xffff, value: 0x2143 },
  { mask: 0xffff, value: 0x1243 },
];

/** Three letters of a month in lower case, packed. */
const MONTHS: ReadonlySet<number> = new Set(
  ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"].map(
    (name) => (name.charCodeAt(0) << 16) | (name.charCodeAt(1) << 8) | name.charCodeAt(2),
  ),
);

/** Evidence bits of the candidate at `at`, which must be a line start followed by "From ". */
export function judgeSeparator(bytes: Buffer, at: number, lineEnd: LineEnd): number {
  const lineLimit = Math.min(bytes.length, at + SEPARATOR_LINE_BYTES_MAX);
  let end = at + 5;
  while (end < lineLimit && (bytes[end]! > CR || !endsLine(bytes, end, lineEnd))) end++;
  let evidence = blankBefore(bytes, at) ? BLANK_BEFORE : 0;
  if (end === at + SEPARATOR_LINE_BYTES_MAX) return evidence;
  evidence |= evidenceOfLine(bytes, at, end);
  const next = afterLineEnd(bytes, end);
  if (next >= bytes.length || bytes[next] === lineEnd || (bytes[next] === CR && bytes[next + 1] === LF))
    return evidence | NOTHING_FOLLOWS;
  if (fieldNameLength(bytes, next) > 0) {
    const isUndated = (evidence & (DATED | BLANK_BEFORE)) === BLANK_BEFORE;
    const begins = isUndated && beginsMessage(bytes, { start: at + 5, end, lineEnd });
    return evidence | HEADER_FOLLOWS | (begins ? BLOCK_FOLLOWS : 0);
  }
  if (bytes[next] === 0x3e && startsWithFrom(bytes, next + 1)) return evidence | HEADER_FOLLOWS;
  return isCutWord(bytes, next) ? evidence | NOTHING_FOLLOWS : evidence;
}

/** True if "From " after this byte may begin a line: mailboxes have mixed line ends, and NUL bytes after a crash. */
export function mayEndLine(byte: number): boolean {
  return byte === LF || byte === CR || byte === 0;
}

/**
 * True at the end of a separator line: mailboxes that were put together mix line ends. CR CR LF is one line end in a
 * file with LF.
 */
export function endsLine(bytes: Buffer, at: number, lineEnd: LineEnd): boolean {
  if (bytes[at] !== CR || lineEnd === CR) return bytes[at] === LF || bytes[at] === CR;
  return bytes[at + 1] !== CR && bytes[at + 1] !== LF;
}

/** Start of the next line, also after LF CR. @param end position of the line end */
export function afterLineEnd(bytes: Buffer, end: number): number {
  if (bytes[end] === CR) return bytes[end + 1] === LF ? end + 2 : end + 1;
  return bytes[end + 1] === CR && bytes[end + 2] !== LF ? end + 2 : end + 1;
}

/** Letters of a commit hash, SHA-1 and SHA-256. */
const HASH_LENGTHS = [40, 64] as const;
/** The fixed date of all patches (git-format-patch, "Discussion"). */
const PATCH_DATE = "Mon Sep 17 00:00:00 2001";
const LETTER_M = 0x4d;

/** True for the From line of a patch, which is text inside a message: it begins a message only after another patch. */
export function isPatchLine(bytes: Buffer, at: number): boolean {
  for (const length of HASH_LENGTHS) {
    const blank = at + "From ".length + length;
    if (bytes[blank] !== SPACE || bytes[blank + 1] !== LETTER_M) continue;
    if (bytes.toString("latin1", blank + 1, blank + 1 + PATCH_DATE.length) === PATCH_DATE) return true;
  }
  return false;
}

function evidenceOfLine(bytes: Buffer, at: number, end: number): number {
  return (isDated(bytes, at + 5, end) ? DATED : 0) | (isPatchLine(bytes, at) ? PATCH : 0);
}

/**
 * The separator rule. In a file with dated separators (asctime date, or Mozilla's `From -`), a candidate needs the
 * date and a header after it; not a blank line before it, because Mozilla and Content-Length mailboxes have none. A
 * dated line between blank lines begins a message without a header. Without an English date, a candidate needs a
 * blank line before it and a message header after it, to accept separators in other languages. In a file without
 * dated separators, a field after it and a blank line before it are the only evidence.
 */
export function isSeparator(evidence: number, dated: boolean): boolean {
  if (!dated) return (evidence & (HEADER_FOLLOWS | BLANK_BEFORE)) === (HEADER_FOLLOWS | BLANK_BEFORE);
  if ((evidence & DATED) === 0) return (evidence & BLOCK_FOLLOWS) !== 0;
  return (
    (evidence & HEADER_FOLLOWS) !== 0 ||
    (evidence & (NOTHING_FOLLOWS | BLANK_BEFORE)) === (NOTHING_FOLLOWS | BLANK_BEFORE)
  );
}

/**
 * True when the header of a message follows an undated line. A line of the form of a separator (nothing, an address, a
 * time with a year) needs the fields of any mail; prose needs those that only mail programs write.
 */
function beginsMessage(
  bytes: Buffer,
  line: { readonly start: number; readonly end: number; readonly lineEnd: LineEnd },
): boolean {
  const { start, end, lineEnd } = line;
  const limit = Math.min(bytes.length, end + HEADER_BYTES_MAX);
  const block = headerBlockAt(bytes, { start: end + 1, end: limit, lineEnd });
  return block === MACHINE_BLOCK || (block === MAIL_BLOCK && hasSeparatorForm(bytes, start, end));
}

/** True for a From line that is empty, begins with an address, or has a time and a year. */
function hasSeparatorForm(bytes: Buffer, start: number, end: number): boolean {
  if (isBlank(bytes, start, end)) return true;
  let hasTime = false;
  let hasYear = false;
  for (let at = skipBlanks(bytes, start, end), word = 0; at < end; word++) {
    const wordEnd = skipWord(bytes, at, end);
    const sign = bytes.indexOf(AT_SIGN, at);
    if (word === 0 && sign > at && sign < wordEnd - 1) return true;
    const kind = classifyWord(bytes, at, bytes[wordEnd - 1] === CR ? wordEnd - 1 : wordEnd);
    if (kind === TIME) hasTime = true;
    if (kind === YEAR) hasYear = true;
    at = skipBlanks(bytes, wordEnd, end);
  }
  return hasTime && hasYear;
}

/** True when the file ends inside the first word after the separator: a message cut in its first field name. */
function isCutWord(bytes: Buffer, start: number): boolean {
  for (let at = start; at < bytes.length; at++) if (bytes[at]! <= SPACE) return false;
  return true;
}

/** True if the line before `at` is empty or missing. */
function blankBefore(bytes: Buffer, at: number): boolean {
  if (at === 0) return true;
  let before = at - 2;
  if (bytes[at - 1] === LF && before >= 0 && bytes[before] === CR) before--;
  return before < 0 || bytes[before] === LF || bytes[before] === CR;
}

/** True if the rest of a From line, [start, end), contains a date with time, or is Mozilla's `-`. */
function isDated(bytes: Buffer, start: number, end: number): boolean {
  if (bytes[start] === MINUS && isBlank(bytes, start + 1, end)) return true;
  // The last words, four bits each.
  let register = 0;
  for (let at = skipBlanks(bytes, start, end); at < end; ) {
    const wordEnd = skipWord(bytes, at, end);
    const word = classifyWord(bytes, at, bytes[wordEnd - 1] === CR ? wordEnd - 1 : wordEnd);
    if (word === ISO_DATE) return true;
    register = ((register << 4) | word) & 0xfffffff;
    if ((word === YEAR || word === TIME) && endsInDate(register)) return true;
    at = skipBlanks(bytes, wordEnd, end);
  }
  return false;
}

function skipBlanks(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && (bytes[at] === SPACE || bytes[at] === TAB)) at++;
  return at;
}

function skipWord(bytes: Buffer, start: number, end: number): number {
  let at = start + 1;
  while (at < end && bytes[at] !== SPACE && bytes[at] !== TAB) at++;
  return at;
}

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! > SPACE) return false;
  return true;
}

function endsInDate(register: number): boolean {
  for (const order of DATE_ORDERS) if ((register & order.mask) === order.value) return true;
  return false;
}

function classifyWord(bytes: Buffer, start: number, end: number): number {
  if (isDigit(bytes[start]!)) return classifyNumber(bytes, start, end);
  if (end - start !== 3) return OTHER;
  const packed = ((bytes[start]! | 0x20) << 16) | ((bytes[start + 1]! | 0x20) << 8) | (bytes[start + 2]! | 0x20);
  return MONTHS.has(packed) ? MONTH : OTHER;
}

/** A word that begins with a digit: a table of forms as tests of length and sign. */
function classifyNumber(bytes: Buffer, start: number, end: number): number {
  const length = end - start;
  if (length === 1) return DAY;
  if (bytes[start + 1] === COLON || (length > 2 && bytes[start + 2] === COLON))
    return length >= 4 && length <= 15 ? TIME : OTHER;
  if (!isDigit(bytes[start + 1]!)) return OTHER;
  if (length === 2) return DAY;
  if (!isDigit(bytes[start + 2]!) || !isDigit(bytes[start + 3] ?? 0)) return OTHER;
  if (length === 4) return YEAR;
  return length >= 10 && bytes[start + 4] === MINUS && bytes[start + 7] === MINUS ? ISO_DATE : OTHER;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
