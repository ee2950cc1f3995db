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

/**
 * The dates that are believed in an archive: none before there was mail, none after the extraction, and none that lies
 * further from the range that holds 99 % of the mail than that range is wide (five years at least). Depends on the
 * dates, not on their order. A clock that says that most of the mail is yet to be sent is not asked.
 *
 * @param dates when messages say they were sent; NaN where they do not tell. Is left as it is.
 */
export function believedDates(dates: Float64Array, extractedAt: Instant): BelievedDates {
  const limit = wholeSecond(extractedAt) + AHEAD_MS + SECOND_MS - 1;
  const known = dates.filter((date) => date >= FIRST_MAIL).sort();
  const past = countUpTo(known, limit);
  const isClockWrong = known.length >= TELLING_MESSAGES && past < known.length / 2;
  const possible = isClockWrong ? known : known.subarray(0, past);
  const latest = isClockWrong ? Number.MAX_SAFE_INTEGER : limit;
  if (possible.length < TELLING_MESSAGES) return { earliest: FIRST_MAIL, latest };
  const cut = Math.floor(
    Math.max(possible.length * END_SHARE, Math.min(END_MESSAGES, possible.length * MAX_END_SHARE)),
  );
  const first = wholeSecond(possible[cut]!);
  const last = wholeSecond(possible[possible.length - 1 - cut]!);
  const margin = Math.max(MIN_MARGIN_MS, last - first);
  return { earliest: Math.max(FIRST_MAIL, first - margin), latest: Math.min(latest, last + margin + SECOND_MS - 1) };
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

/** How many of some ascending numbers are not greater than a limit. */
function countUpTo(ascending: Float64Array, limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
