import type { Utf8Buffer } from "../columns/utf8-buffer.ts";
import { BACKSLASH, SPACE } from "../mail/words/ascii.ts";

/** Bytes escaped at a time, which limits the reserved space. */
const STRETCH_BYTES = 1 << 14;
const HEX_DIGITS: Uint8Array = Uint8Array.from(Buffer.from("0123456789abcdef"));

/**
 * JSON form of each byte: 0 = itself, DROPPED, LONG = `\u00xx`, else the letter after a backslash (RFC 8259 section 7).
 */
const DROPPED = 1;
const LONG = 2;
const ESCAPES: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  // Published text contains no NUL: it ends strings in C readers and SQLite tools.
  if (byte === 0) return DROPPED;
  const escaped = JSON.stringify(String.fromCharCode(byte)).slice(1, -1);
  if (byte >= 0x80 || escaped.length === 1) return 0;
  return escaped.length === 2 ? escaped.charCodeAt(1) : LONG;
});
/** Longest escape of a byte: `\u001f`. */
const LONGEST_ESCAPE = 6;

/** Writes valid UTF-8 as the content of a JSON string, byte for byte like JSON.stringify, without NUL. */
export function writeJsonText(utf8: Uint8Array, out: Utf8Buffer): void {
  for (let start = 0; start < utf8.length; start += STRETCH_BYTES) {
    out.reserve(STRETCH_BYTES * LONGEST_ESCAPE);
    out.length = escapeStretch(utf8, [start, Math.min(start + STRETCH_BYTES, utf8.length)], out);
  }
}

/** Bytes processed together. */
const WORD_BYTES = 4;

/** Appends the escaped bytes of a range; returns the new length. */
function escapeStretch(utf8: Uint8Array, [from, to]: readonly [number, number], { bytes, length }: Utf8Buffer): number {
  const source = new DataView(utf8.buffer, utf8.byteOffset, to);
  const target = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = length;
  let index = from;
  for (; index + WORD_BYTES <= to; index += WORD_BYTES) {
    const word = source.getInt32(index, true);
    if (mayNeedEscape(word))
      for (let next = 0; next < WORD_BYTES; next++) at = writeEscaped(bytes, at, utf8[index + next]!);
    else {
      target.setInt32(at, word, true);
      at += WORD_BYTES;
    }
  }
  for (; index < to; index++) at = writeEscaped(bytes, at, utf8[index]!);
  return at;
}

/**
 * False if none of four bytes is a control character, a quote or a backslash: a subtraction borrows into the top bit of
 * a smaller byte.
 */
function mayNeedEscape(word: number): boolean {
  const quote = word ^ 0x22222222;
  const backslash = word ^ 0x5c5c5c5c;
  return (
    ((((word - 0x20202020) & ~word) | ((quote - 0x01010101) & ~quote) | ((backslash - 0x01010101) & ~backslash)) &
      0x80808080) !==
    0
  );
}

/** Writes the JSON form of one byte; returns the position after it. */
function writeEscaped(bytes: Uint8Array, at: number, byte: number): number {
  const sign = ESCAPES[byte]!;
  if (sign === 0) {
    bytes[at] = byte;
    return at + 1;
  }
  if (sign === DROPPED) return at;
  if (sign === LONG) return writeLongEscape(bytes, at, byte);
  bytes[at] = BACKSLASH;
  bytes[at + 1] = sign;
  return at + 2;
}

/** Writes `\u00xx`; returns the position after it. */
function writeLongEscape(bytes: Uint8Array, at: number, byte: number): number {
  bytes[at] = BACKSLASH;
  bytes[at + 1] = 0x75;
  bytes[at + 2] = 0x30;
  bytes[at + 3] = 0x30;
  bytes[at + 4] = HEX_DIGITS[byte >> 4]!;
  bytes[at + 5] = HEX_DIGITS[byte & 15]!;
  return at + LONGEST_ESCAPE;
}

