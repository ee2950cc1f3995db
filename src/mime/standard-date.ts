import type { Instant } from "../mail/instant.ts";

const SPACE = 0x20;
const COLON = 0x3a;
const ZERO = 0x30;

/** Three letters as one number, in lower case. */
function wordKey(text: string, at: number): number {
  return ((text.charCodeAt(at) | 0x20) << 16) | ((text.charCodeAt(at + 1) | 0x20) << 8) | (text.charCodeAt(at + 2) | 0x20);
}

const WEEKDAYS: ReadonlySet<number> = new Set(["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map((name) => wordKey(name, 0)));

const MONTHS: ReadonlyMap<number, number> = new Map(
  ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"].map((name, month) => [wordKey(name, 0), month]),
);

/** Days of the months; the 29th of February is left to the full reader, which knows the years that have one. */
const MONTH_DAYS: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** Years that need no thought: no pivot, and inside of what an instant may be. */
const FIRST_YEAR = 1971;
const LAST_YEAR = 2099;
/** No place is further from Greenwich. */
const MAX_ZONE_HOURS = 13;

/**
 * Reads a date of the one form that nearly all mail has, `Tue, 1 Jul 2003 10:52:37 +0200 (CEST)`, by its characters. Null for any other, also
 * for dates of this form that need a second look: `parseDate` reads them all.
 */
export function standardDate(text: string): Instant | null {
  let at = 0;
  while (text.charCodeAt(at) === SPACE) at += 1;
  if (text.charCodeAt(at + 3) === 0x2c && text.charCodeAt(at + 4) === SPACE) {
    if (!WEEKDAYS.has(wordKey(text, at))) return null;
    at += 5;
  }
  const isShort = text.charCodeAt(at + 1) === SPACE;
  const day = isShort ? digitAt(text, at) : twoDigits(text, at);
  at += isShort ? 2 : 3;
  const month = MONTHS.get(wordKey(text, at));
  const year = twoDigits(text, at + 4) * 100 + twoDigits(text, at + 6);
  const isSpaced = text.charCodeAt(at - 1) === SPACE && text.charCodeAt(at + 3) === SPACE && text.charCodeAt(at + 8) === SPACE;
  if (month === undefined || !isSpaced || !(day >= 1 && day <= MONTH_DAYS[month]! && year >= FIRST_YEAR && year <= LAST_YEAR)) return null;
  const seconds = secondsAt(text, at + 9);
  const zoneMinutes = zoneAt(text, at + 17);
  if (Number.isNaN(seconds + zoneMinutes) || !isEndOrComment(text, at + 23)) return null;
  return Date.UTC(year, month, day) + seconds * 1000 - zoneMinutes * 60_000;
}

/** NaN when it is none. */
function digitAt(text: string, at: number): number {
  const digit = text.charCodeAt(at) - ZERO;
  return digit >= 0 && digit <= 9 ? digit : Number.NaN;
}

function twoDigits(text: string, at: number): number {
  return digitAt(text, at) * 10 + digitAt(text, at + 1);
}

/** Seconds of the day of `10:52:37`; NaN when it is none. */
function secondsAt(text: string, at: number): number {
  const hours = twoDigits(text, at);
  const minutes = twoDigits(text, at + 3);
  const seconds = twoDigits(text, at + 6);
  const isTime = text.charCodeAt(at + 2) === COLON && text.charCodeAt(at + 5) === COLON && hours <= 23 && minutes <= 59 && seconds <= 59;
  return isTime ? (hours * 60 + minutes) * 60 + seconds : Number.NaN;
}

/** Minutes east of Greenwich of ` +0200`; NaN when it is none. */
function zoneAt(text: string, at: number): number {
  const sign = text.charCodeAt(at + 1);
  const hours = twoDigits(text, at + 2);
  const minutes = twoDigits(text, at + 4);
  if (text.charCodeAt(at) !== SPACE || (sign !== 0x2b && sign !== 0x2d) || !(hours <= MAX_ZONE_HOURS && minutes <= 59)) return Number.NaN;
  return sign === 0x2d ? -(hours * 60 + minutes) : hours * 60 + minutes;
}

/** Nothing more, or ` (PDT)`: one comment of letters. */
function isEndOrComment(text: string, at: number): boolean {
  if (at >= text.length) return true;
  if (text.charCodeAt(at) !== SPACE || text.charCodeAt(at + 1) !== 0x28) return false;
  let end = at + 2;
  while (isLetter(text.charCodeAt(end))) end += 1;
  return text.charCodeAt(end) === 0x29 && end + 1 === text.length;
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
