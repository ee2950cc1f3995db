import { type Instant, parseInstant } from "../mail/instant.ts";

/** First and last instant that a date of a query stands for. */
export interface DateSpan {
  readonly first: Instant;
  readonly last: Instant;
}

const CALENDAR_DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;

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
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: year, month and day, each of which may be missing or wrong
export function parseDateSpan(text: string): DateSpan | null {
  const match = CALENDAR_DATE.exec(text);
  if (match === null) {
    const instant = parseInstant(text);
    return instant === null ? null : { first: instant, last: instant };
  }
  const year = Number(match[1]);
  const month = match[2] === undefined ? null : Number(match[2]);
  const day = match[3] === undefined ? null : Number(match[3]);
  if (month !== null && (month < 1 || month > 12)) return null;
  const monthIndex = (month ?? 1) - 1;
  const first = utcDay(year, monthIndex, day ?? 1);
  if (day !== null && (day < 1 || new Date(first).getUTCMonth() !== monthIndex)) return null;
  const next =
    month === null
      ? utcDay(year + 1, 0, 1)
      : day === null
        ? utcDay(year, monthIndex + 1, 1)
        : utcDay(year, monthIndex, day + 1);
  return { first, last: next - 1 };
}
