/**
 * A point in time: milliseconds since 1970-01-01T00:00:00Z. A date that cannot be read is null, never "now" and never
 * 0.
 */
export type Instant = number;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** ISO 8601 with seconds and `Z`; null stays null. Years outside 0001…9999 cannot be written and are null. */
export function formatInstant(instant: Instant): string;
export function formatInstant(instant: Instant | null): string | null;
export function formatInstant(instant: Instant | null): string | null {
  if (instant === null) return null;
  const days = Math.floor(instant / DAY_MS);
  const seconds = Math.floor((instant - days * DAY_MS) / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${formatDay(days)}T${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}Z`;
}

const TWO_DIGITS: readonly string[] = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"));

/**
 * `YYYY-MM-DD` of a number of days since 1970-01-01 in the proleptic Gregorian calendar. A date is written several
 * times for every message; arithmetic takes a fifth of the time of `Date.toISOString`.
 * @see Howard Hinnant, chrono-compatible low-level date algorithms, civil_from_days
 */
function formatDay(days: number): string {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, "0")}-${TWO_DIGITS[month]}-${TWO_DIGITS[day]}`;
}

/**
 * Earliest and latest instant that is valid as a date: 0001-01-01 to 9999-12-31 (the range ISO 8601 writes with four
 * digits).
 */
export const EARLIEST_INSTANT: Instant = -62_135_596_800_000;
export const LATEST_INSTANT: Instant = 253_402_300_799_999;

/** Parses the output of `formatInstant` and any full ISO 8601 date-time with a zone; null if it is invalid. */
export function parseInstant(text: string): Instant | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/.test(text)) return null;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? null : instant;
}

/**
 * The midnight in UTC nearest to an instant: the intended day, for midnight in any zone up to twelve hours from
 * Greenwich.
 */
export function nearestMidnight(instant: Instant): Instant {
  return Math.round(instant / DAY_MS) * DAY_MS;
}
