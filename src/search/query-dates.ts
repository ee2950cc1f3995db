import { type Instant, parseInstant } from "../mail/instant.ts";

/** First and last instant that a date of a query stands for. */
export interface DateSpan {
  readonly first: Instant;
  readonly last: Instant;
}

const CALENDAR_DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;

interface CalendarDate {
  readonly year: number;
  readonly monthIndex: number;
  readonly day: number;
}

function utcDay(year: number, monthIndex: number, day: number): Instant {
  const date = new Date(0);
  // Date.UTC takes the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(year, monthIndex, day);
  return date.getTime();
}

/**
 * Reads `2001`, `2001-05`, `2001-05-14` (whole UTC years, months, days) and full ISO 8601 date-times with zone; null
 * for anything else, 30 February included.
 */
export function parseDateSpan(text: string): DateSpan | null {
  const match = CALENDAR_DATE.exec(text);
  if (match === null) {
    const instant = parseInstant(text);
    return instant === null ? null : { first: instant, last: instant };
  }
  const year = Number(match[1]);
  const monthIndex = Number(match[2] ?? 1) - 1;
  const day = Number(match[3] ?? 1);
  const first = utcDay(year, monthIndex, day);
  // Months and days that are not in the calendar would be those of another month.
  if (new Date(first).getUTCMonth() !== monthIndex) return null;
  return { first, last: firstAfter(match, { year, monthIndex, day }) - 1 };
}

/** The day after that day, month or year. */
function firstAfter([, , month, day]: RegExpExecArray, date: CalendarDate): Instant {
  if (month === undefined) return utcDay(date.year + 1, 0, 1);
  if (day === undefined) return utcDay(date.year, date.monthIndex + 1, 1);
  return utcDay(date.year, date.monthIndex, date.day + 1);
}
