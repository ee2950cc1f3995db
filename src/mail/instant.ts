/** A point in time: milliseconds since 1970-01-01T00:00:00Z. A date that cannot be read is null, never "now" and never 0. */
export type Instant = number;

/** ISO 8601 with seconds and `Z`; null stays null. Years outside 0001…9999 cannot be written and are null. */
export function formatInstant(instant: Instant): string;
export function formatInstant(instant: Instant | null): string | null;
export function formatInstant(instant: Instant | null): string | null {
  if (instant === null) return null;
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

/** First and last instant a date may have to be taken as one: 0001-01-01 to 9999-12-31 (the range ISO 8601 writes with four digits). */
export const EARLIEST_INSTANT: Instant = -62_135_596_800_000;
export const LATEST_INSTANT: Instant = 253_402_300_799_999;

/** Reads what `formatInstant` writes (and any full ISO 8601 date-time with zone); null when it is none. */
export function parseInstant(text: string): Instant | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/.test(text)) return null;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? null : instant;
}
