import { beginsNumber, endsNumber, type Span } from "./characters.ts";
import { type DigitGroups, digitsOf, groupLength, hasShape } from "./digit-groups.ts";

/** Fewest and most digits of a card number (ISO/IEC 7812-1; 12 are Maestro). */
const MIN_DIGITS = 12;
const MAX_DIGITS = 19;

/** Ways a card number is printed in groups; longer before shorter with the same beginning. */
const SHAPES: readonly (readonly number[])[] = [
  [4, 4, 4, 4, 3],
  [4, 4, 4, 4],
  [4, 6, 5],
  [4, 6, 4],
  [4, 4, 4, 1],
  [4, 4, 5],
  [4, 4, 4],
  [8, 8],
  [6, 13],
];
const SEPARATORS = [" ", "-", "."] as const;

/** Issuer ranges: first and last prefix (same number of digits) and the lengths in use (ISO/IEC 7812 as published by the networks). */
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

/** The check digit of ISO/IEC 7812-1 annex B (Luhn). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = digits.length - 1, isDoubled = false; i >= 0; i--, isDoubled = !isDoubled) {
    const value = digits.charCodeAt(i) - 0x30;
    sum += isDoubled ? (value > 4 ? 2 * value - 9 : 2 * value) : value;
  }
  return sum % 10 === 0;
}

/** True for the digits of a card number: known issuer, right length, valid check digit. */
export function isCardNumber(digits: string): boolean {
  if (!passesLuhn(digits)) return false;
  return ISSUERS.some(([first, last, minDigits, maxDigits]) => {
    const prefix = Number(digits.slice(0, String(first).length));
    return prefix >= first && prefix <= last && digits.length >= minDigits && digits.length <= maxDigits;
  });
}

/** A card number that begins with the given group, or null. */
export function matchCreditCard(groups: DigitGroups, group: number, floor: number): Span | null {
  const start = groups.starts[group]!;
  const single = groupLength(groups, group);
  if (single > MAX_DIGITS || (single !== 4 && single !== 8 && single !== 6 && single < MIN_DIGITS)) return null;
  if (!beginsNumber(groups.text, start, floor)) return null;
  if (single >= MIN_DIGITS) {
    const end = groups.ends[group]!;
    return endsNumber(groups.text, end) && isCardNumber(digitsOf(groups, group, 1)) ? { start, end } : null;
  }
  for (const shape of SHAPES) {
    if (!hasShape(groups, group, shape, SEPARATORS)) continue;
    const end = groups.ends[group + shape.length - 1]!;
    if (endsNumber(groups.text, end) && isCardNumber(digitsOf(groups, group, shape.length))) return { start, end };
  }
  return null;
}
