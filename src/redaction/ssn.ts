import { beginsNumber, DIGIT, endsNumber, hasClass, type Span } from "./characters.ts";
import { type DigitGroups, digitsOf, groupLength, hasShape, separatorAfter } from "./digit-groups.ts";
import { hasCueBefore, SSN_CUES } from "./keyword-context.ts";

const SHAPE = [3, 2, 4] as const;
const SEPARATORS = ["-", " ", "."] as const;
const DIGITS = 9;
/** Most groups of nine digits grouped in another way, which need a cue: `219 099999`. */
const MAX_GROUPS = 4;

/**
 * True if the Social Security Administration can have issued the nine digits: no area 000, 666 or 9xx, no group 00, no
 * serial 0000.
 */
function isIssuableSsn(digits: string): boolean {
  const area = digits.slice(0, 3);
  return (
    area !== "000" &&
    area !== "666" &&
    !area.startsWith("9") &&
    digits.slice(3, 5) !== "00" &&
    digits.slice(5) !== "0000"
  );
}

/** True for the taxpayer number that foreigners have instead (ITIN): 9xx-50 to 65, 70 to 88, 90 to 92 and 94 to 99. */
const isTaxpayer = (digits: string): boolean => /^9[0-9]{2}(?:5[0-9]|6[0-5]|7[0-9]|8[0-8]|9[0-24-9])/.test(digits);

/** Number of groups from `group` on that have nine digits together, joined by blanks or hyphens; 0 if none have. */
function countNineDigits(groups: DigitGroups, group: number): number {
  let digits = groupLength(groups, group);
  for (let count = 1; count <= MAX_GROUPS && digits > 0 && digits <= DIGITS; count++) {
    if (digits === DIGITS) return count;
    if (!/^ ?-? ?$/.test(separatorAfter(groups, group + count - 1))) return 0;
    digits += groupLength(groups, group + count);
  }
  return 0;
}

/** True if a hyphen joins another number to the beginning: then it is a part number. */
function isTail(text: string, start: number, floor: number): boolean {
  return start - 2 >= floor && text[start - 1] === "-" && hasClass(text.charCodeAt(start - 2), DIGIT);
}

/**
 * A US social security number that begins with the given group, or null: 3-2-4 with equal separators, or nine digits
 * in any groups after a cue.
 */
export function matchSsn(groups: DigitGroups, group: number, floor: number): Span | null {
  const { text } = groups;
  const start = groups.starts[group]!;
  if (!beginsNumber(text, start, floor)) return null;
  const isPrinted = hasShape(groups, group, SHAPE, SEPARATORS) && !isTail(text, start, floor);
  const count = isPrinted ? SHAPE.length : countNineDigits(groups, group);
  if (count === 0) return null;
  const end = groups.ends[group + count - 1]!;
  if (!endsNumber(text, end)) return null;
  const digits = digitsOf(groups, group, count);
  const isIssuable = isIssuableSsn(digits);
  if (isPrinted && isIssuable) return { start, end };
  return (isIssuable || isTaxpayer(digits)) && hasCueBefore(text, start, { floor, cues: SSN_CUES })
    ? { start, end }
    : null;
}
