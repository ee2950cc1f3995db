const NUMBERS = new Intl.NumberFormat("en");
const MONTHS = new Intl.DateTimeFormat("en", { month: "short", year: "numeric", timeZone: "UTC" });

export function formatNumber(value: number): string {
  return NUMBERS.format(value);
}

/** `1 contact`, `2,000 contacts`. */
export function countOf(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** A score of 0 … 1, three digits. */
export function formatScore(score: number): string {
  return score === 0 ? "0" : score < 0.001 ? "< 0.001" : score.toPrecision(3);
}

/** `2001-05-14`; a dash when it is not known. @param seconds since 1970. */
export function formatDay(seconds: number | null): string {
  return seconds === null ? "–" : new Date(seconds * 1000).toISOString().slice(0, 10);
}

/** `May 2001`. @param month months since January of year 0. */
export function formatMonth(month: number): string {
  return MONTHS.format(monthStart(month) * 1000);
}

/** Months since January of year 0. @param seconds since 1970. */
export function monthOf(seconds: number): number {
  const date = new Date(seconds * 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** First second of a month. */
export function monthStart(month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(Math.floor(month / 12), month % 12, 1);
  return date.getTime() / 1000;
}
