import type { Instant } from "../../mail/dates/instant.ts";

/** `Mon, 23 Apr 2001 12:41:00 -0700 (PDT)`: how nearly all mail writes a date (RFC 5322 section 3.3). */
const STANDARD_DATE =
  /^(?:[A-Z][a-z][a-z], {1,2})?(\d{1,2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4}) ([01]\d|2[0-3]):([0-5]\d):([0-5]\d) ([+-])(0\d|1[0-3])([0-5]\d)(?: \([A-Za-z]{1,5}\))?$/;
/** `Mon Apr 23 12:41:00 2001`: the format of C's asctime and of list archives, in UTC unless a zone is given. */
const ASCTIME =
  /^(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) ([ 1-3]\d) ([01]\d|2[0-3]):([0-5]\d):([0-5]\d) (\d{4})$/;
const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
/** Earlier years are mistakes, which other rules handle. */
const FIRST_YEAR = 1970;
/** A day that every month has. */
const LAST_DAY = 28;
const MINUTE_MS = 60_000;
const ASCTIME_LENGTH = 24;

/** The instant of a date in one of these two forms; null for other text, which may still be a date. */
export function standardDate(text: string): Instant | null {
  const match = STANDARD_DATE.exec(text);
  if (match === null) return asctimeDate(text);
  const local = instantOf(match[3]!, match[2]!, match[1]!, match.slice(4, 7));
  if (local === null) return null;
  const offset = Number(match[8]) * 60 + Number(match[9]);
  return local + (match[7] === "-" ? offset : -offset) * MINUTE_MS;
}

function asctimeDate(text: string): Instant | null {
  const match = text.length === ASCTIME_LENGTH ? ASCTIME.exec(text) : null;
  return match === null ? null : instantOf(match[6]!, match[1]!, match[2]!, match.slice(3, 6));
}

function instantOf(year: string, monthName: string, dayOfMonth: string, time: readonly string[]): Instant | null {
  const day = Number(dayOfMonth);
  const month = MONTHS.indexOf(monthName) / 3;
  if (Number(year) < FIRST_YEAR || day < 1) return null;
  const [hours, minutes, seconds] = time.map(Number);
  const instant = Date.UTC(Number(year), month, day, hours, minutes, seconds);
  return day > LAST_DAY && new Date(instant).getUTCDate() !== day ? null : instant;
}
