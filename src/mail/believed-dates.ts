import { DAY_MS, type Instant } from "./instant.ts";

/**
 * First and last instant, both included, at which mail of an archive may have been sent; whole seconds, as documents
 * keep them.
 */
export interface BelievedDates {
  readonly earliest: Instant;
  readonly latest: Instant;
}

const SECOND_MS = 1000;
const YEAR_MS = 365.25 * DAY_MS;
/** Mail between machines was first sent in 1971: an earlier date is a clock that was never set. */
const FIRST_MAIL: Instant = Date.UTC(1971, 0, 1);
/** How far the clock of a sender may be ahead of ours. */
const AHEAD_MS = DAY_MS;
/** Fewer dated messages than this say nothing of when the others were sent. */
const TELLING_MESSAGES = 20;
/** Share of the dated mail left out at either end: what lies between is the range that holds the mail. */
const END_SHARE = 0.005;
/**
 * Of fewer than a thousand messages so many are left out, that a few wrong clocks count no more than in many; but one
 * in twenty at most.
 */
const END_MESSAGES = 5;
const MAX_END_SHARE = 0.05;
/** How far mail may lie outside of that range at least: people keep single old letters. */
const MIN_MARGIN_MS = 5 * YEAR_MS;

/** Dates by message, in memory or in a file; NaN where a message does not tell. */
export interface DateColumn {
  readonly length: number;
  at(message: number): number | undefined;
}

/**
 * The dates that are believed in an archive: none before there was mail, none after the extraction, and none that lies
 * further from the range that holds 99 % of the mail than that range is wide (five years at least). Depends on the
 * dates, not on their order. A clock that says that most of the mail is yet to be sent is not asked.
 *
 * @param dates when messages say they were sent. They are counted, as there may be more than memory should hold
 */
export function believedDates(dates: DateColumn, extractedAt: Instant): BelievedDates {
  const limit = wholeSecond(extractedAt) + AHEAD_MS + SECOND_MS - 1;
  let known = 0;
  let past = 0;
  for (let message = 0; message < dates.length; message++) {
    const date = dates.at(message)!;
    if (!(date >= FIRST_MAIL)) continue;
    known++;
    if (date <= limit) past++;
  }
  const isClockWrong = known >= TELLING_MESSAGES && past < known / 2;
  const possible = isClockWrong ? known : past;
  const latest = isClockWrong ? Number.MAX_SAFE_INTEGER : limit;
  if (possible < TELLING_MESSAGES) return { earliest: FIRST_MAIL, latest };
  const cut = Math.floor(Math.max(possible * END_SHARE, Math.min(END_MESSAGES, possible * MAX_END_SHARE)));
  const first = rankedSecond(dates, cut);
  const last = rankedSecond(dates, possible - 1 - cut);
  const margin = Math.max(MIN_MARGIN_MS, last - first);
  return { earliest: Math.max(FIRST_MAIL, first - margin), latest: Math.min(latest, last + margin + SECOND_MS - 1) };
}

/** Bits of a second that are counted at a time, from the highest; all dates that JavaScript knows are below 2^48. */
const COUNTED_BITS = 16;
const COUNTED_SHIFTS = [32, 16, 0] as const;

/** The second of the date that stands at a place when those that may be of mail are in order. */
function rankedSecond(dates: DateColumn, rank: number): Instant {
  const width = 2 ** COUNTED_BITS;
  let above = 0;
  let left = rank;
  for (const shift of COUNTED_SHIFTS) {
    const unit = 2 ** shift;
    const counts = new Uint32Array(width);
    for (let message = 0; message < dates.length; message++) {
      const date = dates.at(message)!;
      if (!(date >= FIRST_MAIL)) continue;
      const place = Math.floor(date / SECOND_MS / unit) - above * width;
      if (place >= 0 && place < width) counts[place]!++;
    }
    let place = 0;
    for (; left >= counts[place]!; place++) left -= counts[place]!;
    above = above * width + place;
  }
  return above * SECOND_MS;
}

/** True for a date outside of what is believed: it is shown as it was written, and nothing is sorted by it. */
export function isStray(date: Instant, { earliest, latest }: BelievedDates): boolean {
  return date < earliest || date > latest;
}

/**
 * What a message is sorted by: when it was sent, else when it was received, the first of them that is believed; else it
 * is undated.
 */
export function sortingDate(
  sentAt: Instant | null,
  receivedAt: Instant | null,
  believed: BelievedDates,
): Instant | null {
  if (sentAt !== null && !isStray(sentAt, believed)) return sentAt;
  return receivedAt === null || isStray(receivedAt, believed) ? null : receivedAt;
}

function wholeSecond(instant: Instant): Instant {
  return Math.floor(instant / SECOND_MS) * SECOND_MS;
}
