import type { Instant } from "../../mail/dates/instant.ts";

/** `Mon, 23 Apr 2001 12:41:00 -0700 (PDT)`: how nearly all mail writes a date (RFC 5322 section 3.3). */
const STANDARD_DATE =
  /^(?:[A-Z][a-z][a-z], {1,2})?(\d{1,2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4}) ([01]\d|2[0-3]):([0-5]\d):([0-5]\d) ([+-])(0\d|1[0-3])([0-5]\d)(?: \([A-Za-z]{1,5}\))?$/;
const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
/** Earlier years are mistakes that have rules of their own. */
const FIRST_YEAR = 1970;
/** A day that every month has. */
const LAST_DAY = 28;
const MINUTE_MS = 60_000;

/** The instant of a date in the standard form; null for every other text, which may be a date as well. */
export function standardDate(text: string): Instant | null {
  const match = STANDARD_DATE.exec(text);
  if (match === null) return null;
  const day = Number(match[1]);
  const month = MONTHS.indexOf(match[2]!) / 3;
  const year = Number(match[3]);
  const instant = Date.UTC(year, month, day, Number(match[4]), Number(match[5]), Number(match[6]));
  if (year < FIRST_YEAR || day < 1 || (day > LAST_DAY && new Date(Date.UTC(year, month, day)).getUTCDate() !== day))
    return null;
  const offset = Number(match[8]) * 60 + Number(match[9]);
  return instant + (match[7] === "-" ? offset : -offset) * MINUTE_MS;
}
