import { DAY_MS, type Instant, MINUTE_MS } from "../mail/instant.ts";
import { ianaZone } from "../mail/windows-zones.ts";
import { ZoneClock } from "../mail/zone-clock.ts";
import { ByteReader } from "../properties/byte-reader.ts";

/** A time zone as an appointment carries it: its offsets and when they change. */
export interface MapiTimeZone {
  /** Windows name (`W. Europe Standard Time`); null in the older structure, which has none. */
  readonly windowsName: string | null;
  readonly rules: readonly TimeZoneRule[];
}

/** What an appointment is computed in: the rules it carries, or the clock of the zone that it only names. */
export type SeriesClock = MapiTimeZone | ZoneClock;

interface TimeZoneRule {
  /** First year it holds. */
  readonly year: number;
  /** Minutes to add to local time to get UTC. */
  readonly standardBias: number;
  readonly daylightBias: number;
  /** When standard and daylight time begin, in local time; null where the zone does not change. */
  readonly standardStart: YearlyMoment | null;
  readonly daylightStart: YearlyMoment | null;
}

/** SYSTEMTIME as time zones use it: the nth weekday of a month, or (with a year) a date. */
interface YearlyMoment {
  readonly year: number;
  readonly month: number;
  readonly weekday: number;
  readonly day: number;
  readonly minuteOfDay: number;
}

/** Rules of one zone: Windows knows some 40 for the most fickle ones. */
const MAX_RULES = 256;
/** Bytes of a TZRULE before its biases: version, reserved, flags ([MS-OXOCAL] 2.2.1.41.1). */
const RULE_PADDING = 14;

/** PidLidTimeZoneStruct ([MS-OXOCAL] 2.2.1.39): one rule, no name. Null when the bytes are none. */
export function readTimeZoneStruct(bytes: Buffer): MapiTimeZone | null {
  const reader = new ByteReader(bytes);
  const biases = readBiases(reader);
  reader.skip(2);
  const standardStart = readMoment(reader);
  reader.skip(2);
  const daylightStart = readMoment(reader);
  if (reader.isCut) return null;
  return { windowsName: null, rules: [{ year: 0, ...biases, standardStart, daylightStart }] };
}

/**
 * PidLidAppointmentTimeZoneDefinition* ([MS-OXOCAL] 2.2.1.41): a name and rules by year. Null when the bytes are none.
 */
export function readTimeZoneDefinition(bytes: Buffer): MapiTimeZone | null {
  const reader = new ByteReader(bytes);
  reader.skip(2);
  const headerSize = reader.uint16();
  reader.skip(2);
  const nameLength = reader.uint16();
  const name = reader.view(nameLength * 2).toString("utf16le");
  // The header says where the rules begin; its own count of them ends it.
  const rulesAt = Math.max(4 + headerSize - 2, 8);
  const count = Math.min(new ByteReader(bytes, rulesAt).uint16(), MAX_RULES);
  const body = new ByteReader(bytes, rulesAt + 2);
  const rules: TimeZoneRule[] = [];
  for (let index = 0; index < count && !body.isCut; index++) {
    body.skip(6);
    const year = body.uint16();
    body.skip(RULE_PADDING);
    const biases = readBiases(body);
    const standardStart = readMoment(body);
    const daylightStart = readMoment(body);
    if (!body.isCut) rules.push({ year, ...biases, standardStart, daylightStart });
  }
  if (rules.length === 0) return null;
  return { windowsName: name.replace(/\0.*$/s, "") || null, rules: rules.sort((a, b) => a.year - b.year) };
}

function readBiases(reader: ByteReader): { readonly standardBias: number; readonly daylightBias: number } {
  const bias = reader.int32();
  return { standardBias: bias + reader.int32(), daylightBias: bias + reader.int32() };
}

