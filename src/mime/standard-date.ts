import { DIGIT_0, HYPHEN, isAsciiLetter, PLUS, SPACE } from "../mail/ascii.ts";
import type { Instant } from "../mail/instant.ts";

/** The `a` of the form below. */
const ANY_LETTER = 0x61;

/** Three letters as one number, in lower case. */
function wordKey(text: string, start: number): number {
  let key = 0;
  for (let at = start; at < start + 3; at++) key = (key << 8) | text.charCodeAt(at) | 0x20;
  return key;
}

const WEEKDAYS: ReadonlySet<number> = new Set(
  ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map((name) => wordKey(name, 0)),
);

const MONTHS: ReadonlyMap<number, number> = new Map(
  ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"].map((name, month) => [
    wordKey(name, 0),
    month,
  ]),
);

/** Days of the months; the 29th of February is left to the full reader, which knows the years that have one. */
const MONTH_DAYS: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** Years that need no thought: no pivot, and inside of what an instant may be. */
const FIRST_YEAR = 1971;
const LAST_YEAR = 2099;
/** No place is further from Greenwich. */
const MAX_ZONE_HOURS = 13;

/**
 * What follows the day of the month: `0` stands for a digit, `a` for a letter, `+` for either sign, all else for
 * itself.
 */
const FORM = Buffer.from(" aaa 0000 00:00:00 +0000", "latin1");
const MONTH_AT = FORM.indexOf("a");
const SIGN_AT = FORM.indexOf("+");

/**
 * Reads a date of the one form that nearly all mail has, `Tue, 1 Jul 2003 10:52:37 +0200 (CEST)`, by its characters.
 * Null for any other, also for dates of this form that need a second look: `parseDate` reads them all.
 */
export function standardDate(text: string): Instant | null {
  let at = 0;
  while (text.charCodeAt(at) === SPACE) at++;
  if (text.charCodeAt(at + 3) === 0x2c && text.charCodeAt(at + 4) === SPACE) {
    if (!WEEKDAYS.has(wordKey(text, at))) return null;
    at += 5;
  }
  const dayLength = text.charCodeAt(at + 1) === SPACE ? 1 : 2;
  const day = numberAt(text, at, dayLength);
  at += dayLength;
  const digits = digitsOfForm(text, at);
  const month = MONTHS.get(wordKey(text, at + MONTH_AT));
  if (month === undefined || Number.isNaN(digits) || !isEndOrComment(text, at + FORM.length)) return null;
  const year = Math.floor(digits / 1e10);
  const seconds = secondsOf(Math.floor(digits / 1e4) % 1e6);
  const zone = minutesOf(digits % 1e4);
  if (seconds < 0 || zone < 0 || !(day >= 1 && day <= MONTH_DAYS[month]! && year >= FIRST_YEAR && year <= LAST_YEAR))
    return null;
  const isWest = text.charCodeAt(at + SIGN_AT) === HYPHEN;
  return Date.UTC(year, month, day) + seconds * 1000 - (isWest ? -zone : zone) * 60_000;
}

/** A number of so many digits; NaN when others are among them. */
function numberAt(text: string, start: number, length: number): number {
  let number = 0;
  for (let at = start; at < start + length; at++) number = number * 10 + digitOf(text.charCodeAt(at));
  return number;
}

/**
 * All digits of the form as one number, year to zone: exact, for they are 14. NaN when the text is not of that form.
 */
function digitsOfForm(text: string, start: number): number {
  let digits = 0;
  for (let at = 0; at < FORM.length; at++) {
    const code = text.charCodeAt(start + at);
    const wanted = FORM[at]!;
    if (wanted === DIGIT_0) digits = digits * 10 + digitOf(code);
    else if (wanted !== code && wanted !== ANY_LETTER && !(wanted === PLUS && code === HYPHEN)) return Number.NaN;
  }
  return digits;
}

function digitOf(code: number): number {
  return code >= DIGIT_0 && code <= DIGIT_0 + 9 ? code - DIGIT_0 : Number.NaN;
}

/** Seconds of the day of `105237`; -1 when it is no time. */
function secondsOf(clock: number): number {
  const seconds = clock % 100;
  const minutes = Math.floor(clock / 100) % 100;
  const hours = Math.floor(clock / 10_000);
  return hours <= 23 && minutes <= 59 && seconds <= 59 ? (hours * 60 + minutes) * 60 + seconds : -1;
}

/** Minutes of a zone `0200`; -1 when there is no such zone. */
function minutesOf(zone: number): number {
  const hours = Math.floor(zone / 100);
  const minutes = zone % 100;
  return hours <= MAX_ZONE_HOURS && minutes <= 59 ? hours * 60 + minutes : -1;
}

/** Nothing more, or ` (PDT)`: one comment of letters. */
function isEndOrComment(text: string, at: number): boolean {
  if (at >= text.length) return true;
  if (text.charCodeAt(at) !== SPACE || text.charCodeAt(at + 1) !== 0x28) return false;
  let end = at + 2;
  while (isAsciiLetter(text.charCodeAt(end))) end++;
  return text.charCodeAt(end) === 0x29 && end + 1 === text.length;
}
