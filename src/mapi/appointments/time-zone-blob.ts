import { type Instant, MINUTE_MS } from "../../mail/dates/instant.ts";
import { ianaZone } from "../../mail/dates/windows-zones.ts";
import {
  instantByRule,
  localByRule,
  posixZone,
  type YearlyMoment,
  type YearlyRule,
} from "../../mail/dates/yearly-rule.ts";
import { clockOfZone, ZoneClock } from "../../mail/dates/zone-clock.ts";
import { type ZoneSpan, zoneOfClock } from "../../mail/dates/zone-of-rules.ts";
import { ByteReader } from "../../properties/byte-reader.ts";

/** A time zone as an appointment carries it: its offsets and when they change. */
export interface MapiTimeZone {
  /** Windows name (`W. Europe Standard Time`); null in the older structure, which has none. */
  readonly windowsName: string | null;
  readonly rules: readonly TimeZoneRule[];
}

/** Zone of an appointment: its rules, or the clock of the zone it names. */
export type SeriesClock = MapiTimeZone | ZoneClock;

interface TimeZoneRule extends YearlyRule {
  /** First year in which it is valid. */
  readonly year: number;
}

/** Maximum rules per zone. The Windows zones with the most changes have about 40. */
const MAX_RULES = 256;
/** Bytes of a TZRULE before its biases: version, reserved, flags ([MS-OXOCAL] 2.2.1.41.1). */
const RULE_PADDING = 14;

/** PidLidTimeZoneStruct ([MS-OXOCAL] 2.2.1.39): one rule without a name. Null if the bytes are invalid. */
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
 * PidLidAppointmentTimeZoneDefinition* ([MS-OXOCAL] 2.2.1.41): a name and rules by year. Null if the bytes are invalid.
 */
export function readTimeZoneDefinition(bytes: Buffer): MapiTimeZone | null {
  const reader = new ByteReader(bytes);
  reader.skip(2);
  const headerSize = reader.uint16();
  reader.skip(2);
  const nameLength = reader.uint16();
  const name = reader.view(nameLength * 2).toString("utf16le");
  // The header contains the offset of the rules and ends with their number.
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

/** The clock of a zone with a constant offset in minutes ahead of UTC. */
export function fixedZone(minutesAhead: number): MapiTimeZone {
  const bias = -minutesAhead;
  const rule = { year: 0, standardBias: bias, daylightBias: bias, standardStart: null, daylightStart: null };
  return { windowsName: null, rules: [rule] };
}

/**
 * IANA name of the zone; null when the structure has no name or an unknown one. @param description "(UTC+01:00)
 * Amsterdam, …".
 */
export function ianaName(zone: MapiTimeZone | null, description: string | null): string | null {
  const name = zone?.windowsName ?? null;
  const byName = name === null ? null : ianaZone(name);
  // Programs that copy items from other calendars write the IANA name itself.
  if (byName === null && name !== null && clockOfZone(name) !== null) return name;
  return byName ?? (description === null ? null : ianaZone(description));
}

/** The instant of a local time, given as if it were UTC. */
export function instantOfLocal(zone: SeriesClock, local: number): Instant {
  return zone instanceof ZoneClock ? zone.instantOf(local) : instantByRule(ruleAt(zone, local), local);
}

/** The local time of an instant, given as if it were UTC. */
export function localOfInstant(zone: SeriesClock, instant: Instant): number {
  return zone instanceof ZoneClock ? zone.localAt(instant) : localByRule(ruleAt(zone, instant), instant);
}

/** Period in which the rules of a zone are used. */
interface ZoneUse {
  /** The first and last time for which it is needed. */
  readonly span: ZoneSpan;
  /** Text stored with the rules: it may name a city, in any language. */
  readonly text: string;
}

/**
 * The name of a zone by its rules: the IANA zone that had them throughout a span, else the rules in POSIX form; null
 * for rules of a single year that no place had.
 */
export function nameOfRules(zone: MapiTimeZone, { span, text }: ZoneUse): string | null {
  const clock = {
    offsetAt: (instant: Instant) => Math.round((localOfInstant(zone, instant) - instant) / MINUTE_MS),
  };
  return zoneOfClock(clock, span, text) ?? posixZone(ruleAt(zone, span.from));
}

function ruleAt(zone: MapiTimeZone, time: number): TimeZoneRule {
  const year = new Date(time).getUTCFullYear();
  let found = zone.rules[0]!;
  for (const rule of zone.rules) if (rule.year <= year) found = rule;
  return found;
}
