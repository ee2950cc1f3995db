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

/**
 * Day, month and year of a day in figures, which Americans write with the month first and others with the day first.
 * The weekday decides, else what is no month. Null when both orders are possible and give different days.
 */
export function meantDay(
  one: number,
  other: number,
  year: number,
  weekday: number | null,
): readonly [number, number, number] | null {
  if (one > 12 || one === other) return [one, other, year];
  if (other > 12) return [other, one, year];
  if (weekday === null) return null;
  const isDayFirst = weekdayOn(one, other, year) === weekday;
  const isMonthFirst = weekdayOn(other, one, year) === weekday;
  if (isDayFirst === isMonthFirst) return null;
  return isDayFirst ? [one, other, year] : [other, one, year];
}

function weekdayOn(day: number, month: number, year: number): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}
