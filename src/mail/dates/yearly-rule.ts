import { DAY_MS, type Instant, MINUTE_MS } from "./instant.ts";
import { type Clock, type LocalTime, transitionsOf, type ZoneTransition } from "./zone-clock.ts";

/** When the clocks are changed each year: on the nth weekday of a month, or (with a year) on a date. */
export interface YearlyMoment {
  /** 0 for every year. */
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** 1 to 4, or 5 for the last. With a year the day of the month. */
  readonly day: number;
  readonly minuteOfDay: number;
}

/** Rules of a zone that do not change by year. */
export interface YearlyRule {
  /** Minutes to add to local time to get UTC. */
  readonly standardBias: number;
  readonly daylightBias: number;
  /** Start of standard and daylight time, in local time; null if the zone does not change. */
  readonly standardStart: YearlyMoment | null;
  readonly daylightStart: YearlyMoment | null;
}

/** The instant of a local time, given as if it were UTC. */
export function instantByRule(rule: YearlyRule, local: LocalTime): Instant {
  const isDay = isDaylight(rule, { standard: local, daylight: local });
  return local + (isDay ? rule.daylightBias : rule.standardBias) * MINUTE_MS;
}

/** The local time of an instant, as if it were UTC. */
export function localByRule(rule: YearlyRule, instant: Instant): LocalTime {
  const clocks = {
    standard: instant - rule.standardBias * MINUTE_MS,
    daylight: instant - rule.daylightBias * MINUTE_MS,
  };
  return isDaylight(rule, clocks) ? clocks.daylight : clocks.standard;
}

/** A moment in standard time and in daylight time. */
interface Clocks {
  readonly standard: LocalTime;
  readonly daylight: LocalTime;
}

/** Daylight time begins in standard time and ends in daylight time. */
function isDaylight(rule: YearlyRule, clocks: Clocks): boolean {
  if (rule.standardStart === null || rule.daylightStart === null) return false;
  const year = new Date(clocks.standard).getUTCFullYear();
  const daylight = momentIn(rule.daylightStart, year);
  const standard = momentIn(rule.standardStart, year);
  // South of the equator daylight time spans the new year.
  const hasBegun = clocks.standard >= daylight;
  const hasNotEnded = clocks.daylight < standard;
  return daylight < standard ? hasBegun && hasNotEnded : hasBegun || hasNotEnded;
}

function momentIn(moment: YearlyMoment, year: number): LocalTime {
  const time = moment.minuteOfDay * MINUTE_MS;
  if (moment.year !== 0) return Date.UTC(moment.year, moment.month - 1, moment.day) + time;
  const first = new Date(Date.UTC(year, moment.month - 1, 1)).getUTCDay();
  const days = new Date(Date.UTC(year, moment.month, 0)).getUTCDate();
  let day = 1 + ((moment.weekday - first + 7) % 7) + 7 * (Math.max(1, Math.min(moment.day, 5)) - 1);
  // The fifth means the last.
  while (day > days) day -= 7;
  return Date.UTC(year, moment.month - 1, 1) + (day - 1) * DAY_MS + time;
}

/** Clock of a zone with a single rule. */
export class RuleClock implements Clock {
  constructor(private readonly rule: YearlyRule) {}

  offsetAt(instant: Instant): number {
    return Math.round((this.localAt(instant) - instant) / MINUTE_MS);
  }

  instantOf(local: LocalTime): Instant {
    return instantByRule(this.rule, local);
  }

  localAt(instant: Instant): LocalTime {
    return localByRule(this.rule, instant);
  }

  transitions(from: Instant, to: Instant): readonly ZoneTransition[] {
    return transitionsOf(this, from, to);
  }
}

/**
 * A rule as a POSIX TZ string (POSIX.1-2017 section 8.3): `<+0330>-3:30<+0430>,M3.4.4/0,M9.3.6/0`. Null if it is
 * valid in one year only.
 */
export function posixZone(rule: YearlyRule): string | null {
  const { standardBias, daylightBias, standardStart, daylightStart } = rule;
  const standard = `${posixName(standardBias)}${posixTime(standardBias)}`;
  if (standardStart === null || daylightStart === null || standardBias === daylightBias) return standard;
  if (standardStart.year !== 0 || daylightStart.year !== 0) return null;
  const moments = [daylightStart, standardStart].map(
    ({ month, day, weekday, minuteOfDay }) =>
      `,M${month}.${Math.max(1, Math.min(day, 5))}.${weekday}/${posixTime(minuteOfDay)}`,
  );
  return `${standard}${posixName(daylightBias)}${posixTime(daylightBias)}${moments.join("")}`;
}

function posixName(bias: number): string {
  const minutes = Math.abs(bias);
  return `<${bias > 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}${minutes % 60 === 0 ? "" : two(minutes % 60)}>`;
}

function posixTime(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : ""}${Math.floor(size / 60)}${size % 60 === 0 ? "" : `:${two(size % 60)}`}`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

const OFFSET = "<[+-]\\d{2,4}>(-?\\d{1,2}(?::\\d{2})?)";
const MOMENT = ",M(\\d{1,2})\\.([1-5])\\.([0-6])/(\\d{1,2}(?::\\d{2})?)";
const POSIX_ZONE = new RegExp(`^${OFFSET}(?:${OFFSET}${MOMENT}${MOMENT})?$`);

/** The rule that `posixZone` wrote; null for any other text. */
export function readPosixZone(zone: string): YearlyRule | null {
  const match = POSIX_ZONE.exec(zone);
  if (match === null) return null;
  const standardBias = minutesOf(match[1]!);
  if (match[2] === undefined)
    return { standardBias, daylightBias: standardBias, standardStart: null, daylightStart: null };
  const moment = (at: number): YearlyMoment => ({
    year: 0,
    month: Number(match[at]),
    day: Number(match[at + 1]),
    weekday: Number(match[at + 2]),
    minuteOfDay: minutesOf(match[at + 3]!),
  });
  return { standardBias, daylightBias: minutesOf(match[2]), daylightStart: moment(3), standardStart: moment(7) };
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(":");
  const size = Math.abs(Number(hours)) * 60 + Number(minutes ?? "0");
  return time.startsWith("-") ? -size : size;
}
