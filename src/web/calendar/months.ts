/** Months as `YYYY-MM` and the days of a month sheet, all in UTC: no time zone moves an appointment to another day. */

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;
const DAY_MS = 86_400_000;

/** True for a month. */
export function isMonth(text: string): boolean {
  return MONTH.test(text);
}

/** The month some months after another, or before it for a negative number. */
export function addMonths(month: string, months: number): string {
  const [, year, number] = MONTH.exec(month)!;
  return new Date(Date.UTC(Number(year), Number(number) - 1 + months, 1)).toISOString().slice(0, 7);
}

/** The days of a month in weeks from Monday, with the days of adjacent months that complete the first and last week. */
export function weeksOf(month: string): readonly (readonly string[])[] {
  const first = Date.parse(`${month}-01`);
  const lead = (new Date(first).getUTCDay() + 6) % 7;
  const weeks: string[][] = [];
  for (let at = first - lead * DAY_MS; weeks.length === 0 || dayOf(at).startsWith(month); at += 7 * DAY_MS)
    weeks.push(Array.from({ length: 7 }, (_, day) => dayOf(at + day * DAY_MS)));
  return weeks;
}

/** The days `YYYY-MM-DD` of an event; one that ends at midnight ends on the day before. */
export function daysOf(start: string, end: string | null, month: string): readonly string[] {
  const first = Date.parse(start.slice(0, 10));
  const last = end === null || end <= start ? first : Date.parse(dayOf(Date.parse(end) - 1));
  const [from, to] = [
    Math.max(first, Date.parse(`${month}-01`)),
    Math.min(last, Date.parse(`${addMonths(month, 1)}-01`) - 1),
  ];
  const days: string[] = [];
  for (let at = from; at <= to; at += DAY_MS) days.push(dayOf(at));
  return days;
}

function dayOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}
