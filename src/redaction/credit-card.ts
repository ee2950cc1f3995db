import { CR, HYPHEN, LF, SPACE, TAB } from "../mail/words/ascii.ts";
import { beginsNumber, DIGIT, endsNumber, hasClass, type Span } from "./characters.ts";
import { type DigitGroups, digitsOf, groupLength, hasShape } from "./digit-groups.ts";
import { CARD_CUES, hasKeywordAfter, hasKeywordBefore } from "./keyword-context.ts";

/** Fewest and most digits of a card number (ISO/IEC 7812-1; 12 are Maestro). */
const MIN_DIGITS = 12;
const MAX_DIGITS = 19;

/** Ways a card number is printed in groups; longer before shorter with the same beginning. */
const SHAPES: readonly (readonly number[])[] = [
  [4, 4, 4, 4, 3],
  [4, 4, 4, 4],
  [4, 6, 5],
  [4, 6, 4],
  [4, 4, 4, 2],
  [4, 4, 4, 1],
  [4, 4, 5],
  [4, 4, 4],
  [8, 8],
  [6, 13],
];
const SEPARATORS = [" ", "-", ".", "/"] as const;
/** Separators of columns, which are accepted only if the row has no other number. */
const COLUMN_SEPARATORS = ["  ", "   "] as const;

/**
 * Issuer ranges: first and last prefix (same number of digits) and the lengths in use (ISO/IEC 7812 as published by the
 * networks).
 */
const ISSUERS: readonly (readonly [first: number, last: number, minDigits: number, maxDigits: number])[] = [
  [4, 4, 13, 19], // Visa
  [51, 55, 16, 16], // Mastercard
  [2221, 2720, 16, 16], // Mastercard, second series
  [34, 34, 15, 15], // American Express
  [37, 37, 15, 15],
  [300, 305, 14, 19], // Diners Club
  [3095, 3095, 14, 19],
  [36, 36, 14, 19],
  [38, 39, 14, 19],
  [3528, 3589, 16, 19], // JCB
  [1800, 1800, 15, 15],
  [2131, 2131, 15, 15],
  [6011, 6011, 16, 19], // Discover
  [644, 649, 16, 19],
  [65, 65, 16, 19],
  [62, 62, 16, 19], // UnionPay
  [2200, 2204, 16, 19], // Mir
  [50, 50, 12, 19], // Maestro
  [56, 58, 12, 19],
  [60, 61, 12, 19],
  [63, 63, 12, 19],
  [66, 69, 12, 19],
  [81, 82, 16, 16], // RuPay
  [9792, 9792, 16, 16], // Troy
];

/** True for as many digits as a card has, with the check digit of one. */
export function isCardNumber(digits: string): boolean {
  return digits.length >= MIN_DIGITS && digits.length <= MAX_DIGITS && passesLuhn(digits);
}

/** The check digit of ISO/IEC 7812-1 annex B (Luhn). */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = digits.length - 1, isDoubled = false; i >= 0; i--, isDoubled = !isDoubled) {
    const value = digits.charCodeAt(i) - 0x30;
    sum += isDoubled ? (value > 4 ? 2 * value - 9 : 2 * value) : value;
  }
  return sum % 10 === 0;
}

/** True for a length and prefix in use, with a valid check digit. */
function isIssued(digits: string): boolean {
  return ISSUERS.some(([first, last, minDigits, maxDigits]) => {
    const prefix = Number(digits.slice(0, String(first).length));
    return prefix >= first && prefix <= last && digits.length >= minDigits && digits.length <= maxDigits;
  });
}

/**
 * True if the digits text[start, end) are a card number: a valid check digit, and a known issuer or a word such as
 * "card" nearby.
 */
function isCard(digits: string, text: string, place: Span & { readonly floor: number }): boolean {
  if (!passesLuhn(digits) || /^0*$/.test(digits)) return false;
  if (isIssued(digits)) return true;
  return (
    hasKeywordBefore(text, place.start, { floor: place.floor, cues: CARD_CUES }) ||
    hasKeywordAfter(text, place.end, CARD_CUES)
  );
}

/** True if the groups have a shape of printed cards, with one separator, or columns without another number. */
function isPrinted(groups: DigitGroups, group: number, shape: readonly number[]): boolean {
  if (hasShape(groups, group, shape, SEPARATORS)) return true;
  const isRow = group === 0 && groups.starts.length === shape.length;
  return isRow && hasShape(groups, group, shape, COLUMN_SEPARATORS);
}

