import { CLASS, DIGIT, SEPARATOR } from "./characters.ts";

/** Most separator characters between two groups of one number, as in `555 - 1234` or `+44 (0) 20`. */
const MAX_SEPARATOR = 3;

/** Groups of digits that separators join into one chain. Group g is text[starts[g], ends[g]). */
export interface DigitGroups {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Minimum digits of a telephone number, card or SSN. */
const MIN_DIGITS = 6;
/** Minimum dots of an IPv4 address. */
const MIN_DOTS = 3;

/**
 * Index after the separators that begin at `index`, when a digit follows within reach; -1 when the chain ends before
 * them.
 */
function nextGroup(text: string, index: number): number {
  for (let length = 0; length <= MAX_SEPARATOR; length++) {
    const code = text.charCodeAt(index + length);
    if (!(code < 128)) return -1;
    if ((CLASS[code]! & DIGIT) !== 0) return index + length;
    if ((CLASS[code]! & SEPARATOR) === 0) return -1;
  }
  return -1;
}

/**
 * Scans the chain that begins with the digit at `start`, without allocating: nearly all digits of mail are dates,
 * times and amounts. @returns the end of the chain, negative (minus end) if it cannot contain a number of any type
 */
export function chainEnd(text: string, start: number): number {
  let index = start;
  let digits = 0;
  let dots = 0;
  for (;;) {
    let code = text.charCodeAt(index);
    while (code < 128 && (CLASS[code]! & DIGIT) !== 0) {
      digits++;
      code = text.charCodeAt(++index);
    }
    const next = nextGroup(text, index);
    if (next === -1) break;
    if (code === 0x2e) dots++;
    index = next;
  }
  return digits < MIN_DIGITS && dots < MIN_DOTS ? -index : index;
}

/** Groups of the chain text[start, end). */
export function digitGroups(text: string, start: number, end: number): DigitGroups {
  const starts: number[] = [];
  const ends: number[] = [];
  let index = start;
  while (index < end) {
    starts.push(index);
    while (index < end && (CLASS[text.charCodeAt(index)]! & DIGIT) !== 0) index++;
    ends.push(index);
    while (index < end && (CLASS[text.charCodeAt(index)]! & DIGIT) === 0) index++;
  }
  return { text, starts, ends };
}

/** Number of digits of group g; 0 beyond the last group. */
export function groupLength(groups: DigitGroups, group: number): number {
  return group < groups.starts.length ? groups.ends[group]! - groups.starts[group]! : 0;
}

/** The text between group g and the next one. */
export function separatorAfter(groups: DigitGroups, group: number): string {
  return group + 1 < groups.starts.length ? groups.text.slice(groups.ends[group]!, groups.starts[group + 1]!) : "";
}

/** A separator without the blanks around its sign: " - " is "-"; blanks alone stay. */
const signOf = (separator: string): string => separator.trim() || separator;

/**
 * True if the groups from `group` on have these lengths and equal separators, one of `separators`, perhaps with blanks
 * around it.
 */
export function hasShape(
  groups: DigitGroups,
  group: number,
  shape: readonly number[],
  separators: readonly string[],
): boolean {
  for (let i = 0; i < shape.length; i++) if (groupLength(groups, group + i) !== shape[i]) return false;
  const separator = signOf(separatorAfter(groups, group));
  if (shape.length > 1 && !separators.includes(separator)) return false;
  for (let i = 1; i + 1 < shape.length; i++) {
    if (signOf(separatorAfter(groups, group + i)) !== separator) return false;
  }
  return true;
}

/** The digits of `count` groups from `group` on, without separators. */
export function digitsOf(groups: DigitGroups, group: number, count: number): string {
  let digits = "";
  for (let g = group; g < group + count; g++) digits += groups.text.slice(groups.starts[g]!, groups.ends[g]!);
  return digits;
}
