import { rowOfWord } from "../words/word-table.ts";

/** Name of one unit of each RFC 5545 frequency. */
const UNITS = rowOfWord({
  second: "SECONDLY",
  minute: "MINUTELY",
  hour: "HOURLY",
  day: "DAILY",
  week: "WEEKLY",
  month: "MONTHLY",
  year: "YEARLY",
});
/** Days of the week as RFC 5545 writes them, Sunday first. */
export const WEEKDAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const DAYS = rowOfWord({
  Monday: "MO",
  Tuesday: "TU",
  Wednesday: "WE",
  Thursday: "TH",
  Friday: "FR",
  Saturday: "SA",
  Sunday: "SU",
});
const MONTHS = "January February March April May June July August September October November December".split(" ");
const POSITIONS: ReadonlyMap<number, string> = new Map([
  ...["first", "second", "third", "fourth", "fifth"].map((name, at) => [at + 1, name] as const),
  [-1, "last"],
  [-2, "second to last"],
]);

/** Days of the shortest month, and of the longest. */
const SHORTEST_MONTH_DAYS = 28;
const LONGEST_MONTH_DAYS = 31;

/**
 * The rule parts of a day of a month (1 to 12), or of each month, that is the last day where a month is shorter. Outlook
 * and Exchange repeat items so; BYMONTHDAY=30 alone has no occurrence in February (RFC 5545 section 3.3.10).
 */
export function monthDayParts(day: number, month: number | null): readonly string[] {
  if (month !== null) return [`BYMONTHDAY=${day > shortestDays(month) ? -1 : day}`];
  if (day <= SHORTEST_MONTH_DAYS) return [`BYMONTHDAY=${day}`];
  if (day >= LONGEST_MONTH_DAYS) return ["BYMONTHDAY=-1"];
  const days = Array.from({ length: day - SHORTEST_MONTH_DAYS + 1 }, (_, at) => SHORTEST_MONTH_DAYS + at);
  return [`BYMONTHDAY=${days.join(",")}`, "BYSETPOS=-1"];
}

/** Days of a month in a year of 365 days. */
function shortestDays(month: number): number {
  return new Date(Date.UTC(2023, month, 0)).getUTCDate();
}

const WORKING_DAYS = "FR,MO,TH,TU,WE";

/** Maximum values of a rule part in words; a rule may list every second of a year. */
const MAX_LISTED = 62;

/**
 * A recurrence rule (RFC 5545 section 3.3.10, with or without `RRULE:`) in plain English, such as
 * `every 2 weeks on Monday and Friday, 10 times`. A rule that cannot be read is described as `repeats`.
 */
export function describeRule(rrule: string): string {
  const parts = readParts(rrule);
  const unit = UNITS.get(parts.get("FREQ") ?? "");
  if (unit === undefined) return "repeats";
  const interval = Number(parts.get("INTERVAL") ?? "1");
  const isWorkweek = interval === 1 && isEveryWorkingDay(parts);
  const every = isWorkweek ? "every weekday" : describeInterval(interval, unit);
  const days = isWorkweek ? "" : describeDays(parts);
  return [every, days, describeTimes(parts)].filter((text) => text !== "").join(" ") + describeEnd(parts);
}

function readParts(rrule: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  for (const part of rrule
    .trim()
    .replace(/^RRULE:/iu, "")
    .split(";")) {
    const equals = part.indexOf("=");
    if (equals > 0)
      parts.set(
        part.slice(0, equals).trim().toUpperCase(),
        part
          .slice(equals + 1)
          .trim()
          .toUpperCase(),
      );
  }
  return parts;
}

function describeInterval(interval: number, unit: string): string {
  return Number.isInteger(interval) && interval > 1 ? `every ${interval} ${unit}s` : `every ${unit}`;
}

/** Outlook writes "every weekday" as a weekly rule over five days, Google as a daily one. */
function isEveryWorkingDay(parts: ReadonlyMap<string, string>): boolean {
  const frequency = parts.get("FREQ");
  if (frequency !== "WEEKLY" && frequency !== "DAILY") return false;
  return listOf(parts, "BYDAY").toSorted().join(",") === WORKING_DAYS;
}