function readMoment(reader: ByteReader): YearlyMoment | null {
  const year = reader.uint16();
  const month = reader.uint16();
  const weekday = reader.uint16();
  const day = reader.uint16();
  const minuteOfDay = reader.uint16() * 60 + reader.uint16();
  reader.skip(4);
  return month < 1 || month > 12 ? null : { year, month, weekday: weekday % 7, day, minuteOfDay };
}

/** The zone whose clock is always so many minutes ahead of UTC. */
export function fixedZone(minutesAhead: number): MapiTimeZone {
  const bias = -minutesAhead;
  const rule = { year: 0, standardBias: bias, daylightBias: bias, standardStart: null, daylightStart: null };
  return { windowsName: null, rules: [rule] };
}

/**
 * Its IANA name, whose sign is that of POSIX: `Etc/GMT+5` is behind. Null of what is no whole number of hours, for which
 * there is none.
 */
export function fixedName(minutesAhead: number): string | null {
  const hours = minutesAhead / 60;
  if (!Number.isInteger(hours)) return null;
  return hours === 0 ? "UTC" : `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`;
}

/**
 * IANA name of the zone; null when the structure has no name or an unknown one. @param description "(UTC+01:00)
 * Amsterdam, …".
 */
export function ianaName(zone: MapiTimeZone | null, description: string | null): string | null {
  const byName = zone === null || zone.windowsName === null ? null : ianaZone(zone.windowsName);
  return byName ?? (description === null ? null : ianaZone(description));
}

/** The instant of a local time, given as if it were UTC. */
export function instantOfLocal(zone: SeriesClock, local: number): Instant {
  if (zone instanceof ZoneClock) return zone.instantOf(local);
  const rule = ruleOf(zone, new Date(local).getUTCFullYear());
  return (
    local + (isDaylight(rule, { standard: local, daylight: local }) ? rule.daylightBias : rule.standardBias) * MINUTE_MS
  );
}

/** The local time of an instant, given as if it were UTC. */
export function localOfInstant(zone: SeriesClock, instant: Instant): number {
  if (zone instanceof ZoneClock) return zone.localAt(instant);
  const rule = ruleOf(zone, new Date(instant).getUTCFullYear());
  const clocks = {
    standard: instant - rule.standardBias * MINUTE_MS,
    daylight: instant - rule.daylightBias * MINUTE_MS,
  };
  return isDaylight(rule, clocks) ? clocks.daylight : clocks.standard;
}

function ruleOf(zone: MapiTimeZone, year: number): TimeZoneRule {
  let found = zone.rules[0]!;
  for (const rule of zone.rules) if (rule.year <= year) found = rule;
  return found;
}

/** One moment by the clock of standard time and by that of daylight time. */
interface Clocks {
  readonly standard: number;
  readonly daylight: number;
}

/** Daylight time begins by the clock of standard time, and ends by its own. */
function isDaylight(rule: TimeZoneRule, clocks: Clocks): boolean {
  if (rule.standardStart === null || rule.daylightStart === null) return false;
  const year = new Date(clocks.standard).getUTCFullYear();
  const daylight = momentIn(rule.daylightStart, year);
  const standard = momentIn(rule.standardStart, year);
  // South of the equator daylight time spans the new year.
  const hasBegun = clocks.standard >= daylight;
  const hasNotEnded = clocks.daylight < standard;
  return daylight < standard ? hasBegun && hasNotEnded : hasBegun || hasNotEnded;
}

function momentIn(moment: YearlyMoment, year: number): number {
  const time = moment.minuteOfDay * MINUTE_MS;
  if (moment.year !== 0) return Date.UTC(moment.year, moment.month - 1, moment.day) + time;
  const first = new Date(Date.UTC(year, moment.month - 1, 1)).getUTCDay();
  const days = new Date(Date.UTC(year, moment.month, 0)).getUTCDate();
  let day = 1 + ((moment.weekday - first + 7) % 7) + 7 * (Math.max(1, Math.min(moment.day, 5)) - 1);
  // The fifth means the last.
  while (day > days) day -= 7;
  return Date.UTC(year, moment.month - 1, 1) + (day - 1) * DAY_MS + time;
}
