import { beginsNumber, DIGIT, followsDigit, hasClass, isWordCharacter, SEPARATOR, type Span } from "./characters.ts";
import { type DigitGroups, digitsOf, groupLength, separatorAfter } from "./digit-groups.ts";
import { cueAfter, hasCueBefore, PHONE_CUES } from "./keyword-context.ts";

/** Maximum digits of a telephone number (ITU-T E.164), and two more for an international prefix `00`. */
const MAX_DIGITS = 17;
/**
 * Minimum digits with a cue (local numbers of small countries), after a plus sign, and of a national number with its 0.
 */
const MIN_DIGITS_CUED = 6;
const MIN_DIGITS_INTERNATIONAL = 8;
const MIN_DIGITS_NATIONAL = 9;
const MAX_DIGITS_NATIONAL = 11;
/** Maximum groups of one number, as in French pairs after +33 (0). */
const MAX_GROUPS = 8;
/** Most digits of an extension. */
const MAX_EXTENSION = 6;

/** Text before the chain. */
interface PhoneContext {
  /** End of the last redacted span. */
  readonly floor: number;
  /** True when that span was a telephone number: "555 123 4567 or 12 345 678". */
  readonly isAfterPhone: boolean;
}

/** Consecutive groups that are tried as one number. */
interface Candidate {
  readonly groups: DigitGroups;
  readonly group: number;
  readonly count: number;
  readonly digits: number;
}

const isNanpPart = (groups: DigitGroups, group: number): boolean =>
  groups.text.charCodeAt(groups.starts[group]!) >= 0x32;

/**
 * Number of groups of a North American number (3-3-4, 3-7 after a parenthesis, optional leading 1) from `group` on; 0
 * if it is not one. If only blanks separate the groups, area code and exchange must be valid, because tables of numbers
 * look similar.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the shapes of a number as the plan has them, each with its way out
function countNanpGroups(groups: DigitGroups, group: number): number {
  const length = groupLength(groups, group);
  if (length !== 1 && length !== 3) return 0;
  const begin = groups.starts[group]!;
  const isPrefix =
    groups.text.charCodeAt(groups.ends[group]! - 1) === 0x31 && (length === 1 || groups.text.startsWith("001", begin));
  const first = isPrefix ? group + 1 : group;
  if (first >= groups.starts.length || groupLength(groups, first) !== 3) return 0;
  const separator = separatorAfter(groups, first);
  if (groupLength(groups, first + 1) === 7)
    return separator.includes(")") && isNanpPart(groups, first) ? first + 2 - group : 0;
  if (groupLength(groups, first + 1) !== 3 || groupLength(groups, first + 2) !== 4) return 0;
  const isSpaced = separator.trim() === "" && separatorAfter(groups, first + 1).trim() === "";
  return isSpaced && !(isNanpPart(groups, first) && isNanpPart(groups, first + 1)) ? 0 : first + 3 - group;
}

/** True if two or more blanks follow the group. */
function isColumnGap(groups: DigitGroups, group: number): boolean {
  return groups.starts[group + 1]! - groups.ends[group]! > 1 && separatorAfter(groups, group).includes("  ");
}

/**
 * Maximum groups from `group` on that one number may have; two blanks separate columns and end it, except for an
 * international number.
 */
function longestCandidate(groups: DigitGroups, group: number, hasPlus: boolean): Candidate {
  let count = 0;
  let digits = 0;
  while (count < MAX_GROUPS && group + count < groups.starts.length) {
    const length = groupLength(groups, group + count);
    if (digits + length > MAX_DIGITS || (count > 0 && !hasPlus && isColumnGap(groups, group + count - 1))) break;
    digits += length;
    count++;
  }
  return { groups, group, count, digits };
}

const within = (value: number, low: number, high: number): boolean => value >= low && value <= high;

/** True if the groups begin like a date: 31.12.1999, 1999-12-31, 12/31/99. */
function beginsDate({ groups, group, count }: Candidate): boolean {
  if (count < 3) return false;
  const separator = separatorAfter(groups, group);
  // A fourth group with the same separator indicates French pairs: 02.27.96.63.08.
  if (count > 3 && separator !== " " && separatorAfter(groups, group + 2) === separator) return false;
  if (separator !== separatorAfter(groups, group + 1) || !["-", "/", ".", " "].includes(separator)) return false;
  const lengths = [0, 1, 2].map((i) => groupLength(groups, group + i));
  const values = [0, 1, 2].map((i) => Number(digitsOf(groups, group + i, 1)));
  const isYearFirst =
    lengths[0] === 4 && within(values[0]!, 1900, 2099) && within(values[1]!, 1, 12) && within(values[2]!, 1, 31);
  const isDayFirst = within(values[0]!, 1, 31) && within(values[1]!, 1, 31) && lengths[0]! <= 2 && lengths[1]! <= 2;
  return (
    isYearFirst ||
    (isDayFirst && ((lengths[2] === 4 && within(values[2]!, 1900, 2099)) || (lengths[2] === 2 && separator !== " ")))
  );
}