function listOf(parts: ReadonlyMap<string, string>, name: string): readonly string[] {
  const value = parts.get(name);
  if (value === undefined || value === "") return [];
  return value.split(",", MAX_LISTED).map((entry) => entry.trim());
}

/** Which days of the week, the month or the year. */
function describeDays(parts: ReadonlyMap<string, string>): string {
  const months = listOf(parts, "BYMONTH").flatMap((month) => MONTHS[Number(month) - 1] ?? []);
  const monthDays = listOf(parts, "BYMONTHDAY").flatMap(describeMonthDay);
  const positions = listOf(parts, "BYSETPOS").flatMap((position) => POSITIONS.get(Number(position)) ?? []);
  const weekdays = listOf(parts, "BYDAY").flatMap(describeWeekday);
  const yearDays = listOf(parts, "BYYEARDAY").filter(isOrdinal);
  const weeks = listOf(parts, "BYWEEKNO").filter(isOrdinal);
  const texts: string[] = [];
  if (weekdays.length > 0)
    texts.push(positions.length > 0 ? `on the ${join(positions)} ${join(weekdays, "or")}` : `on ${join(weekdays)}`);
  const days = clampedDay(parts);
  if (days !== null) texts.push(`on day ${days}, or the last day of a shorter month`);
  else if (monthDays.length > 0) texts.push(`on ${join(monthDays)}`);
  if (yearDays.length > 0) texts.push(`on day ${join(yearDays)} of the year`);
  if (weeks.length > 0) texts.push(`in week ${join(weeks)}`);
  if (months.length > 0) texts.push(`${monthDays.length > 0 || weekdays.length > 0 ? "of" : "in"} ${join(months)}`);
  return texts.join(" ");
}

/** The day of a rule that `monthDayParts` wrote for days that some months lack, or null. */
function clampedDay(parts: ReadonlyMap<string, string>): number | null {
  const day = Number(listOf(parts, "BYMONTHDAY").at(-1) ?? "0");
  const rule = [`BYMONTHDAY=${parts.get("BYMONTHDAY")}`, `BYSETPOS=${parts.get("BYSETPOS")}`];
  return day > SHORTEST_MONTH_DAYS && monthDayParts(day, null).join(";") === rule.join(";") ? day : null;
}

function isOrdinal(value: string): boolean {
  return /^-?\d{1,3}$/u.test(value);
}

function describeMonthDay(value: string): readonly string[] {
  const day = Number(value);
  if (!Number.isInteger(day) || day === 0 || Math.abs(day) > 31) return [];
  if (day === -1) return ["the last day"];
  return day > 0 ? [`day ${day}`] : [`day ${-day} from the end`];
}

/** `2TU` is the second Tuesday, `TU` any. */
function describeWeekday(value: string): readonly string[] {
  const day = DAYS.get(value.slice(-2));
  if (day === undefined) return [];
  const position = value.slice(0, -2);
  if (position === "") return [day];
  const word = POSITIONS.get(Number(position));
  return [word === undefined ? day : `the ${word} ${day}`];
}

function describeTimes(parts: ReadonlyMap<string, string>): string {
  const hours = listOf(parts, "BYHOUR").flatMap((hour) =>
    /^\d{1,2}$/u.test(hour) ? `${hour.padStart(2, "0")}:00` : [],
  );
  return hours.length > 0 && !parts.has("BYMINUTE") ? `at ${join(hours)}` : "";
}

function describeEnd(parts: ReadonlyMap<string, string>): string {
  const count = Number(parts.get("COUNT") ?? "0");
  if (Number.isInteger(count) && count > 0) return count === 1 ? ", once" : `, ${count} times`;
  const until = /^(\d{4})-?(\d{2})-?(\d{2})/u.exec(parts.get("UNTIL") ?? "");
  return until === null ? "" : `, until ${until[1]}-${until[2]}-${until[3]}`;
}

function join(words: readonly string[], conjunction: "and" | "or" = "and"): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} ${conjunction} ${last}`;
}
