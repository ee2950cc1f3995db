import { DAY_MS, type Instant, MINUTE_MS } from "../mail/dates/instant.ts";
import { WEEKDAYS } from "../mail/dates/recurrence-text.ts";
import { ianaZone } from "../mail/dates/windows-zones.ts";
import { posixZone, type YearlyMoment, type YearlyRule } from "../mail/dates/yearly-rule.ts";
import { clockOfZone, type LocalTime, type ZoneClock } from "../mail/dates/zone-clock.ts";
import { fixedName, zoneOfClock } from "../mail/dates/zone-of-rules.ts";
import type { ContentLine } from "./content-lines.ts";

/** A STANDARD or DAYLIGHT part of a VTIMEZONE (RFC 5545 section 3.6.5). */
export interface Observance {
  /** Wall-clock time of the first onset. */
  readonly start: LocalTime;
  /** Minutes east of Greenwich before and from the onset. */
  readonly offsetBefore: number;
  readonly offset: number;
  readonly yearly: YearlyOnset | null;
}

/** A yearly RRULE, which is all that VTIMEZONEs use in practice. */
interface YearlyOnset {
  /** 1…12. */
  readonly month: number;
  /** Day of the week (0 = Sunday), or null when the day of the month is fixed. */
  readonly weekday: number | null;
  /** nth weekday of the month, negative from the end; 0 = the first one among `monthDays`. */
  readonly position: number;
  readonly monthDays: readonly number[];
  readonly until: Instant | null;
}

/** Result of converting a wall-clock time. */
interface ZonedTime {
  readonly instant: Instant;
  /** IANA name, or a POSIX TZ string if no IANA zone has the rules; null if the time is floating. */
  readonly timezone: string | null;
  readonly isKnown: boolean;
}

/** Maximum observances of a zone; a zone since 1900 has under 200. */
const MAX_OBSERVANCES = 500;
/** The last weekday of a month. */
const LAST = 5;
const YEAR_MS = 366 * DAY_MS;

const OUTLOOK_UTC = /^tzone:\/\/Microsoft\/Utc$/i;
/** Maximum offset from UTC. */
const MAX_OFFSET_MINUTES = 14 * 60;

/** Turns wall-clock times into instants, by IANA name, Windows name, or the VTIMEZONE of the same calendar. */
export class TimeZones {
  private readonly rules = new Map<string, Observance[]>();
  private readonly clocks = new Map<string, ZoneClock | null>();
  private readonly namesByRules = new Map<string, string | null>();

  addObservance(zone: string, observance: Observance): void {
    const key = zoneKey(zone);
    const rules = this.rules.get(key) ?? [];
    if (rules.length < MAX_OBSERVANCES) rules.push(observance);
    this.rules.set(key, rules);
  }

  /** @param zone TZID as written; null or "" for a floating time, which counts as UTC. */
  resolve(local: LocalTime, zone: string | null): ZonedTime {
    if (zone === null || zone === "") return { instant: local, timezone: null, isKnown: true };
    const name = this.ianaName(zone);
    if (name !== null) return { instant: this.clock(name)!.instantOf(local), timezone: name, isKnown: true };
    const rules = this.rules.get(zoneKey(zone));
    if (rules !== undefined)
      return {
        instant: local - offsetByRules(rules, local) * MINUTE_MS,
        timezone: this.nameByRules(zone, { rules, local }),
        isKnown: true,
      };
    const offset = offsetOf(zone);
    if (offset !== null) return { instant: local - offset * MINUTE_MS, timezone: nameOfOffset(offset), isKnown: true };
    // Lotus Notes: `W. Europe`.
    const short = ianaZone(`${zone} Standard Time`);
    if (short !== null) return { instant: this.clock(short)!.instantOf(local), timezone: short, isKnown: true };
    return { instant: local, timezone: null, isKnown: false };
  }

  /**
   * IANA name of a TZID: as written, after a vendor's prefix (`/mozilla.org/20050126_1/Europe/Berlin`), or mapped from
   * Windows.
   */
  ianaName(zone: string): string | null {
    const trimmed = zone.trim();
    if (OUTLOOK_UTC.test(trimmed)) return "UTC";
    const segments = trimmed.split("/");
    const tail = segments.slice(-2).join("/");
    const longTail = segments.slice(-3).join("/");
    const spelled = usualSpelling(trimmed);
    for (const candidate of [ianaZone(trimmed), trimmed, longTail, tail, spelled]) {
      if (candidate !== null && this.clock(candidate) !== null) return candidate;
    }
    return null;
  }

