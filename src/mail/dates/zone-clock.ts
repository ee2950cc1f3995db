import { DAY_MS, type Instant, MINUTE_MS } from "./instant.ts";

/** A wall-clock time as UTC milliseconds. */
export type LocalTime = number;

/** A change of the clocks of a zone. */
export interface ZoneTransition {
  readonly at: Instant;
  /** Minutes east of Greenwich before and from then on. */
  readonly offsetBefore: number;
  readonly offset: number;
}

/** A clock: converts between instants and its local time. */
export interface Clock {
  /** Minutes east of Greenwich. */
  offsetAt(instant: Instant): number;
  instantOf(local: LocalTime): Instant;
  localAt(instant: Instant): LocalTime;
  /** Every change of the clock in [from, to), ascending. */
  transitions(from: Instant, to: Instant): readonly ZoneTransition[];
}

/** Checked once per day: no zone changed its clocks twice in a day. */
const STEP_MS = 24 * 60 * MINUTE_MS;

/** The clock of an IANA zone. Throws RangeError for an unknown name. */
export class ZoneClock implements Clock {
  private readonly format: Intl.DateTimeFormat;

  constructor(zone: string) {
    this.format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  }

  /** Minutes east of Greenwich. */
  offsetAt(instant: Instant): number {
    return Math.round(this.aheadAt(instant) / MINUTE_MS);
  }

  /**
   * When the clock shows a time: the first of two instants, and for a time that clocks skip, by the offset before the
   * change (RFC 5545 section 3.3.5).
   */
  instantOf(local: LocalTime): Instant {
    // No offset is as long as a day, so these are the offsets before and after a change near this time.
    const first = local - this.aheadAt(local - DAY_MS);
    const second = local - this.aheadAt(local + DAY_MS);
    if (first === second) return first;
    const shown = Math.floor(local / 1000) * 1000;
    return this.localAt(first) === shown || this.localAt(second) !== shown ? first : second;
  }

  localAt(instant: Instant): LocalTime {
    const part = new Map(this.format.formatToParts(instant).map(({ type, value }) => [type, value]));
    const number = (type: Intl.DateTimeFormatPartTypes): number => Number(part.get(type) ?? "0");
    const year = part.get("era") === "BC" ? 1 - number("year") : number("year");
    const day = new Date(0).setUTCFullYear(year, number("month") - 1, number("day"));
    return day + ((number("hour") * 60 + number("minute")) * 60 + number("second")) * 1000;
  }

  transitions(from: Instant, to: Instant): readonly ZoneTransition[] {
    return transitionsOf(this, from, to);
  }

  /** Milliseconds east of Greenwich: clocks once differed by seconds. */
  private aheadAt(instant: Instant): number {
    return this.localAt(instant) - Math.floor(instant / 1000) * 1000;
  }
}

/** Every change of a clock in [from, to), ascending. */
export function transitionsOf(clock: Pick<Clock, "offsetAt">, from: Instant, to: Instant): readonly ZoneTransition[] {
  const found: ZoneTransition[] = [];
  let before = clock.offsetAt(from);
  for (let end = from + STEP_MS; end < to; end += STEP_MS) {
    const offset = clock.offsetAt(end);
    if (offset === before) continue;
    found.push({ at: onset(clock, { from: end - STEP_MS, to: end, before }), offsetBefore: before, offset });
    before = offset;
  }
  return found;
}

/** The minute at which the offset changes. */
function onset(
  clock: Pick<Clock, "offsetAt">,
  span: { readonly from: Instant; readonly to: Instant; readonly before: number },
): Instant {
  let low = Math.floor(span.from / MINUTE_MS);
  let high = Math.ceil(span.to / MINUTE_MS);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (clock.offsetAt(middle * MINUTE_MS) === span.before) low = middle;
    else high = middle;
  }
  return high * MINUTE_MS;
}

/** Zones of the database without a region in their names. */
const ZONE_WITHOUT_PLACE = /^(?:UTC|GMT|CET|MET|EET|WET|EST5EDT|CST6CDT|MST7MDT|PST8PDT)$/u;

/** The clock of an IANA zone; null for other names. */
export function clockOfZone(zone: string): ZoneClock | null {
  // Bare offsets and other abbreviations are not regions; Intl would accept some.
  if (!/^[A-Z][A-Za-z_]+(?:\/[A-Za-z0-9_+-]+){1,2}$/u.test(zone) && !ZONE_WITHOUT_PLACE.test(zone)) return null;
  try {
    return new ZoneClock(zone);
  } catch {
    return null;
  }
}