/** A card number that begins with the given group, or null. */
export function matchCreditCard(groups: DigitGroups, group: number, floor: number): Span | null {
  const { text } = groups;
  const start = groups.starts[group]!;
  const single = groupLength(groups, group);
  if (single > MAX_DIGITS || (single !== 4 && single !== 8 && single !== 6 && single < MIN_DIGITS)) return null;
  if (!beginsNumber(text, start, floor)) return null;
  if (single >= MIN_DIGITS) {
    const end = groups.ends[group]!;
    return endsNumber(text, end) && isCard(digitsOf(groups, group, 1), text, { start, end, floor })
      ? { start, end }
      : null;
  }
  for (const shape of SHAPES) {
    if (!isPrinted(groups, group, shape)) continue;
    const end = groups.ends[group + shape.length - 1]!;
    if (endsNumber(text, end) && isCard(digitsOf(groups, group, shape.length), text, { start, end, floor }))
      return { start, end };
  }
  return null;
}

/** Group shapes printed on cards, which may be on two lines or in columns. */
const BROKEN_SHAPES = [
  [4, 4, 4, 4],
  [4, 6, 5],
  [4, 6, 4],
  [8, 8],
] as const;
/** Most characters between two groups: a hyphen, blanks, a line break, and the marks of a line quoted four times. */
const MAX_GAP = 12;

const isBreak = (code: number): boolean => code === TAB || code === LF || code === CR;
/** True for characters allowed in a gap: a break, a separator, or the mark of a quoted line. */
const isInGap = (code: number): boolean =>
  isBreak(code) || code === SPACE || code === HYPHEN || code === 0x3e || code === 0x7c;

/**
 * Start of the digits after the gap at `index`, or -1. A gap contains a tab or line break, or is one separator of
 * printed cards.
 */
function behindGap(text: string, index: number): number {
  let end = index;
  let hasBreak = false;
  for (let code = text.charCodeAt(end); end - index < MAX_GAP && isInGap(code); code = text.charCodeAt(++end)) {
    if (isBreak(code)) hasBreak = true;
  }
  if (!hasClass(text.charCodeAt(end), DIGIT)) return -1;
  const first = text.charCodeAt(index);
  return hasBreak || (end === index + 1 && (first === SPACE || first === HYPHEN)) ? end : -1;
}

/** True if a group of at least four digits ends at `end`, and digits continue after a tab or line break. */
export function continuesAfterLineBreak(text: string, end: number): boolean {
  if (!hasClass(text.charCodeAt(end - 3), DIGIT) || !hasClass(text.charCodeAt(end - 4), DIGIT)) return false;
  const code = text.charCodeAt(end);
  if (code > HYPHEN || !isBreak(code === SPACE || code === HYPHEN ? text.charCodeAt(end + 1) : code)) return false;
  return behindGap(text, end) !== -1;
}

/**
 * A card number in groups, starting with the given one, that a tab or a line end splits; otherwise null. Rows of a
 * table with more columns do not count.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the shapes of a number are tried one after the other over the same digits
export function matchBrokenCard(groups: DigitGroups, group: number, floor: number): Span | null {
  const length = groupLength(groups, group);
  if (length !== 4 && length !== 8) return null;
  const { text } = groups;
  const start = groups.starts[group]!;
  if (!beginsNumber(text, start, floor) || isInRow(text, start, floor)) return null;
  for (const shape of BROKEN_SHAPES) {
    let digits = "";
    let index = start;
    for (const length of shape) {
      if (digits !== "") index = behindGap(text, index);
      const end = index + length;
      if (index === -1 || !/^[0-9]+$/.test(text.slice(index, end)) || hasClass(text.charCodeAt(end), DIGIT)) {
        index = -1;
        break;
      }
      digits += text.slice(index, end);
      index = end;
    }
    if (index === -1 || behindGap(text, index) !== -1 || !endsNumber(text, index)) continue;
    if (isCard(digits, text, { start, end: index, floor })) return { start, end: index };
  }
  return null;
}

/** True if a number directly precedes it, in the same row or at the end of the previous line. */
function isInRow(text: string, start: number, floor: number): boolean {
  let index = start;
  while (index > floor && start - index < MAX_GAP && isInGap(text.charCodeAt(index - 1))) index--;
  return index < start && index > floor && hasClass(text.charCodeAt(index - 1), DIGIT);
}
