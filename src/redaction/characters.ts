/** ASCII character classes as bits, so that one lookup answers several questions. */
export const DIGIT = 1;
export const LETTER = 2;
export const HEX = 4;
/** Allowed between two groups of digits of one number. */
export const SEPARATOR = 8;
/**
 * Allowed in the local part of an address without quotes (RFC 5322 atext and "."), but for `/` and `?`, which in mail
 * end a URL far more often.
 */
export const LOCAL = 16;

function classOf(code: number): number {
  const character = String.fromCharCode(code);
  let bits = 0;
  if (/[0-9]/.test(character)) bits |= DIGIT;
  if (/[A-Za-z]/.test(character)) bits |= LETTER;
  if (/[0-9A-Fa-f]/.test(character)) bits |= HEX;
  if (" -./()".includes(character)) bits |= SEPARATOR;
  if (/[A-Za-z0-9._%+\-'&=!#$*^~{}|`]/.test(character)) bits |= LOCAL;
  return bits;
}

/** Class bits of the 128 ASCII characters. */
export const CLASS: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => classOf(code));

/** True if the character code has one of the class bits; non-ASCII characters have none. */
export function hasClass(code: number, bits: number): boolean {
  return code < 128 && (CLASS[code]! & bits) !== 0;
}

/**
 * True for an ASCII letter, digit or underscore: a number that touches one is part of a longer name. False for NaN
 * (outside the text).
 */
export function isWordCharacter(code: number): boolean {
  return hasClass(code, DIGIT | LETTER) || code === 0x5f;
}

/**
 * True if a number can begin at `start`: not inside a word and not after the period of another number. `floor` is the
 * end of the last redacted span: it counts as a boundary, like the marker that replaces the span.
 */
export function beginsNumber(text: string, start: number, floor: number): boolean {
  if (start <= floor) return true;
  const before = text.charCodeAt(start - 1);
  return !isWordCharacter(before) && !(before === 0x2e && followsDigit(text, start - 1, floor));
}

/** True if a digit precedes `index`: a comma or period there may be a decimal point. */
export function followsDigit(text: string, index: number, floor: number): boolean {
  return index > floor && hasClass(text.charCodeAt(index - 1), DIGIT);
}

/** True if a number may end at `end`: neither a word nor decimals follow. */
export function endsNumber(text: string, end: number): boolean {
  const after = text.charCodeAt(end);
  if (isWordCharacter(after)) return false;
  return !(after === 0x2e && hasClass(text.charCodeAt(end + 1), DIGIT));
}

/** A found stretch of text: [start, end) in UTF-16 code units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