/** True for one number with decimals, or with decimals in its last group. */
function isDecimal({ groups, group, count }: Candidate): boolean {
  return count === 2 && separatorAfter(groups, group) === "." && groupLength(groups, group + 1) < 4;
}

/** National number with its trunk 0 (`0487 23 46 71`, `06-10446904`): one kind of separator, no second 0. */
function isNational({ groups, group, count, digits }: Candidate): boolean {
  if (count < 2 || count > 5 || !within(digits, MIN_DIGITS_NATIONAL, MAX_DIGITS_NATIONAL)) return false;
  const { text, starts } = groups;
  const start = starts[group]!;
  if (text[start] !== "0" || text[start + 1] === "0" || !within(groupLength(groups, group), 2, 5)) return false;
  const separator = separatorAfter(groups, group);
  for (let g = group; g < group + count - 1; g++) if (separatorAfter(groups, g) !== separator) return false;
  return true;
}

/** Group lengths of a Russian number with its trunk 8: `8-800-555-35-35`, `8 (495) 123-45-67`. */
const RUSSIAN_SHAPE = [1, 3, 3, 2, 2];

function isRussian({ groups, group, count }: Candidate): boolean {
  return (
    count === RUSSIAN_SHAPE.length &&
    groups.text[groups.starts[group]!] === "8" &&
    RUSSIAN_SHAPE.every((length, index) => groupLength(groups, group + index) === length)
  );
}

/** An area code in parentheses followed by the rest of a number: `(07) 5331 0577`, `(11) 4706-6184`. */
function hasAreaInParentheses({ groups, group, count, digits }: Candidate): boolean {
  const { text, starts } = groups;
  if (text[starts[group]! - 1] !== "(" || !separatorAfter(groups, group).startsWith(")")) return false;
  const area = groupLength(groups, group);
  return within(area, 2, 4) && within(digits - area, 6, 8) && within(count, 2, 4);
}

function hasPhoneShape(candidate: Candidate, hasPlus: boolean): boolean {
  const { groups, group, count, digits } = candidate;
  if (hasPlus) return within(digits, MIN_DIGITS_INTERNATIONAL, MAX_DIGITS);
  const isZeroFirst = groups.text[groups.starts[group]!] === "0";
  if (isZeroFirst && count >= 3 && digits >= 10 && /^(?:00|011)[1-9]/.test(digitsOf(groups, group, 2))) return true;
  return isNational(candidate) || hasAreaInParentheses(candidate) || isRussian(candidate);
}

/** The longest number of any shape that begins with a group and that another number follows in a list. */
function firstOfList(groups: DigitGroups, group: number): Candidate | undefined {
  return shapedNumbers(groups, group).findLast(({ count }) => shapedNumbers(groups, group + count).length > 0);
}

/** The numbers that can begin with a group: in parentheses or with a 0. The shortest first. */
function shapedNumbers(groups: DigitGroups, group: number): readonly Candidate[] {
  const { text, starts } = groups;
  const found: Candidate[] = [];
  if (text[starts[group]!] !== "0" && text[starts[group]! - 1] !== "(") return found;
  let digits = 0;
  for (let count = 1; count <= MAX_GROUPS && group + count <= starts.length; count++) {
    digits += groupLength(groups, group + count - 1);
    if (digits > MAX_DIGITS) break;
    const candidate = { groups, group, count, digits };
    if (hasPhoneShape(candidate, false)) found.push(candidate);
  }
  return found;
}

