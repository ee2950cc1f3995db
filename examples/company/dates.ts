const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The parts of an instant on a clock `zoneHours` from UTC, as mail programs print them. */
export interface ClockTime {
  readonly year: number;
  readonly month: string;
  readonly monthNumber: number;
  readonly day: number;
  readonly weekday: string;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

export function clockTime(instant: number, zoneHours: number): ClockTime {
  const local = new Date(instant + zoneHours * HOUR);
  return {
    year: local.getUTCFullYear(),
    month: MONTHS[local.getUTCMonth()]!,
    monthNumber: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    weekday: DAYS[local.getUTCDay()]!,
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
  };
}

export const two = (value: number): string => String(value).padStart(2, "0");

/** RFC 5322 section 3.3. */
export function headerDate(instant: number, zoneHours: number): string {
  const { weekday, day, month, year, hour, minute, second } = clockTime(instant, zoneHours);
  const zone = `${zoneHours < 0 ? "-" : "+"}${two(Math.abs(zoneHours))}00`;
  return `${weekday.slice(0, 3)}, ${two(day)} ${month.slice(0, 3)} ${year} ${two(hour)}:${two(minute)}:${two(second)} ${zone}`;
}

/** The date of an mbox separator (asctime, UTC). */
export function asctime(instant: number): string {
  const { weekday, day, month, year, hour, minute, second } = clockTime(instant, 0);
  return `${weekday.slice(0, 3)} ${month.slice(0, 3)} ${String(day).padStart(2)} ${two(hour)}:${two(minute)}:${two(second)} ${year}`;
}

/** Winter and summer time of Europe, to the month: close enough for a clock in a letter. */
export function zoneAt(zone: number, instant: number): number {
  const month = new Date(instant).getUTCMonth();
  return zone >= 0 && zone < 3 && month >= 3 && month <= 9 ? zone + 1 : zone;
}

/** The same day at `hour`:`minute` UTC, moved to Monday when it falls on a weekend. */
export function workingTime(instant: number, hour: number, minute: number): number {
  const date = new Date(instant);
  const weekday = date.getUTCDay();
  const shift = weekday === 6 ? 2 : weekday === 0 ? 1 : 0;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + shift, hour, minute, 0);
}

/** iCalendar local time, `20220314T090000`. */
export function icalTime(instant: number): string {
  return new Date(instant).toISOString().replace(/[-:]/g, "").slice(0, 15);
}
