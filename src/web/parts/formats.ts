import { inUtc, SIZE_UNITS } from "../words/units.ts";

/** Numbers and absolute dates in the user's locale. */

const NUMBER = new Intl.NumberFormat();
const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const UTC_DAY = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const MOMENT_FORMAT = { dateStyle: "medium", timeStyle: "short" } as const;
const MOMENT = new Intl.DateTimeFormat(undefined, MOMENT_FORMAT);
const UTC_MOMENT = new Intl.DateTimeFormat(undefined, { ...MOMENT_FORMAT, timeZone: "UTC" });
const MONTH = new Intl.DateTimeFormat(undefined, { month: "short", year: "numeric", timeZone: "UTC" });
const LANGUAGES = new Intl.DisplayNames(undefined, { type: "language", fallback: "code" });

export function counted(count: number): string {
  return NUMBER.format(count);
}

/** The day of an instant, in the reader's time zone or in UTC. */
export function dayOf(moment: string, isUtc: boolean): string {
  return (isUtc ? UTC_DAY : DAY).format(Date.parse(moment));
}

/** Day and time, marked if in UTC. */
export function momentOf(moment: string, isUtc: boolean): string {
  return isUtc ? inUtc(UTC_MOMENT.format(Date.parse(moment))) : MOMENT.format(Date.parse(moment));
}

/** From one moment to a later one; the day is not repeated. */
export function periodOf(start: string, end: string, isUtc: boolean): string {
  const [from, to] = [Date.parse(start), Date.parse(end)];
  return isUtc ? inUtc(UTC_MOMENT.formatRange(from, to)) : MOMENT.formatRange(from, to);
}

/** `2001`, `2001-05` or `2001-05-14` in the user's format. */
export function spanOf(span: string): string {
  if (span.length < 7) return span;
  const parsed = Date.parse(span);
  return (span.length === 7 ? MONTH : UTC_DAY).format(parsed);
}

/** Name of a language by its code. */
export function languageOf(code: string): string {
  try {
    return LANGUAGES.of(code) ?? code;
  } catch {
    return code;
  }
}

/** Name of a file type in the API, such as `spreadsheet`. */
export function fileTypeName(type: string): string {
  return type === "pdf" ? "PDF" : type.charAt(0).toUpperCase() + type.slice(1);
}

/** Bytes in units of 1,024. */
export function sizeOf(bytes: number): string {
  const power = Math.min(SIZE_UNITS.length - 1, bytes === 0 ? 0 : Math.floor(Math.log2(bytes) / 10));
  const size = bytes / 1024 ** power;
  const digits = power > 0 && size < 10 ? 1 : 0;
  return `${size.toLocaleString(undefined, { maximumFractionDigits: digits })} ${SIZE_UNITS[power]}`;
}
