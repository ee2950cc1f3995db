import { EARLIEST_INSTANT, type Instant, LATEST_INSTANT } from "../../mail/dates/instant.ts";
import { monthNumber } from "../../mail/dates/month-names.ts";
import { HYPHEN, isDigit, PLUS } from "../../mail/words/ascii.ts";
import { offsetOfZone, splitZoneName } from "./date-zones.ts";
import { decodeHeaderText } from "./encoded-words.ts";
import { inferNumericDay, weekdayOf } from "./numeric-day.ts";
import { withoutComments } from "./parameters.ts";
import { standardDate } from "./standard-date.ts";

const ENGLISH_MONTHS = "january february march april may june july august september october november december".split(
  " ",
);

/** A longer Date field is not a date. */
const MAX_DATE_LENGTH = 400;
/** Maximum words of a date. */
const MAX_WORDS = 16;
/** Two-digit years below this are of this century (RFC 5322 4.3 says 50). */
const CENTURY_PIVOT = 50;
/** Maximum offset from UTC; larger ones are invalid and read as UTC. */
const MAX_ZONE_MINUTES = 14 * 60;

/** The month whose short name is also Tuesday in Spanish, French, Italian and Romanian. */
const MARCH_OR_TUESDAY = "mar";
/** Words of three letters and more between the day, the month and the year of some languages. */
const CONNECTIVES: ReadonlySet<string> = new Set(["del", "den", "the"]);

interface DateFields {
  /** Numbers other than time and zone, in order: day and year, sometimes month. */
  readonly numbers: number[];
  readonly digits: number[];
  /** The separator in a numeric date; "" if there is none. */
  separator: string;
  /** 0 for Sunday; null when the first word is not a weekday. */
  weekday: number | null;
  month: number;
  /** True while the name of the month may be that of a weekday. */
  mayBeTuesday: boolean;
  /** True if a word between the day and the time may be a month in an unknown language. */
  hasUnknownName: boolean;
  seconds: number;
  zoneMinutes: number | null;
  isAfternoon: boolean | null;
}

/**
 * Parses a Date field, including obsolete and broken forms: 2 and 3 digit years, named zones, `--0700`, `10.25.13`,
 * second 60, asctime, ISO 8601, numeric months, and month names of every language in `mail/dates/month-names.ts`. Null
 * if it is unreadable or ambiguous; never the current time.
 * @param near when the message was received, which resolves numeric dates; null if unknown
 */
export function parseDate(field: string, near: Instant | null = null): Instant | null {
  return standardDate(field) ?? epochDate(field) ?? zonedDate(field, near) ?? freeDate(field, near);
}

/** Seconds or milliseconds since 1970, from 1980 on: programs that forgot to format the time. */
const EPOCH = /^([3-9]\d{8}|[1-3]\d{9})(?:\d{3})?$/;

function epochDate(field: string): Instant | null {
  const match = EPOCH.exec(field);
  return match === null ? null : Number(match[1]) * 1000;
}

const OFFSET_AT_END = /(?:[+-]\d\d:?\d\d|\dz)$/i;

function lastWord(text: string): string {
  return text.slice(text.lastIndexOf(" ") + 1).toLowerCase();
}

function zonedDate(field: string, near: Instant | null): Instant | null {
  const zoned = splitZoneName(field);
  if (zoned === null) return null;
  // An offset before the name takes precedence.
  const hasOffset = OFFSET_AT_END.test(zoned.written) || offsetOfZone(lastWord(zoned.written)) !== undefined;
  const local = freeDate(zoned.written, near);
  return local === null || hasOffset ? local : zoned.clock.instantOf(local);
}

/** A date in any other form. */
function freeDate(field: string, near: Instant | null): Instant | null {
  const text = field.length > MAX_DATE_LENGTH ? field.slice(-MAX_DATE_LENGTH) : field;
  const dated = text.includes("(") ? withoutComments(text) : text;
  // A relay hop without a date, with and without a host name.
  if (!/\d/.test(dated)) return null;
  const words = plainForm(dated)
    .split(/[\s,]+/)
    .filter((word) => word !== "");
  if (CROATIAN_WEEKDAY.test(words[0] ?? ""))
    words.forEach((word, at) => {
      words[at] = CROATIAN_MONTHS.get(withoutPoint(word)) ?? word;
    });
  const fields: DateFields = {
    numbers: [],
    digits: [],
    separator: "",
    weekday: weekdayOf(words[0] ?? ""),
    month: 0,
    mayBeTuesday: false,
    hasUnknownName: false,
    seconds: -1,
    zoneMinutes: null,
    isAfternoon: null,
  };
  for (let at = 0; at < Math.min(words.length, MAX_WORDS); at++) readWord(words[at]!, at, fields);
  return instantOf(fields, near);
}