/** Non-ASCII white space (ECMA-262, `\s`): U+00A0 in UTF-8, and those with three bytes. */
const NO_BREAK_SPACE = 0xc2a0;
const WIDE_SPACES: ReadonlySet<number> = new Set(
  Array.from(
    "\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff",
    (space) => Buffer.from(space).readUIntBE(0, 3),
  ),
);
const SPACE_LEADS: ReadonlySet<number> = new Set([
  NO_BREAK_SPACE >> 8,
  ...Array.from(WIDE_SPACES, (space) => space >> 16),
]);
/** Flags of a byte whose low eight bits are its output. */
const IS_WHITE = 0x100;
const IS_SPECIAL = 0x200;
/** Folded form of each byte: special ones are escaped, or may begin non-ASCII white space. */
const FOLDED: Uint16Array = Uint16Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x80 && /\s/.test(String.fromCharCode(byte))) return SPACE | IS_WHITE;
  const isSpecial = ESCAPES[byte] !== 0 || SPACE_LEADS.has(byte);
  return isSpecial ? byte | IS_SPECIAL : byte;
});

/** Bytes processed one by one after a non-ASCII character, since more of them usually follow. */
const NON_ASCII_BYTES = 64;

/** The top bit of each byte that is a blank, in four bytes of printable ASCII. */
function blanksOf(word: number): number {
  return ((0xa0a0a0a0 | 0) - word) & 0x80808080;
}

/** Like `writeJsonText`, with every run of white space collapsed to one blank and trimmed. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a branch for the bytes that need one, none for those that do not: it writes all text of an archive
export function writeFoldedJsonText(utf8: Uint8Array, out: Utf8Buffer): void {
  const start = out.length;
  const source = new DataView(utf8.buffer, utf8.byteOffset, utf8.length);
  // White space before the text is dropped as if it followed a blank.
  let white = IS_WHITE;
  for (let from = 0; from < utf8.length; ) {
    const to = Math.min(from + STRETCH_BYTES, utf8.length);
    out.reserve((to - from) * LONGEST_ESCAPE);
    const { bytes } = out;
    const target = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = out.length;
    let index = from;
    while (index < to) {
      let end = to;
      if (index + WORD_BYTES <= to) {
        const word = source.getInt32(index, true);
        const isAscii = (word & 0x80808080) === 0;
        const blanks = blanksOf(word);
        // Copied at once unless a blank follows white space.
        if (isAscii && !mayNeedEscape(word) && (blanks & ((blanks << 8) | (white >> 1))) === 0) {
          target.setInt32(at, word, true);
          at += WORD_BYTES;
          index += WORD_BYTES;
          white = (blanks >>> 31) << 8;
          continue;
        }
        end = isAscii ? index + WORD_BYTES : Math.min(index + NON_ASCII_BYTES, to);
      }
      for (; index < end; index++) {
        const byte = utf8[index]!;
        const folded = FOLDED[byte]!;
        if (folded >= IS_SPECIAL) {
          const size = wideSpaceSize(utf8, index);
          if (size === 0) {
            at = writeEscaped(bytes, at, byte);
            white = 0;
            continue;
          }
          index += size - 1;
          bytes[at] = SPACE;
          at += white === 0 ? 1 : 0;
          white = IS_WHITE;
          continue;
        }
        // Without a branch, since word ends are unpredictable.
        bytes[at] = folded;
        at += 1 - ((folded & white) >> 8);
        white = folded & IS_WHITE;
      }
    }
    out.length = at;
    from = index;
  }
  if (white !== 0 && out.length > start) out.length--;
}

/** Bytes of the non-ASCII white space at this position; 0 if there is none. */
function wideSpaceSize(utf8: Uint8Array, at: number): number {
  const pair = (utf8[at]! << 8) | utf8[at + 1]!;
  if (pair === NO_BREAK_SPACE) return 2;
  return WIDE_SPACES.has((pair << 8) | utf8[at + 2]!) ? 3 : 0;
}
