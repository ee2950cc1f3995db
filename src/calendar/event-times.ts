import {
  DAY_MS,
  EARLIEST_INSTANT,
  HOUR_MS,
  type Instant,
  LATEST_INSTANT,
  MINUTE_MS,
  nearestMidnight,
} from "../mail/dates/instant.ts";
import type { LocalTime } from "../mail/dates/zone-clock.ts";
import type { CalendarFindings, ContentLine } from "./content-lines.ts";
import type { TimeZones } from "./time-zones.ts";

/** Maximum EXDATE values of an event, over all lines. */
const MAX_EXDATES = 5_000;

/** A DATE or DATE-TIME value (RFC 5545 sections 3.3.4 and 3.3.5) as it is written. */
interface WrittenTime {
  /** Wall-clock time as UTC milliseconds. */
  readonly local: LocalTime;
  readonly isDate: boolean;
  readonly isUtc: boolean;
}

export interface EventTime {
  readonly instant: Instant;
  /** Wall-clock time in its zone; for a time in UTC, of UTC. */
  readonly local: LocalTime;
  readonly isDate: boolean;
  /** IANA name; null when floating, a date, or known by its rules only. */
  readonly timezone: string | null;
}

/** Context for reading times. */
export interface TimeContext {
  readonly zones: TimeZones;
  /** X-WR-TIMEZONE: the zone of floating times, in which the calendar also shows times in UTC. */
  readonly calendarZone: string | null;
  readonly findings: CalendarFindings;
}

/**
 * Reads `20010514T163900Z` and similar forms, with or without separators and seconds, also with an offset, which becomes
 * UTC. Returns null for other text.
 */
export function readLocalTime(value: string): WrittenTime | null {
  const match =
    /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2}):?(\d{2})?(?:\.\d{1,9})?(?:(Z)|([+-]\d{2}):?(\d{2}))?)?$/iu.exec(
      value.trim(),
    );
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((digits) => Number(digits ?? "0"));
  if (month! < 1 || month! > 12 || day! < 1 || day! > 31 || hour! > 24 || minute! > 59 || second! > 60) return null;
  const date = new Date(0).setUTCFullYear(year!, month! - 1, day!);
  // Without this day, the month would continue in the next one.
  if (new Date(date).getUTCDate() !== day) return null;
  const local = date + ((hour! * 60 + minute!) * 60 + second!) * 1000;
  if (local < EARLIEST_INSTANT || local > LATEST_INSTANT) return null;
  const isDate = match[4] === undefined;
  if (match[8] === undefined) return { local, isDate, isUtc: match[7] !== undefined };
  const hours = Number(match[8]);
  const ahead = hours * 60 + (match[8].startsWith("-") ? -1 : 1) * Number(match[9]);
  return { local: local - ahead * MINUTE_MS, isDate, isUtc: true };
}

/** The time of a property; null if it is missing, or, with a finding, unreadable. */
export function readTime(line: ContentLine | undefined, context: TimeContext): EventTime | null {
  if (line === undefined) return null;
  return resolveTime(line.value, line, context);
}

function resolveTime(value: string, line: ContentLine, context: TimeContext): EventTime | null {
  const written = readLocalTime(value);
  if (written === null) {
    context.findings.add("calendar-bad-date", `unreadable calendar date: ${line.name} ${value.slice(0, 40)}`);
    return null;
  }
  const { local } = written;
  if (written.isDate) return { instant: local, local, isDate: true, timezone: null };
  const { zones, calendarZone } = context;
  if (written.isUtc) {
    const shown = calendarZone === null ? null : zones.ianaName(calendarZone);
    return { instant: local, local, isDate: false, timezone: shown ?? "UTC" };
  }
  const zone = line.parameters.get("TZID") ?? "";
  const zoned = zones.resolve(local, zone === "" ? calendarZone : zone);
  if (!zoned.isKnown && zone !== "") {
    context.findings.add("calendar-unknown-timezone", `unknown calendar time zone, read as UTC: ${zone.slice(0, 60)}`);
  }
  return { instant: zoned.instant, local, isDate: false, timezone: zoned.timezone };
}

/** The day of an all-day time: in its zone, or the nearest one if written in UTC. */
export function asDate({ local }: EventTime): EventTime {
  const day = nearestMidnight(local);
  return { instant: day, local: day, isDate: true, timezone: null };
}

/** Number of whole days between two times, 0 if it is not whole: a day with a clock change has an hour more or less. */
export function countDays(start: Instant, end: Instant): number {
  return end > start && isSameHour(start, end) ? Math.round((end - start) / DAY_MS) : 0;
}

/** True for the same time of day, or one that differs by an hour because of a clock change between them. */
export function isSameHour(time: Instant, other: Instant): boolean {
  const apart = Math.abs(time - other);
  return Math.abs(apart - Math.round(apart / DAY_MS) * DAY_MS) <= HOUR_MS;
}

/**
 * End of an event: DTEND, else start and DURATION, else RFC 5545 section 3.6.1: one day for a date, zero for a
 * date-time.
 */
export function readEnd(
  line: ContentLine | undefined,
  duration: ContentLine | undefined,
  start: EventTime | null,
  context: TimeContext,
): Instant | null {
  const end = readTime(line, context);
  if (end !== null) return start !== null && end.instant < start.instant ? start.instant : end.instant;
  if (start === null) return null;
  const length = duration === undefined ? null : durationOf(duration.value);
  if (length !== null && length.days + length.rest >= 0)
    return Math.min(afterDays(start, length.days, context) + length.rest, LATEST_INSTANT);
  return start.isDate ? start.instant + DAY_MS : start.instant;
}

/** Adds days to a time by the clock of its zone: a day with a clock change has another length. */
function afterDays({ instant, local, timezone }: EventTime, days: number, { zones }: TimeContext): Instant {
  const isOfZone = days > 0 && timezone !== null && zones.resolve(local, timezone).instant === instant;
  return isOfZone ? zones.resolve(local + days, timezone).instant : instant + days;
}

/** Parses DURATION (RFC 5545 section 3.3.6) to milliseconds. Returns null if it is invalid. */
export function readDuration(value: string): number | null {
  const length = durationOf(value);
  return length === null ? null : length.days + length.rest;
}

/** Milliseconds of the weeks and days of a DURATION, and of its time part. */
function durationOf(value: string): { readonly days: number; readonly rest: number } | null {
  const match = /^([+-]?)P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/iu.exec(
    value.trim(),
  );
  if (match === null) return null;
  const [weeks, days, hours, minutes, seconds] = match.slice(2, 7).map((digits) => Number(digits ?? "0"));
  const sign = match[1] === "-" ? -1 : 1;
  const rest = sign * ((hours! * 60 + minutes!) * 60_000 + seconds! * 1000);
  return { days: sign * (weeks! * 7 + days!) * DAY_MS, rest };
}

/** Distinct instants of all EXDATE lines, ascending. @param isDates true if they are dates */
export function readExdates(lines: readonly ContentLine[], isDates: boolean, context: TimeContext): readonly Instant[] {
  const instants = new Set<Instant>();
  for (const line of lines) {
    for (const value of line.value.split(/[,;]/u, MAX_EXDATES)) {
      if (value === "" || instants.size >= MAX_EXDATES) continue;
      const time = resolveTime(value, line, context);
      if (time !== null) instants.add(isDates ? asDate(time).instant : time.instant);
    }
  }
  return [...instants].sort((a, b) => a - b);
}
