import {
  EARLIEST_INSTANT,
  HOUR_MS,
  type Instant,
  LATEST_INSTANT,
  MINUTE_MS,
  parseInstant,
} from "../../mail/dates/instant.ts";

/** First and last instant of a date in a query. */
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
  // Date.UTC maps the years 0 to 99 to 1900 to 1999.
  date.setUTCFullYear(year, monthIndex, day);
  return date.getTime();
}

/**
 * Reads `2001`, `2001-05`, `2001-05-14` (whole UTC years, months, days) and full ISO 8601 date-times with zone; null
 * for anything else, including 30 February.
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
  // Dates that are not in the calendar would otherwise become those of another month.
  if (new Date(first).getUTCMonth() !== monthIndex) return null;
  return { first, last: firstAfter(match, { year, monthIndex, day }) - 1 };
}

/** The day after that day, month or year. */
function firstAfter([, , month, day]: RegExpExecArray, date: CalendarDate): Instant {
  if (month === undefined) return utcDay(date.year + 1, 0, 1);
  if (day === undefined) return utcDay(date.year, date.monthIndex + 1, 1);
  return utcDay(date.year, date.monthIndex, date.day + 1);
}

/** Separator of the ends of a range. */
const RANGE_SIGN = "..";
/** A date with the year first and any separators, and possibly a zone after a day. */
const TYPED_DATE = /^(\d{4})(?:([-/.])(\d{1,2})(?:\2(\d{1,2})(Z|[+-]\d{2}:\d{2})?)?)?$/i;
/** Day, month and year, the order of dates with dots. */
const DOTTED_DATE = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
/** Maximum offset of a zone from UTC. */
const MAX_ZONE_MS = 14 * HOUR_MS;

/**
 * Parses dates as users type them: those of `parseDateSpan`, `2001/5/14`, `2001.05.14`, `14.5.2001`, a day with a
 * zone (`2001-05-14+02:00`), and ranges such as `2001-05..2001-08`, possibly open-ended. Null for anything else:
 * `5/14/2001` is ambiguous.
 */
export function parseTypedDates(text: string): DateSpan | null {
  const at = text.indexOf(RANGE_SIGN);
  if (at < 0) return parseTypedDate(text);
  const [from, to] = [text.slice(0, at), text.slice(at + RANGE_SIGN.length)];
  if (from === "" && to === "") return null;
  const first = from === "" ? EARLIEST_INSTANT : parseTypedDate(from)?.first;
  const last = to === "" ? LATEST_INSTANT : parseTypedDate(to)?.last;
  return first === undefined || last === undefined || first > last ? null : { first, last };
}

const AGE = /^(\d{1,4})([dwmy])$/i;
const DAYS_OF_WEEK = 7;

/**
 * The UTC day a number of days, weeks, months or years before that of an instant: `3d`, `2w`, `6m`, `1y`. Null for
 * anything else. If the month is too short, its last day.
 */
export function parseAge(text: string, now: Instant): Instant | null {
  const match = AGE.exec(text);
  if (match === null) return null;
  const [count, unit] = [Number(match[1]), match[2]!.toLowerCase()];
  const today = new Date(now);
  const [year, monthIndex, day] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()];
  if (unit === "d" || unit === "w") return utcDay(year, monthIndex, day - count * (unit === "d" ? 1 : DAYS_OF_WEEK));
  const month = monthIndex - count * (unit === "m" ? 1 : 12);
  const lastDay = new Date(utcDay(year, month + 1, 0)).getUTCDate();
  return utcDay(year, month, Math.min(day, lastDay));
}

function parseTypedDate(text: string): DateSpan | null {
  const typed = TYPED_DATE.exec(text);
  if (typed !== null) {
    const [, year, , month, day, zone] = typed;
    return shifted(parseDateSpan(isoDate(year!, month, day)), zone);
  }
  const dotted = DOTTED_DATE.exec(text);
  if (dotted === null) return parseDateSpan(text);
  const [, day, month, year] = dotted;
  return parseDateSpan(isoDate(year!, month, day));
}

function isoDate(year: string, ...parts: readonly (string | undefined)[]): string {
  const known = parts.filter((part) => part !== undefined);
  return [year, ...known.map((part) => part.padStart(2, "0"))].join("-");
}

/** The same day in a zone. */
function shifted(span: DateSpan | null, zone: string | undefined): DateSpan | null {
  if (span === null || zone === undefined || zone.length === 1) return span;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
  const ahead = (zone.startsWith("-") ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS);
  if (minutes > 59 || Math.abs(ahead) > MAX_ZONE_MS) return null;
  return { first: span.first - ahead, last: span.last - ahead };
}
