import type { Instant } from "../../mail/dates/instant.ts";

/**
 * Weekdays in English, German, French, Spanish, Italian, Portuguese and Dutch, by their first three letters or by their
 * short names of two. From Sunday.
 */
const WEEKDAYS: readonly string[] = [
  "sun son dom dim zon zo",
  "mon lun seg maa mo",
  "tue die mar ter din di",
  "wed mit mer mié mie qua woe mi wo",
  "thu don jeu jue gio qui do",
  "fri fre ven vie sex vri fr vr",
  "sat sam sáb sab zat za",
];

const NUMBERS: ReadonlyMap<string, number> = new Map(
  WEEKDAYS.flatMap((names, weekday) => names.split(" ").map((name): readonly [string, number] => [name, weekday])),
);

/** Number of a weekday by its name, 0 for Sunday; null for other words. @param word lower case. */
export function weekdayOf(word: string): number | null {
  const name = word.endsWith(".") ? word.slice(0, -1) : word;
  return NUMBERS.get(name.slice(0, 3)) ?? null;
}

/** Evidence for the order of day and month. */
interface DayEvidence {
  /** 0 for Sunday; null if there is none. */
  readonly weekday: number | null;
  /** When the message was received or stored; null if unknown. */
  readonly near: Instant | null;
}

/**
 * Maximum time between the day of a message and its receipt: less than between the two possible readings of numbers.
 */
const MAX_DISTANCE_MS = 7 * 86_400_000;

/**
 * Day, month and year of a numeric day, written with the month first in America and the day first elsewhere. Decided by
 * a number above 12, else by the weekday, else by the receipt date. Null if both orders are possible and give different
 * days.
 */
export function inferNumericDay(
  one: number,
  other: number,
  year: number,
  { weekday, near }: DayEvidence,
): readonly [number, number, number] | null {
  if (one > 12 || one === other) return [one, other, year];
  if (other > 12) return [other, one, year];
  return (
    (weekday === null ? null : only(one, other, year, (day) => new Date(day).getUTCDay() === weekday)) ??
    (near === null ? null : only(one, other, year, (day) => Math.abs(day - near) <= MAX_DISTANCE_MS))
  );
}

/** The matching order; null if both or neither match. */
function only(
  one: number,
  other: number,
  year: number,
  fits: (day: Instant) => boolean,
): readonly [number, number, number] | null {
  const isDayFirst = fits(Date.UTC(year, other - 1, one));
  if (isDayFirst === fits(Date.UTC(year, one - 1, other))) return null;
  return isDayFirst ? [one, other, year] : [other, one, year];
}
