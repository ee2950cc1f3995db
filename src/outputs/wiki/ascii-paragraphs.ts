import type { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import {
  BACKSLASH,
  CLOSING_PARENTHESIS,
  CR,
  DIGIT_0,
  DIGIT_9,
  FULL_STOP,
  HYPHEN,
  LF,
  PLUS,
  SLASH,
  SPACE,
} from "../../mail/words/ascii.ts";
import { MAX_INDENT } from "./markdown.ts";

/** Meaning of an ASCII byte in markdown. Same rules as `paragraphs`, as a table that is read once per byte. */
const PLAIN = 0;
const BLANK = 1;
const ESCAPED = 2;
const COLON = 3;
const DROPPED_BLANK = 4;
const DROPPED = 5;
const LINE_END = 6;

const CLASSES: Uint8Array = Uint8Array.from({ length: 128 }, (_, byte) => {
  const char = String.fromCharCode(byte);
  if (char === "\r" || char === "\n") return LINE_END;
  if (char === ":") return COLON;
  if (char === " " || char === "\t") return BLANK;
  if (char === "\v" || char === "\f") return DROPPED_BLANK;
  if (byte < 0x20 || byte === 0x7f) return DROPPED;
  return /[\\`*_[\]{}<>#|~=$%^&!@]/.test(char) ? ESCAPED : PLAIN;
});

/** No-break space in UTF-8. */
const NO_BREAK_SPACE = [0xc2, 0xa0] as const;
/** Maximum digits of an ordered list marker (CommonMark 5.2). */
const MAX_LIST_DIGITS = 9;

/**
 * Bytes that a line may grow by, in addition to one per byte: indentation, a Markdown line break, one escape at its
 * start.
 */
const LINE_SLACK = 2 * MAX_INDENT + 8;

/** Writes ASCII text as `paragraphs` would: most mail is ASCII, and processing bytes takes a fifth of the time. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the bytes, whose cases share the place it has reached
export function writeAsciiParagraphs(ascii: Uint8Array, out: Utf8Buffer): void {
  let hasLines = false;
  let empty = 0;
  for (let start = 0; start < ascii.length; ) {
    let first = start;
    while (first < ascii.length && isBlank(ascii[first]!)) first++;
    let end = first;
    if (first === ascii.length || CLASSES[ascii[first]!] === LINE_END) empty++;
    else {
      // The end of the line is unknown; the escaped rest may be twice as long.
      out.reserve((ascii.length - first) * 2 + LINE_SLACK);
      if (hasLines) writeBreak(empty > 0, out);
      hasLines = true;
      empty = 0;
      for (let column = Math.min(first - start, MAX_INDENT); column > 0; column--) writeByteOf(NO_BREAK_SPACE, out);
      end = writeLine(ascii, first, out);
    }
    start = ascii[end] === CR && ascii[end + 1] === LF ? end + 2 : end + 1;
  }
}

/** Blanks inside a line. */
function isBlank(byte: number): boolean {
  const kind = CLASSES[byte]!;
  return kind === BLANK || kind === DROPPED_BLANK;
}

/** A blank line separates paragraphs; two blanks at the end of a line break it. */
function writeBreak(isParagraph: boolean, out: Utf8Buffer): void {
  const { bytes } = out;
  let at = out.length;
  if (isParagraph) bytes[at++] = LF;
  else {
    bytes[at++] = SPACE;
    bytes[at++] = SPACE;
  }
  bytes[at++] = LF;
  out.length = at;
}

function writeByteOf([one, two]: typeof NO_BREAK_SPACE, out: Utf8Buffer): void {
  out.bytes[out.length] = one;
  out.bytes[out.length + 1] = two;
  out.length += 2;
}

/** Escapes a line that does not begin with a blank, without trailing blanks. Returns its end. */
function writeLine(ascii: Uint8Array, from: number, out: Utf8Buffer): number {
  const { bytes } = out;
  const head = out.length;
  let at = head;
  /** Blanks before a dropped character are not at the end of the line. */
  let kept = head;
  let index = from;
  for (; index < ascii.length; index++) {
    const byte = ascii[index]!;
    const kind = CLASSES[byte]!;
    // Words and blanks share this branch, because word ends are unpredictable.
    if (kind <= BLANK) bytes[at++] = byte;
    else if (kind === ESCAPED || (kind === COLON && startsLink(ascii, index + 1))) {
      bytes[at] = BACKSLASH;
      bytes[at + 1] = byte;
      at += 2;
    } else if (kind === COLON) bytes[at++] = byte;
    else if (kind === DROPPED) kept = at;
    else if (kind === LINE_END) break;
  }
  while (at > kept && CLASSES[bytes[at - 1]!] === BLANK) at--;
  out.length = escapeBlockStart(bytes, head, at);
  return index;
}

/** A colon before `//` begins a GFM link; dropped characters in between do not prevent that. */
function startsLink(ascii: Uint8Array, from: number): boolean {
  let slashes = 0;
  for (let index = from; index < ascii.length && slashes < 2; index++) {
    const kind = CLASSES[ascii[index]!]!;
    if (ascii[index] === SLASH) slashes++;
    else if (kind < DROPPED_BLANK || kind === LINE_END) return false;
  }
  return slashes === 2;
}

/** Escapes the character that would turn the line into a list or heading; returns its new end. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the signs that begin a list or a heading, each with its way out
function escapeBlockStart(bytes: Buffer, head: number, end: number): number {
  let sign = head;
  const first = bytes[head]!;
  if (first >= DIGIT_0 && first <= DIGIT_9) {
    while (sign < end && bytes[sign]! >= DIGIT_0 && bytes[sign]! <= DIGIT_9) sign++;
    if (sign - head > MAX_LIST_DIGITS || sign === end) return end;
    if (bytes[sign] !== FULL_STOP && bytes[sign] !== CLOSING_PARENTHESIS) return end;
  } else if (end === head || (first !== PLUS && first !== HYPHEN)) return end;
  const next = sign + 1 < end ? bytes[sign + 1]! : SPACE;
  if (!isBlank(next) && !(next === HYPHEN && sign === head)) return end;
  bytes.copyWithin(sign + 1, sign, end);
  bytes[sign] = BACKSLASH;
  return end + 1;
}