  /** The name of a zone described by a VTIMEZONE, by its rules in the year of its first use. */
  private nameByRules(
    zone: string,
    used: { readonly rules: readonly Observance[]; readonly local: LocalTime },
  ): string | null {
    const known = this.namesByRules.get(zone);
    if (known !== undefined) return known;
    const { rules, local } = used;
    const from = local - offsetByRules(rules, local) * MINUTE_MS;
    const clock = { offsetAt: (instant: Instant) => offsetAtInstant(rules, instant) };
    const yearly = yearlyRuleOf(rules, local);
    const name = zoneOfClock(clock, { from, to: from + YEAR_MS }, zone) ?? (yearly === null ? null : posixZone(yearly));
    this.namesByRules.set(zone, name);
    return name;
  }

  private clock(zone: string): ZoneClock | null {
    const known = this.clocks.get(zone);
    if (known !== undefined) return known;
    const clock = clockOfZone(zone);
    this.clocks.set(zone, clock);
    return clock;
  }
}

/** A TZID is TEXT in a VTIMEZONE and a parameter elsewhere: escaped, quoted, or neither; some programs change its case. */
function zoneKey(zone: string): string {
  return zone
    .trim()
    .replace(/\\([\\;,:"])/g, "$1")
    .toLowerCase();
}

/** Minutes east of Greenwich of a zone that is only an offset: `GMT+05:30`, `UTC-3`, `+0200`. */
export function offsetOf(zone: string): number | null {
  const match = /^(?:GMT|UTC)?([+-])(\d{1,2}):?([0-5]\d)?$/i.exec(zone.trim());
  if (match === null) return null;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? "0");
  return minutes > MAX_OFFSET_MINUTES ? null : match[1] === "-" ? -minutes : minutes;
}

/** `Etc/GMT-8`, or a POSIX string for an offset with minutes: the days of a series depend on its clock. */
function nameOfOffset(offset: number): string | null {
  const rule = { standardBias: -offset, daylightBias: -offset, standardStart: null, daylightStart: null };
  return fixedName(offset) ?? posixZone(rule);
}

/** `europe/berlin` and `US-Eastern` (RFC 2445) as the database of zones spells them. */
function usualSpelling(zone: string): string {
  return zone
    .replace(/^(us|europe|america|asia|africa|australia|canada)-/i, "$1/")
    .toLowerCase()
    .replace(/^us(?=\/)|(?:^|[/_-])(?!(?:au|of|es)[_-])\p{L}/gu, (start) => start.toUpperCase());
}

/** Offset from UTC in minutes at an instant: each observance begins in the offset before it. */
function offsetAtInstant(rules: readonly Observance[], instant: Instant): number {
  let latest = Number.NEGATIVE_INFINITY;
  let offset: number | null = null;
  for (const rule of rules) {
    const onset = latestOnset(rule, instant + rule.offsetBefore * MINUTE_MS);
    const at = onset === null ? null : onset - rule.offsetBefore * MINUTE_MS;
    if (at === null || at <= latest) continue;
    latest = at;
    offset = rule.offset;
  }
  return offset ?? offsetByRules(rules, instant);
}

/** The two yearly observances of a zone as one rule; null if it has others, or changes on days of the month. */
function yearlyRuleOf(rules: readonly Observance[], local: LocalTime): YearlyRule | null {
  const holding = rules.filter(({ start, yearly }) => start <= local && (yearly?.until ?? local) >= local);
  const lastOf = (isLater: boolean): Observance | undefined =>
    holding.filter(({ offset, offsetBefore }) => offset > offsetBefore === isLater).at(-1);
  const daylight = lastOf(true);
  const standard = lastOf(false);
  const changes = rules.some(({ offset, offsetBefore }) => offset > offsetBefore);
  if (standard === undefined || (daylight === undefined && changes)) return null;
  const standardBias = -standard.offset;
  if (daylight === undefined)
    return { standardBias, daylightBias: standardBias, standardStart: null, daylightStart: null };
  const standardStart = momentOf(standard);
  const daylightStart = momentOf(daylight);
  if (standardStart === null || daylightStart === null) return null;
  return { standardBias, daylightBias: -daylight.offset, standardStart, daylightStart };
}

function momentOf({ start, yearly }: Observance): YearlyMoment | null {
  if (yearly === null || yearly.weekday === null || yearly.position === 0 || yearly.position < -1) return null;
  const minuteOfDay = Math.floor((((start % DAY_MS) + DAY_MS) % DAY_MS) / MINUTE_MS);
  const day = yearly.position === -1 ? LAST : yearly.position;
  return { year: 0, month: yearly.month, weekday: yearly.weekday, day, minuteOfDay };
}

/** Offset from UTC in minutes at a wall-clock time: that of the latest observance before it. */
function offsetByRules(rules: readonly Observance[], local: LocalTime): number {
  let latest = Number.NEGATIVE_INFINITY;
  let offset: number | null = null;
  let first: Observance | null = null;
  for (const rule of rules) {
    if (first === null || rule.start < first.start) first = rule;
    const onset = latestOnset(rule, local);
    if (onset !== null && onset > latest) {
      latest = onset;
      offset = rule.offset;
    }
  }
  return offset ?? first?.offsetBefore ?? 0;
}

function latestOnset(rule: Observance, local: LocalTime): LocalTime | null {
  if (local < rule.start) return null;
  if (rule.yearly === null) return rule.start;
  const year = new Date(local).getUTCFullYear();
  for (const candidateYear of [year, year - 1]) {
    const onset = onsetInYear(rule.yearly, candidateYear, rule.start);
    const isOver = rule.yearly.until !== null && onset - rule.offsetBefore * MINUTE_MS > rule.yearly.until;
    if (!isOver && onset <= local && onset >= rule.start) return onset;
  }
  return rule.yearly.until === null ? rule.start : lastOnset(rule, rule.yearly);
}

/** The last onset of a rule that has ended. */
function lastOnset(rule: Observance, yearly: YearlyOnset): LocalTime {
  const year = new Date(yearly.until ?? rule.start).getUTCFullYear();
  for (const candidateYear of [year, year - 1]) {
    const onset = onsetInYear(yearly, candidateYear, rule.start);
    if (onset - rule.offsetBefore * MINUTE_MS <= (yearly.until ?? 0) && onset >= rule.start) return onset;
  }
  return rule.start;
}

function onsetInYear(yearly: YearlyOnset, year: number, start: LocalTime): LocalTime {
  const timeOfDay = ((start % DAY_MS) + DAY_MS) % DAY_MS;
  const first = Date.UTC(year, yearly.month - 1, 1);
  const days = new Date(Date.UTC(year, yearly.month, 0)).getUTCDate();
  const matches: number[] = [];
  for (let day = 1; day <= days; day++) {
    const weekday = (new Date(first).getUTCDay() + day - 1) % 7;
    if (yearly.weekday !== null && weekday !== yearly.weekday) continue;
    if (yearly.monthDays.length > 0 && !yearly.monthDays.includes(day) && !yearly.monthDays.includes(day - days - 1))
      continue;
    matches.push(day);
  }
  const day =
    yearly.position === 0 ? matches[0] : matches.at(yearly.position > 0 ? yearly.position - 1 : yearly.position);
  return first + ((day ?? 1) - 1) * DAY_MS + timeOfDay;
}

/** Reads the lines of a STANDARD or DAYLIGHT part: one observance for each onset; none without a start or offset. */
export function readObservances(
  lines: readonly ContentLine[],
  readLocal: (value: string) => LocalTime | null,
): readonly Observance[] {
  const value = (name: string): string => lines.find((line) => line.name === name)?.value.trim() ?? "";
  const start = readLocal(value("DTSTART"));
  const offset = readOffset(value("TZOFFSETTO"));
  if (start === null || offset === null) return [];
  const offsetBefore = readOffset(value("TZOFFSETFROM")) ?? offset;
  const first = { start, offset, offsetBefore, yearly: readYearly(value("RRULE"), start, readLocal) };
  const more = lines
    .filter((line) => line.name === "RDATE")
    .flatMap((line) => line.value.split(",", MAX_OBSERVANCES).map((date) => readLocal(date)))
    .filter((date) => date !== null);
  return [first, ...more.map((date) => ({ start: date, offset, offsetBefore, yearly: null }))];
}

/** Minutes east of Greenwich of `-0600` or `+013045`. */
function readOffset(value: string): number | null {
  const match = /^([+-]?)(\d{2}):?(\d{2})(?:\d{2})?$/u.exec(value);
  if (match === null) return null;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return match[1] === "-" ? -minutes : minutes;
}

function readYearly(
  rule: string,
  start: LocalTime,
  readLocal: (value: string) => LocalTime | null,
): YearlyOnset | null {
  const parts = new Map(
    rule
      .split(";", 20)
      .map((part) => [part.split("=")[0]?.toUpperCase() ?? "", part.split("=")[1]?.toUpperCase() ?? ""]),
  );
  if (parts.get("FREQ") !== "YEARLY") return null;
  const first = new Date(start);
  const month = Number(parts.get("BYMONTH") ?? first.getUTCMonth() + 1);
  const day = /^([+-]?\d{1,2})?(SU|MO|TU|WE|TH|FR|SA)$/u.exec(parts.get("BYDAY") ?? "");
  const listed = (parts.get("BYMONTHDAY") ?? "")
    .split(",", 31)
    .map(Number)
    .filter((number) => number !== 0 && !Number.isNaN(number));
  const until = parts.get("UNTIL");
  return {
    month: month >= 1 && month <= 12 ? month : first.getUTCMonth() + 1,
    weekday: day === null ? null : WEEKDAYS.indexOf(day[2] ?? ""),
    position: Number(day?.[1] ?? "0"),
    monthDays: day === null && listed.length === 0 ? [first.getUTCDate()] : listed,
    until: until === undefined ? null : readLocal(until),
  };
}
