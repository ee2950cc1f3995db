import type { Timeline, TimelineUnit } from "../mail/exploration.ts";
import { formatInstant } from "../mail/instant.ts";

/** Share of the dated mail at either end that does not tell which time an archive is from. */
const END_SHARE = 0.005;
/** Of fewer messages than this even a single date may be what all is from. */
const TELLING_MESSAGES = 20;
/** Longest time without mail that still lies within it: two years. */
const MAX_GAP_MS = 2 * 366 * 86_400_000;
/** Days or months of a time line that are still told apart. */
const MAX_BINS = 240;
/** Characters of a date that name the span it lies in. */
const LENGTHS: Readonly<Record<TimelineUnit, number>> = { year: 4, month: 7, day: 10 };
/** Bins of a time line at most; one of more days is counted by months, of more months by years. */
const MAX_ANY_BINS = 4000;

/** First and last instant, both included, of the time that mail is from; null where none is dated. */
export interface TimeRange {
  readonly first: number;
  readonly last: number;
}

/** The time that holds 99 % of the mail, and what joins it without a gap of years. */
export function mainRange(sentAt: Float64Array): TimeRange | null {
  const dates = sentAt.filter((date) => date !== Number.NEGATIVE_INFINITY).sort();
  if (dates.length === 0) return null;
  const cut = dates.length < TELLING_MESSAGES ? 0 : Math.max(1, Math.floor(dates.length * END_SHARE));
  let [start, end] = [cut, dates.length - 1 - cut];
  while (start > 0 && dates[start]! - dates[start - 1]! <= MAX_GAP_MS) start--;
  while (end + 1 < dates.length && dates[end + 1]! - dates[end]! <= MAX_GAP_MS) end++;
  return { first: dates[start]!, last: dates[end]! };
}

/** Counts dates by spans. @param dates -Infinity for what is undated. */
export function timelineOf(dates: Float64Array, range: TimeRange | null, by: TimelineUnit | "auto"): Timeline {
  const dated = dates.filter((date) => date !== Number.NEGATIVE_INFINITY);
  const within = range === null ? dated : dated.filter((date) => date >= range.first && date <= range.last).sort();
  const figures = {
    total: dates.length,
    first: within[0] ?? null,
    last: within.at(-1) ?? null,
    stray: dated.length - within.length,
    undated: dates.length - dated.length,
  };
  const unit = unitFor(within, by);
  if (within.length === 0) return { ...figures, by: unit, bins: [] };
  const counts = new Map(spansBetween(within[0]!, within.at(-1)!, unit).map((span) => [span, 0]));
  for (const date of within) {
    const span = spanOf(date, unit);
    counts.set(span, counts.get(span)! + 1);
  }
  return { ...figures, by: unit, bins: Array.from(counts, ([span, count]) => ({ span, count })) };
}

function unitFor(sorted: Float64Array, by: TimelineUnit | "auto"): TimelineUnit {
  const days = sorted.length === 0 ? 0 : (sorted.at(-1)! - sorted[0]!) / 86_400_000;
  const most = by === "auto" ? MAX_BINS : MAX_ANY_BINS;
  if (by === "year" || days > most * 30) return "year";
  return by === "month" || days > most || (by === "auto" && days > 92) ? "month" : "day";
}

function spanOf(date: number, unit: TimelineUnit): string {
  return formatInstant(date).slice(0, LENGTHS[unit]);
}

/** Every span from that of one date to that of another. */
function spansBetween(first: number, last: number, unit: TimelineUnit): string[] {
  const end = spanOf(last, unit);
  const spans: string[] = [];
  const at = new Date(`${spanOf(first, unit)}${"-01-01".slice(LENGTHS[unit] - 4)}T00:00:00Z`);
  while (spans.at(-1) !== end) {
    spans.push(spanOf(at.getTime(), unit));
    if (unit === "year") at.setUTCFullYear(at.getUTCFullYear() + 1);
    else if (unit === "month") at.setUTCMonth(at.getUTCMonth() + 1);
    else at.setUTCDate(at.getUTCDate() + 1);
  }
  return spans;
}
