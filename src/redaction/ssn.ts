import { beginsNumber, DIGIT, endsNumber, hasClass, type Span } from "./characters.ts";
import { type DigitGroups, digitsOf, groupLength, hasShape } from "./digit-groups.ts";
import { hasCueBefore, SSN_CUES } from "./keyword-context.ts";

const SHAPE = [3, 2, 4] as const;
const SEPARATORS = ["-", " ", ".", " - "] as const;
const DIGITS = 9;

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

/** True if a hyphen joins another number to the beginning: then it is a part number. */
function isTail(text: string, start: number, floor: number): boolean {
  return start - 2 >= floor && text[start - 1] === "-" && hasClass(text.charCodeAt(start - 2), DIGIT);
}

/**
 * A US social security number that begins with the given group, or null: 3-2-4 with equal separators, or nine digits
 * after a cue.
 */
export function matchSsn(groups: DigitGroups, group: number, floor: number): Span | null {
  const { text } = groups;
  const start = groups.starts[group]!;
  const length = groupLength(groups, group);
  if (length !== SHAPE[0] && length !== DIGITS) return null;
  if (!beginsNumber(text, start, floor)) return null;
  const count = length === DIGITS ? 1 : SHAPE.length;
  if (count > 1 && (!hasShape(groups, group, SHAPE, SEPARATORS) || isTail(text, start, floor))) return null;
  const end = groups.ends[group + count - 1]!;
  if (!endsNumber(text, end) || !isIssuableSsn(digitsOf(groups, group, count))) return null;
  return count > 1 || hasCueBefore(text, start, { floor, cues: SSN_CUES }) ? { start, end } : null;
}