/** Weekdays that are not also Polish or Czech. */
const CROATIAN_WEEKDAY = /^(?:uto|sri|čet|pet|sub|ned)/;
/** Names of months that are those of other months in Polish and Czech. */
const CROATIAN_MONTHS: ReadonlyMap<string, string> = new Map([
  ["lip", "june"],
  ["srp", "july"],
  ["lis", "october"],
  ["listopad", "october"],
  ["listopada", "october"],
]);

/** Rare spellings, with the usual ones. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  // `09 : 55 : 06` (RFC 5322 A.6.3, without its comments).
  [/(\d) {0,9}: {0,9}(?=\d)/g, "$1:"],
  [/(\d)h(?=\d\d)/g, "$1:"], // French: `10h30`.
  [/\b([ap])(?:\. ?m\b\.?| m\.)/g, "$1m"],
  // The year 2024 as `19124`, `02024` or `'24`.
  [/\b(?:19(?=1\d\d\b)|0(?=(?:19|20)\d\d\b))|'(?=\d\d\b)/g, ""],
  [/上午|午前|오전/g, " am "],
  [/下午|午後|오후/g, " pm "],
  [/(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]/g, " $1/$2/$3 "],
  // Vietnamese: `Th 3, 3 Thg 3 2020`, a Tuesday.
  [/^ ?(?:th|thứ) \d{1,2},? /, " "],
  [/(?:thg|tháng) ?(\d{1,2})/g, "$1月"],
  // Hebrew: `3 במרץ 2020`.
  [/ ב(?=[\u05d0-\u05ea]{3})/g, " "],
  [/[،־]/g, " "],
  [/(\d) ?[時时點点시] ?(\d\d) ?[分분](?: ?(\d\d) ?[秒초])?/g, "$1:$2 "],
];

/** Features of these formats, encoded words and 8-bit text that other dates lack. */
const RARE_SPELLING = /[^\0-\x7f]|=\?| :|: |\dh\d|[ap]\. ?m|[ap] m\.|thg|\b\d{5}\b|'\d/;
/** The zeros of other scripts: Arabic, Persian, Indian, Thai, and the wide ones of Chinese and Japanese. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x0e50, 0xff10] as const;
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u0e50-\u0e59\uff10-\uff19]/g;

function withoutOtherDigits(text: string): string {
  return text.replace(OTHER_DIGITS, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - ZEROS.findLast((zero) => zero <= code)!);
  });
}

const THAI = /[\u0e01-\u0e4e]/;
/** A year of the Buddhist era, used by Thai programs. */
const THAI_YEAR = /\b2[456]\d\d\b/g;
const BUDDHIST_LEAD = 543;

function plainForm(text: string): string {
  const lower = text.toLowerCase();
  if (!RARE_SPELLING.test(lower)) return lower;
  const decoded = withoutOtherDigits(
    decodeHeaderText(text)
      .toLowerCase()
      .replace(/[\t-\r\xa0\u200e\u200f]/g, " "),
  );
  const dated = THAI.test(decoded) ? decoded.replace(THAI_YEAR, (year) => `${Number(year) - BUDDHIST_LEAD}`) : decoded;
  return SPELLINGS.reduce((form, [pattern, usual]) => form.replace(pattern, usual), dated);
}

/** The date of a Received field: what follows its last ";" (RFC 5322 3.6.7). */
export function parseReceivedDate(field: string): Instant | null {
  return parseDate(field.slice(field.lastIndexOf(";") + 1).trim());
}

/** @param position number of the word in the field; words within a word have that of the whole. */
function readWord(word: string, position: number, fields: DateFields): void {
  const first = word.charCodeAt(0);
  if (isDigit(first)) readNumeric(word, position, fields);
  else if (first === PLUS || first === HYPHEN) readOffset(word, fields);
  else readName(word, position, fields);
}

/** `19990131`, `19990131t101500z` (ISO 8601, basic format), `19990131101500`. */
const COMPACT = /^((?:19|20)\d\d)(\d\d)(\d\d)(?:t?(\d\d)(\d\d)(\d\d)(.{0,12}))?$/;

const COMPACT_LENGTH = "19990131".length;

