import type { Instant } from "../mail/dates/instant.ts";
import { type DateSpan, parseDateSpan } from "../search/query/query-dates.ts";

/** `T16:39`, `T16:39:05`, `T16:39:05.25`, each with `Z`, `+02:00`, `+0200`, `+02` or nothing, which is UTC. */
const TIME = /^T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;
/** Characters of `YYYY-MM-DD`. */
const DATE_LENGTH = 10;
const MINUTE_MS = 60_000;
const SECOND_MS = 1000;

/**
 * First and last instant of an ISO 8601 date: `2001`, `2001-05` and `2001-05-14` are whole UTC years, months and days;
 * a time without seconds is a whole minute, one without a fraction a whole second. A bound copied from a published date
 * therefore includes its message. Null for anything else, including 30 February.
 */
export function parseDateBound(text: string): DateSpan | null {
  if (text.length <= DATE_LENGTH) return parseDateSpan(text);
  const day = parseDateSpan(text.slice(0, DATE_LENGTH));
  const time = TIME.exec(text.slice(DATE_LENGTH));
  if (day === null || time === null) return null;
  const [, hours, minutes, seconds, fraction, zone] = time;
  const offset = zoneOffset(zone ?? "Z");
  if (offset === null || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds ?? 0) > 59) return null;
  const first: Instant =
    day.first +
    (Number(hours) * 60 + Number(minutes)) * MINUTE_MS +
    Number(seconds ?? 0) * SECOND_MS +
    Math.floor(Number(`0.${fraction ?? 0}`) * SECOND_MS) -
    offset;
  return { first, last: first + (fraction !== undefined ? 0 : (seconds === undefined ? MINUTE_MS : SECOND_MS) - 1) };
}

/** Offset from UTC in milliseconds; null if the zone does not exist. */
function zoneOffset(zone: string): number | null {
  if (zone === "Z" || zone === "z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = zone.length > 3 ? Number(zone.slice(-2)) : 0;
  if (hours > 23 || minutes > 59) return null;
  return (zone[0] === "-" ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS;
}
