import { DAY_MS, formatInstant } from "../../mail/dates/instant.ts";
import type { OutlierDates, Timeline, TimelineUnit } from "../../mail/exploration.ts";

/** Share of the dated mail at either end that is ignored when the span of an archive is determined. */
const END_SHARE = 0.005;
/** With fewer messages, a single date may determine the main range. */
const TELLING_MESSAGES = 20;
/** Longest gap in the main range: a year, so that outliers can be excluded by whole years. */
const MAX_GAP_MS = 366 * DAY_MS;
/** Maximum number of days or months in a timeline. */
const MAX_BINS = 240;
/** Length of the date prefix that names its bin. */
const LENGTHS: Readonly<Record<TimelineUnit, number>> = { year: 4, month: 7, day: 10 };
/** Maximum bins of a timeline; more days are counted by months, more months by years. */
const MAX_ANY_BINS = 4000;

/** First and last instant, both inclusive, of the main time range; null if no message is dated. */
export interface TimeRange {
  readonly first: number;
  readonly last: number;
}

/** Number of dates needed at either end to find the main range. */
export function endDates(dated: number): number {
  return (dated < TELLING_MESSAGES ? 0 : Math.max(1, Math.floor(dated * END_SHARE))) + 1;
}

/**
 * The main time range: 99 % of the mail, extended across gaps of up to a year. @param dated number of messages with a
 * date @param earliest `endDates` of them, ascending @param latest the same at the other end
 */
export function mainRangeBetween(dated: number, earliest: Float64Array, latest: Float64Array): TimeRange | null {
  if (dated === 0) return null;
  let start = endDates(dated) - 1;
  let end = latest.length - 1 - start;
  while (start > 0 && earliest[start]! - earliest[start - 1]! <= MAX_GAP_MS) start--;
  while (end + 1 < latest.length && latest[end + 1]! - latest[end]! <= MAX_GAP_MS) end++;
  return { first: earliest[start]!, last: latest[end]! };
}

/** The number of dates, how many are within, before and after a range, and the first and last within. */
export interface DateFigures {
  readonly total: number;
  readonly within: number;
  readonly undated: number;
  readonly before: number;
  readonly after: number;
  /** Null if there are none. */
  readonly first: number | null;
  readonly last: number | null;
}

/** Defines the bins of a timeline. */
export type BinFrame = Pick<Timeline, "first" | "last" | "by">;

/** The timeline of counted dates. */
export function timelineFrom(
  {
    figures: { total, undated, before, after },
    range,
    frame,
  }: { readonly figures: DateFigures; readonly range: TimeRange | null; readonly frame: BinFrame },
  counts: readonly number[],
): Timeline {
  const starts = startsOf(frame);
  const bins = Array.from(starts, (start, at) => ({ span: spanOf(start, frame.by), count: counts[at]! }));
  const strays = straysOf(range, before, after);
  return { total, stray: before + after, strays, undated, ...frame, bins, stacks: [] };
}

/** Bins of dates by day, month or year. */
export function binFrame({ first, last }: DateFigures, by: TimelineUnit | "auto"): BinFrame {
  const days = first === null || last === null ? 0 : (last - first) / DAY_MS;
  return { first, last, by: unitFor(days, by) };
}

/** Counts dates by the bins of a timeline. @param dates -Infinity if undated */
export function binCounts(frame: BinFrame, dates: Float64Array): readonly number[] {
  const { first, last } = frame;
  if (first === null || last === null) return [];
  const starts = startsOf(frame);
  const counts = new Uint32Array(starts.length);
  for (const date of dates) if (date >= first && date <= last) counts[binOf(starts, date)]!++;
  return Array.from(counts);
}

function startsOf({ first, last, by }: BinFrame): Float64Array {
  return first === null || last === null ? new Float64Array(0) : startsBetween(first, last, by);
}

/** Outliers are more than a year from the range, so whole years separate them. */
function straysOf(range: TimeRange | null, before: number, after: number): readonly OutlierDates[] {
  if (range === null) return [];
  const [first, last] = [range.first, range.last].map((date) => new Date(date).getUTCFullYear()) as [number, number];
  const sides: readonly OutlierDates[] = [
    { side: "before", year: first, clause: `before:${yearText(first - 1)}`, count: before },
    { side: "after", year: last, clause: `after:${yearText(last + 1)}`, count: after },
  ];
  return sides.filter(({ count }) => count > 0);
}

const yearText = (year: number): string => String(year).padStart(4, "0");

export function datesWithin(dates: Float64Array, range: TimeRange | null): DateFigures {
  const { first: from, last: to } = range ?? { first: -Number.MAX_VALUE, last: Number.MAX_VALUE };
  let [within, undated, before, after] = [0, 0, 0, 0];
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const date of dates) {
    if (date === Number.NEGATIVE_INFINITY) undated++;
    else if (date < from) before++;
    else if (date > to) after++;
    if (date < from || date > to) continue;
    within++;
    first = Math.min(first, date);
    last = Math.max(last, date);
  }
  const ends = within === 0 ? { first: null, last: null } : { first, last };
  return { total: dates.length, within, undated, before, after, ...ends };
}

function unitFor(days: number, by: TimelineUnit | "auto"): TimelineUnit {
  const most = by === "auto" ? MAX_BINS : MAX_ANY_BINS;
  if (by === "year" || days > most * 30) return "year";
  return by === "month" || days > most || (by === "auto" && days > 92) ? "month" : "day";
}

function spanOf(date: number, unit: TimelineUnit): string {
  return formatInstant(date).slice(0, LENGTHS[unit]);
}

/** Start instants of all spans between two dates. */
function startsBetween(first: number, last: number, unit: TimelineUnit): Float64Array {
  const starts: number[] = [];
  const at = new Date(`${spanOf(first, unit)}${"-01-01".slice(LENGTHS[unit] - 4)}T00:00:00Z`);
  while (at.getTime() <= last) {
    starts.push(at.getTime());
    if (unit === "year") at.setUTCFullYear(at.getUTCFullYear() + 1);
    else if (unit === "month") at.setUTCMonth(at.getUTCMonth() + 1);
    else at.setUTCDate(at.getUTCDate() + 1);
  }
  return Float64Array.from(starts);
}

/** Index of the last span that begins at or before the date. */
function binOf(starts: Float64Array, date: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= date) low = middle;
    else high = middle;
  }
  return low;
}