function readNumeric(word: string, position: number, fields: DateFields): void {
  const compact = word.length < COMPACT_LENGTH ? null : COMPACT.exec(word);
  if (compact !== null) {
    readDashed(compact.slice(1, 4).join("-"), position, fields);
    if (compact[4] !== undefined)
      readIsoTime(`${compact[4]}:${compact[5]}:${compact[6]}${compact[7]}`, position, fields);
    return;
  }
  const iso = word.indexOf("t");
  if (iso > 0 && word.includes(":", iso) && word.includes("-")) {
    readDashed(word.slice(0, iso), position, fields);
    readIsoTime(word.slice(iso + 1), position, fields);
    return;
  }
  if (word.includes(":") || isDottedTime(word, fields)) readTime(word, position, fields);
  else if (word.includes("-") || word.includes("/") || word.includes(".")) readDashed(word, position, fields);
  else if (isUnsignedOffset(word, fields)) readOffset(word, fields);
  else pushNumber(word, fields);
}

/** `12:31:00 0200`: a zone without its sign, after a complete date. */
function isUnsignedOffset(word: string, { seconds, month, numbers }: DateFields): boolean {
  return seconds >= 0 && numbers.length >= (month > 0 ? 2 : 3) && /^[01]\d[0-5]\d$/.test(word);
}

function isDottedTime(word: string, fields: DateFields): boolean {
  return (
    fields.seconds < 0 && /^\d{1,2}\.\d{2}(\.\d{2})?$/.test(word) && (fields.month > 0 || fields.numbers.length >= 3)
  );
}

function pushNumber(word: string, fields: DateFields): void {
  const digits = /^\d{1,4}/.exec(word)?.[0] ?? "";
  const suffix = word.slice(digits.length);
  if (suffix === "月" || suffix === "월") {
    fields.month = Number(digits);
    return;
  }
  if (suffix === "am" || suffix === "pm") fields.isAfternoon = suffix === "pm";
  else if (suffix !== "" && !/^(st|nd|rd|th)$/.test(suffix)) return;
  fields.numbers.push(Number(digits));
  fields.digits.push(digits.length);
}

/** `01-Jul-2003`, `2003-07-01`, `7/1/2003`, `1.7.2003`. */
function readDashed(word: string, position: number, fields: DateFields): void {
  const parts = word.split(/[-/.]/, 4);
  for (const part of parts) {
    if (/^\d/.test(part)) pushNumber(part, fields);
    else readName(part, position, fields);
  }
  if (parts.length === 3 && fields.numbers.length === 3) fields.separator = /[-/.]/.exec(word)![0];
}

function readIsoTime(text: string, position: number, fields: DateFields): void {
  const zoneAt = text.search(/[z+-]/);
  readTime(zoneAt < 0 ? text : text.slice(0, zoneAt), position, fields);
  if (zoneAt >= 0) readWord(text.slice(zoneAt), position, fields);
}

function readTime(word: string, position: number, fields: DateFields): void {
  if (fields.seconds >= 0) return;
  const match = /^(\d{1,2})[:.](\d{1,2})(?:[:.](\d{1,2}))?(?:[.,]\d{1,9})?(am|pm)?/.exec(word);
  if (match === null) return;
  const [whole, hour, minute, second, half] = match;
  if (Number(hour) > 24 || Number(minute) > 59) return;
  // 60 is a leap second (RFC 5322 3.3); more are an error that leaves hour and minute valid.
  fields.seconds = Number(hour) * 3600 + Number(minute) * 60 + Math.min(60, Number(second ?? 0));
  if (half !== undefined) fields.isAfternoon = half === "pm";
  const rest = word.slice(whole.length);
  if (rest !== "") readWord(rest, position, fields);
}

/** `+0200`, `-600`, `+02:00`, `--0700`. */
function readOffset(word: string, fields: DateFields): void {
  if (fields.zoneMinutes !== null) return;
  const isWest = word.startsWith("-");
  // `+00100` has one zero too many.
  const digits = word.replace(/[^0-9]/g, "").replace(/^0(?=\d{4}$)/, "");
  if (digits === "" || digits.length > 4) return;
  const hours = Number(digits.length <= 2 ? digits : digits.slice(0, -2));
  const minutes = digits.length <= 2 ? 0 : Number(digits.slice(-2));
  const offset = hours * 60 + minutes;
  fields.zoneMinutes = offset > MAX_ZONE_MINUTES || minutes > 59 ? 0 : isWest ? -offset : offset;
}

