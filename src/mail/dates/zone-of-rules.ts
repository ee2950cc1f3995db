import { DAY_MS, HOUR_MS, type Instant } from "./instant.ts";
import { WINDOWS_ZONES } from "./windows-zones.ts";
import { type Clock, transitionsOf, ZoneClock } from "./zone-clock.ts";

/** Most frequent zones in mail: if several zones have the same rules, the first of these is used. */
const FREQUENT = [
  "Europe/Berlin",
  "America/New_York",
  "America/Chicago",
  "America/Denver",
  "America/Los_Angeles",
  "Europe/London",
  "Europe/Athens",
  "Australia/Sydney",
  "America/Halifax",
  "America/Sao_Paulo",
];
const ZONES: readonly string[] = [
  ...new Set([...FREQUENT, ...Object.values(WINDOWS_ZONES).map((row) => row.split("|", 1)[0]!)]),
];
/** Maximum days of the span in which two clocks are compared: different rules differ within a few years. */
const MAX_SPAN_DAYS = 10 * 366;
/** Days in which a clock makes all its changes; a short series may include none of them. */
const MIN_SPAN_DAYS = 366;
/** Interval of additional samples between clock changes, to detect a zone that changes on other dates. */
const STEP_DAYS = 30;

/** A period in which zone rules are compared. */
export interface ZoneSpan {
  readonly from: Instant;
  readonly to: Instant;
}

/**
 * The IANA zone whose clock agrees with another during a span, and for at least a year: the zone of a city named in the
 * text, otherwise the most frequent zone; `Etc/GMT-8` and the like for clocks that never change. Null if no zone
 * agrees.
 * @param text what the file says next to the rules; it may name a city.
 */
export function zoneOfClock(clock: Pick<Clock, "offsetAt">, { from, to }: ZoneSpan, text: string): string | null {
  const end = Math.min(Math.max(to, from + DAY_MS), from + MAX_SPAN_DAYS * DAY_MS);
  const year = from + MIN_SPAN_DAYS * DAY_MS;
  return (
    (end < year ? zoneDuring(clock, { from, to: year }, text) : null) ?? zoneDuring(clock, { from, to: end }, text)
  );
}

function zoneDuring(clock: Pick<Clock, "offsetAt">, { from, to }: ZoneSpan, text: string): string | null {
  const changes = transitionsOf(clock, from - DAY_MS, to + DAY_MS);
  const instants = [from, to, ...changes.flatMap(({ at }) => [at - HOUR_MS / 2, at + HOUR_MS / 2])];
  for (let at = from; at < to; at += STEP_DAYS * DAY_MS) instants.push(at);
  const offsets = instants.map((at) => ({ at, offset: clock.offsetAt(at) }));
  const fits = (zone: string): boolean => {
    const other = new ZoneClock(zone);
    return offsets.every(({ at, offset }) => other.offsetAt(at) === offset);
  };
  const named = ZONES.find((zone) => isNamed(zone, text) && fits(zone));
  if (named !== undefined) return named;
  const fixed = changes.length === 0 ? fixedName(offsets[0]!.offset) : null;
  return fixed ?? ZONES.find(fits) ?? null;
}

/**
 * The IANA name of a constant offset in minutes east of UTC. The sign is that of POSIX: `Etc/GMT+5` is west of UTC.
 * Null unless the offset is a whole number of hours.
 */
export function fixedName(minutesAhead: number): string | null {
  const hours = minutesAhead / 60;
  if (!Number.isInteger(hours) || hours > 14 || hours < -12) return null;
  return hours === 0 ? "UTC" : `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`;
}

function isNamed(zone: string, text: string): boolean {
  const place = zone
    .slice(zone.lastIndexOf("/") + 1)
    .replaceAll("_", " ")
    .toLowerCase();
  return text !== "" && text.toLowerCase().includes(place);
}
