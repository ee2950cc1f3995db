import { MINUTE_MS } from "../../mail/dates/instant.ts";
import { monthNumber } from "../../mail/dates/month-names.ts";

/** Maximum length of a date: the longest, with weekday, zone and the name of the zone, have about 80 characters. */
const MAX_DATE_LENGTH = 120;

/** Hour and minute, as `16:39`, `16h39`, `16時39分`, `16시 39분`; lastly the Danish and Finnish form `16.39`. */
const TIMES: readonly RegExp[] = [
  /(?<!\d)(\d{1,2}) ?[:h時点點시] ?(\d\d)(?!\d)/u,
  /(?<![\d.])(\d{1,2})\.(\d\d)(?![\d.])/u,
  /(?<=\b(?:kl\.?|klo|kello) )(\d{1,2})\.(\d\d)\.\d\d(?!\d)/u,
];
const AFTERNOON = /\d ?p\.? ?m\b|午後|下午|오후/u;
const MORNING = /\d ?a\.? ?m\b|午前|上午|오전/u;
const YEAR_FIRST = /(?<!\d)((?:19|20)\d\d) ?[-/.年년] ?(\d{1,2}) ?[-/.月월] ?(\d{1,2})(?!\d)/u;
const YEAR_LAST = /(?<!\d)(\d{1,2})[-/.] ?(\d{1,2})[-/.] ?((?:19|20)\d\d|\d\d)(?!\d)/u;
const MONTH_WORD = /\p{L}{3,}/gu;
/** A day, or a four-digit year. */
const NUMBER = /(?<!\d)\d{1,2}(?!\d)|(?<!\d)(?:19|20)\d\d(?!\d)/gu;
/** Two-digit years below this are of this century. */
const CENTURY_PIVOT = 70;

/**
 * Possible times of a quoted date, in minutes since 1970 with its clock read as UTC: programs write the local time of
 * the quoting user. Numeric days and months come in either order, so there may be two. Empty without a day or time.
 */
export function quotedMinutes(text: string): readonly number[] {
  const date = text.slice(0, MAX_DATE_LENGTH).toLowerCase();
  for (const pattern of TIMES) {
    const time = pattern.exec(date);
    if (time === null) continue;
    const minute = minuteOfDay(Number(time[1]), Number(time[2]), date);
    if (minute === null) continue;
    const rest = `${date.slice(0, time.index)} ${date.slice(time.index + time[0].length)}`;
    const days = daysOf(rest);
    if (days.length > 0) return days.map((day) => day / MINUTE_MS + minute);
  }
  return [];
}

/** Position of the time of day in a text, or null. */
export function timeWithin(text: string): { readonly start: number; readonly end: number } | null {
  for (const pattern of TIMES) {
    const time = pattern.exec(text);
    if (time !== null) return { start: time.index, end: time.index + time[0].length };
  }
  return null;
}

function minuteOfDay(hour: number, minute: number, date: string): number | null {
  if (hour > 24 || minute > 59) return null;
  const clock = hour < 12 && AFTERNOON.test(date) ? hour + 12 : hour === 12 && MORNING.test(date) ? 0 : hour;
  return clock * 60 + minute;
}

/** Possible starts of the day of a date without a time. */
function daysOf(date: string): readonly number[] {
  const iso = YEAR_FIRST.exec(date);
  if (iso !== null) return [dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))].filter((day) => day !== null);
  const figures = YEAR_LAST.exec(date);
  if (figures !== null) {
    const [one, other, year] = [Number(figures[1]), Number(figures[2]), fullYear(Number(figures[3]))];
    const both = [dayOf(year, one, other), dayOf(year, other, one)].filter((day) => day !== null);
    return both[0] === both[1] ? both.slice(0, 1) : both;
  }
  const day = spelledDay(date);
  return day === null ? [] : [day];
}

/**
 * `Monday, May 14, 2001`, `14. Mai 2001`, `14 de mayo de 2001`, `14-May-01`. Of two month names the last counts: `mar.`
 * may also be a Tuesday.
 */
function spelledDay(date: string): number | null {
  let month = 0;
  for (const [word] of date.matchAll(MONTH_WORD)) month = monthNumber(word) || month;
  if (month === 0) return null;
  const numbers = [...date.matchAll(NUMBER)].map(([digits]) => Number(digits));
  const year = numbers.find((number) => number > 99);
  const short = numbers.filter((number) => number <= 99);
  const day = short[0];
  if (day === undefined) return null;
  if (year !== undefined) return dayOf(year, month, day);
  return short[1] === undefined ? null : dayOf(fullYear(short[1]), month, day);
}

function fullYear(year: number): number {
  return year > 99 ? year : year < CENTURY_PIVOT ? 2000 + year : 1900 + year;
}

/** Null for a day that the month does not have. */
function dayOf(year: number, month: number, day: number): number | null {
  const instant = Date.UTC(year, month - 1, day);
  return month >= 1 && month <= 12 && day >= 1 && new Date(instant).getUTCMonth() === month - 1 ? instant : null;
}