function readName(word: string, position: number, fields: DateFields): void {
  const month = monthOf(word);
  if (month > 0 && (fields.month === 0 || (fields.mayBeTuesday && fields.seconds < 0))) {
    fields.mayBeTuesday = fields.month === 0 && position === 0 && withoutPoint(word) === MARCH_OR_TUESDAY;
    fields.month = month;
    return;
  }
  if (word === "am" || word === "pm") {
    fields.isAfternoon = word === "pm";
    return;
  }
  if (fields.seconds < 0 && fields.numbers.length > 0 && /^\p{L}{3}/u.test(word) && !CONNECTIVES.has(word))
    fields.hasUnknownName = true;
  if (fields.zoneMinutes !== null || fields.seconds < 0) return;
  const sign = word.search(/[+-]/);
  if (sign > 0) {
    readOffset(word.slice(sign), fields);
    return;
  }
  const letters = /^[a-z]+/.exec(word)?.[0] ?? "";
  const zone = offsetOfZone(letters) ?? offsetOfZone(word);
  if (zone !== undefined) fields.zoneMinutes = zone;
}

function monthOf(word: string): number {
  const name = withoutPoint(word.startsWith("d'") || word.startsWith("d’") ? word.slice(2) : word);
  const month = monthNumber(name);
  return month > 0 || name.length < 3 ? month : ENGLISH_MONTHS.findIndex((english) => english.startsWith(name)) + 1;
}

/** Points and the Hebrew geresh mark abbreviations. */
function withoutPoint(word: string): string {
  return word.endsWith(".") || word.endsWith("׳") ? word.slice(0, -1) : word;
}

function instantOf(fields: DateFields, near: Instant | null): Instant | null {
  const date = dayMonthYear(fields, near);
  if (date === null) return null;
  const [day, month, year] = date;
  const instant = new Date(0);
  instant.setUTCFullYear(year, month - 1, day);
  // A day the month does not have would roll over into the next month.
  if (month < 1 || month > 12 || instant.getUTCDate() !== day || instant.getUTCMonth() !== month - 1) return null;
  const milliseconds = instant.getTime() + secondsOfDay(fields) * 1000 - (fields.zoneMinutes ?? 0) * 60_000;
  return milliseconds >= EARLIEST_INSTANT && milliseconds <= LATEST_INSTANT ? milliseconds : null;
}

function secondsOfDay(fields: DateFields): number {
  const seconds = Math.max(0, fields.seconds);
  const hour = Math.floor(seconds / 3600);
  if (fields.isAfternoon === true && hour < 12) return seconds + 12 * 3600;
  return fields.isAfternoon === false && hour === 12 ? seconds - 12 * 3600 : seconds;
}

function dayMonthYear(fields: DateFields, near: Instant | null): readonly [number, number, number] | null {
  const { numbers, digits, month, mayBeTuesday, hasUnknownName } = fields;
  if (month > 0 && !(mayBeTuesday && (numbers.length >= 3 || hasUnknownName))) {
    if (numbers.length < 2) return null;
    const isYearFirst = digits[0]! >= 3 && digits[1]! <= 2;
    const [day, year, yearDigits] = isYearFirst
      ? [numbers[1]!, numbers[0]!, digits[0]!]
      : [numbers[0]!, numbers[1]!, digits[1]!];
    return [day, month, fullYear(year, yearDigits)];
  }
  if (numbers.length < 3 || !isDayInFigures(fields)) return null;
  if (digits[0] === 4) return [numbers[2]!, numbers[1]!, numbers[0]!];
  const [one, other, last] = numbers as [number, number, number];
  const year = fullYear(last, digits[2]!);
  // Dates with points have the day first.
  if (fields.separator !== "/" && fields.separator !== "-") return [one, other, year];
  return inferNumericDay(one, other, year, { weekday: fields.weekday, near });
}

/** Numbers around a name in an unknown language, or without a time, are ambiguous. */
function isDayInFigures(fields: DateFields): boolean {
  return fields.seconds < 0 ? isWholeDay(fields) : !fields.hasUnknownName || fields.separator !== "";
}

/** True for a numeric day that may be a date without a time: it has a four-digit year. */
function isWholeDay({ digits, separator }: DateFields): boolean {
  return separator !== "" && digits.length === 3 && (digits[0] === 4 || digits[2] === 4);
}

/**
 * RFC 5322 4.3: two digits by the pivot, three digits are years since 1900. Four digits below 200 are the same with
 * zeros in front: programs that print such a year with `%04d` write `0001` or `0101` for 2001 (46 messages of the Enron
 * archive carry such dates), and nobody sent mail in year 1.
 */
function fullYear(year: number, digits: number): number {
  if (digits >= 4 && year >= 200) return year;
  if (digits === 3 || year >= 100) return year + 1900;
  return year < CENTURY_PIVOT ? year + 2000 : year + 1900;
}