/** True if the number continues a list that the previous phone number began. */
function continuesList(text: string, start: number, context: PhoneContext): boolean {
  if (!context.isAfterPhone || start - context.floor > 8) return false;
  return /^ ?(?:[/&]|or|and|o|und|oder|ou|et|y)[ (+]*$/.test(text.slice(context.floor, start));
}

function hasCue(candidate: Candidate, start: number, context: PhoneContext): boolean {
  if (candidate.digits < MIN_DIGITS_CUED || isDecimal(candidate)) return false;
  const { groups, group, count } = candidate;
  const { text } = groups;
  const bare = count === 1 && candidate.digits < 7;
  if (bare) return false;
  if (hasCueBefore(text, start, { floor: context.floor, cues: PHONE_CUES }) || continuesList(text, start, context))
    return true;
  return cueAfter(text, endWithExtension(text, groups.ends[group + count - 1]!));
}

/** Words before an extension, in the languages of the keywords. */
const EXTENSION =
  /^[ ,;]{0,2}(\()?(?:(?:extension|extn|ext|x|durchwahl|dw|nebenstelle|poste|interno|anexo|toestel)[.:=]? ?|# ?)(\d{1,7})(?![\w@])/i;
/** Characters after a number that can contain its extension. */
const EXTENSION_REACH = 28;

/** Matches `x123`, `ext. 123`, `(extension 123)`, `;ext=123` (RFC 3966 section 3) and `#123` after the number. */
function endWithExtension(text: string, end: number): number {
  // In most cases another group of digits follows, for which no pattern is needed.
  if (hasClass(text.charCodeAt(end + 1), DIGIT) && hasClass(text.charCodeAt(end), SEPARATOR)) return end;
  const found = EXTENSION.exec(text.slice(end, end + EXTENSION_REACH));
  if (found === null || found[2]!.length > MAX_EXTENSION) return end;
  const last = end + found[0].length;
  return found[1] !== undefined && text[last] === ")" ? last + 1 : last;
}

/**
 * Further numbers of which only the last digits are written: `/7001`, `or 7001`, `, 1235 and 1236`. A longer number
 * after them is a number of its own.
 */
const OTHER_ENDINGS =
  /^(?:(?:\/\d{1,4}){1,8}|(?:, ?-?\d{4}){0,4},? ?(?:[/&]|or|and|und|oder|ou|et|y|o) ?-?\d{4})(?![\w@%]|[.,:/-]\d| [(-]? ?\d)/i;
/** Characters after a number that can contain the endings of others. */
const ENDINGS_REACH = 48;

/** End of a telephone number with its extension and the endings of others. */
function endWithOthers(text: string, end: number): number {
  const last = endWithExtension(text, end);
  return last + (OTHER_ENDINGS.exec(text.slice(last, last + ENDINGS_REACH))?.[0].length ?? 0);
}

/** Start of the number with its "(", "+" or "(+" in front. */
function startWithPrefix(text: string, start: number, floor: number): number {
  let first = start;
  if (first > floor && text[first - 1] === "(") first--;
  if (first > floor && text[first - 1] === "+") {
    first--;
    if (first > floor && text[first - 1] === "(") first--;
  }
  return first;
}

/** A number cannot begin inside a word, after a currency sign, or as the decimals of another. */
function beginsPhone(text: string, start: number, floor: number): boolean {
  if (start <= floor) return true;
  return beginsNumber(text, start, floor) && !"$€£¥".includes(text[start - 1]!);
}

function endsPhone(text: string, end: number): boolean {
  const after = text.charCodeAt(end);
  if (isWordCharacter(after) || after === 0x25) return false;
  return !(after === 0x2e && hasClass(text.charCodeAt(end + 1), DIGIT));
}

/** A word without a blank next to a North American number: `Ann713-555-0123`, `713-555-0123And`. */
const RUN_ON_BEFORE = /^\p{L}\p{Ll}$/u;
const RUN_ON_AFTER = /^\p{L}\p{Ll}{2}/u;

/** True if a comma joins the digits to another number, as in `1,234,567.89` and `555,00`. */
function isPartOfDecimal(text: string, start: number, end: number, floor: number): boolean {
  if (start > floor && text[start - 1] === "," && followsDigit(text, start - 1, floor)) return true;
  return text[end] === "," && hasClass(text.charCodeAt(end + 1), DIGIT);
}

/** The span without a "(" that closes only after the number: it belongs to the sentence. */
function wholeSpan(text: string, start: number, end: number): Span {
  const isOpen = text[start] === "(" && !text.slice(start, end).includes(")");
  return { start: isOpen ? start + 1 : start, end };
}

/** A number of North American shape, or null. @param begins false if something else touches its start */
function matchNorthAmerican(groups: DigitGroups, group: number, start: number, begins: boolean): Span | null {
  const { text } = groups;
  const count = countNanpGroups(groups, group);
  if (count === 0 || !(begins || RUN_ON_BEFORE.test(text.slice(Math.max(0, start - 2), start)))) return null;
  const end = endWithOthers(text, groups.ends[group + count - 1]!);
  return endsPhone(text, end) || RUN_ON_AFTER.test(text.slice(end, end + 3)) ? wholeSpan(text, start, end) : null;
}

/**
 * A telephone number that begins with the given group, or null: North American shape, international, national with its
 * 0, or after a cue.
 */
export function matchPhone(groups: DigitGroups, group: number, context: PhoneContext): Span | null {
  const { text } = groups;
  const digitStart = groups.starts[group]!;
  if (
    groupLength(groups, group) > MAX_DIGITS ||
    (group > 0 && groups.ends[group - 1]! > context.floor && isInsideNumber(groups, group))
  )
    return null;
  const start = startWithPrefix(text, digitStart, context.floor);
  const begins = beginsPhone(text, start, context.floor);
  const northAmerican = matchNorthAmerican(groups, group, start, begins);
  if (northAmerican !== null || !begins) return northAmerican;
  const hasPlus = text.slice(start, digitStart).includes("+");
  const candidate = (hasPlus ? undefined : firstOfList(groups, group)) ?? longestCandidate(groups, group, hasPlus);
  if (candidate.count === 0) return null;
  if (!hasPhoneShape(candidate, hasPlus) && !hasCue(candidate, start, context)) return null;
  if (beginsDate(candidate)) return null;
  const end = endWithOthers(text, groups.ends[group + candidate.count - 1]!);
  return endsPhone(text, end) && !isPartOfDecimal(text, start, end, context.floor) ? wholeSpan(text, start, end) : null;
}

/** True if a full stop or hyphen joins the group to the previous one: the number began earlier. */
function isInsideNumber(groups: DigitGroups, group: number): boolean {
  const separator = separatorAfter(groups, group - 1);
  return separator === "." || separator === "-";
}
