import { isDigit } from "./ascii.ts";

/** Classes of bytes when texts are compared; the first two are also the number of bytes kept. */
const DROPPED = 0;
const LETTER = 1;
/** Kept between two digits: 1.50 is not 150. */
const POINT = 2;
/** First byte of a non-ASCII character. */
const WIDE = 3;

const KINDS = Uint8Array.from({ length: 0x100 }, (_, byte) => {
  if (byte >= 0x80) return WIDE;
  const character = String.fromCharCode(byte);
  if (/[A-Za-z0-9]/.test(character)) return LETTER;
  return character === "." || character === "," ? POINT : DROPPED;
});

/** Signs of the Latin-1 block that are letters or numbers: ª ² ³ µ ¹ º ¼ ½ ¾. */
const LATIN_LETTERS: ReadonlySet<number> = new Set([0xaa, 0xb2, 0xb3, 0xb5, 0xb9, 0xba, 0xbc, 0xbd, 0xbe]);
const LATIN_SIGNS_END = 0xc0;

/**
 * Blanks, punctuation and marks of presentation beyond Latin-1 that programs exchange for others: general and
 * supplemental punctuation, CJK punctuation, variation selectors and vertical forms, small and fullwidth punctuation,
 * the byte order mark, the replacement character. A table of our own: that of the engine changes with its version, and
 * stored keys must not. Whatever is not here counts: letters of all scripts, and pictures.
 */
const DROPPED_RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x2000, 0x206f],
  [0x2e00, 0x2e7f],
  [0x3000, 0x303f],
  [0xfe00, 0xfe1f],
  [0xfe30, 0xfe6f],
  [0xfeff, 0xfeff],
  [0xff00, 0xff0f],
  [0xff1a, 0xff20],
  [0xff3b, 0xff40],
  [0xff5b, 0xff65],
  [0xfff0, 0xffff],
];

/** Characters below the first, and between the other two, are never dropped; most non-Latin text is in that range. */
const FIRST_DROPPED = 0x2000;
const LAST_BEFORE_FORMS = 0x303f;
const FIRST_FORM = 0xfe00;

/**
 * Reduces a text in place to its letters and digits, with a point or comma between two digits: equal for texts that
 * were wrapped, quoted or converted differently. @param bytes valid UTF-8 from `start` to `end` @returns the new end
 * of the text
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the bytes, whose cases share the place it has reached
export function keepLetters(bytes: Uint8Array, start: number, end: number): number {
  let to = start;
  let at = start;
  while (at < end) {
    // A separate loop for the most common case takes half the time.
    while (at < end) {
      const byte = bytes[at]!;
      const kept = KINDS[byte]!;
      if (kept > LETTER) break;
      // Written even if it is dropped: half of the bytes are, and a branch would be unpredictable.
      bytes[to] = byte;
      to += kept;
      at++;
    }
    if (at === end) break;
    const byte = bytes[at]!;
    if (KINDS[byte] === POINT) {
      // Writing never overtakes reading, so earlier bytes are intact.
      if (isPointInNumber(bytes, at, start, end)) bytes[to++] = byte;
      at++;
      continue;
    }
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    if (!isDropped(bytes, at, length)) {
      for (let place = at; place < at + length; place++) {
        bytes[to] = bytes[place]!;
        to++;
      }
    }
    at += length;
  }
  return to;
}

function isPointInNumber(bytes: Uint8Array, at: number, start: number, end: number): boolean {
  return at > start && at + 1 < end && isDigit(bytes[at - 1]!) && isDigit(bytes[at + 1]!);
}

function isDropped(bytes: Uint8Array, at: number, length: number): boolean {
  if (length === 4) return false;
  const second = bytes[at + 1]! & 0x3f;
  if (length === 2) {
    const code = ((bytes[at]! & 0x1f) << 6) | second;
    return code < LATIN_SIGNS_END && !LATIN_LETTERS.has(code);
  }
  const code = ((bytes[at]! & 0x0f) << 12) | (second << 6) | (bytes[at + 2]! & 0x3f);
  if (code < FIRST_DROPPED || (code > LAST_BEFORE_FORMS && code < FIRST_FORM)) return false;
  return DROPPED_RANGES.some(([first, last]) => code >= first && code <= last);
}
