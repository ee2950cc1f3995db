import { DAY_MS, type Instant } from "./instant.ts";

/**
 * First and last instant, both inclusive, at which mail of an archive may have been sent; whole seconds, like dates in
 * documents.
 */
export interface PlausibleDateRange {
  readonly earliest: Instant;
  readonly latest: Instant;
}

const SECOND_MS = 1000;
/** Mail between machines was first sent in 1971: an earlier date is a clock that was never set. */
const FIRST_MAIL: Instant = Date.UTC(1971, 0, 1);
/** Maximum time by which a sender's clock may be ahead of ours. */
const AHEAD_MS = DAY_MS;
/** With fewer dated messages, a majority in the future does not indicate a wrong system clock. */
const TELLING_MESSAGES = 20;
/** Later dates are always implausible, even if this machine's clock is wrong. */
const LAST_MAIL: Instant = Date.UTC(2100, 0, 1);
/** Milliseconds by which a sent date may exceed the receipt date: clocks and time zones are off by a day or two. */
const LATE_MS = 2 * DAY_MS;
/**
 * The same for earlier dates. Mail that is fetched again years later gets a new Received field, but its date is right.
 */
const EARLY_MS = 10 * 365.25 * DAY_MS;

/** Dates by message, in memory or in a file; NaN if a message has none. */
export interface DateColumn {
  readonly length: number;
  at(message: number): number | undefined;
}

/**
 * Plausible dates of an archive: after email was invented, and before the extraction. A date is not implausible only
 * because few others are near it. If the system clock would put most of the mail in the future, it is ignored. @param
 * dates sent dates of the messages
 */
export function plausibleDates(dates: DateColumn, extractedAt: Instant): PlausibleDateRange {
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
  return { earliest: FIRST_MAIL, latest: isClockWrong ? LAST_MAIL : limit };
}

/** True for an implausible date: it is shown as written, but not used for sorting. */
export function isOutlier(date: Instant, { earliest, latest }: PlausibleDateRange): boolean {
  return date < earliest || date > latest;
}

/** Maximum difference in milliseconds between the date of a message and its receipt. */
export const CONTRADICTION = { late: LATE_MS, early: EARLY_MS } as const;

/** True if a message cannot have been sent at that time, given its receipt date. */
function isContradicted(sentAt: Instant, receivedAt: Instant): boolean {
  return sentAt - receivedAt > LATE_MS || receivedAt - sentAt > EARLY_MS;
}

/**
 * Sorting date of a message: the sent date, else the receipt date, whichever is plausible; else undated.
 * Contradicting dates are implausible.
 */
export function sortingDate(
  sentAt: Instant | null,
  receivedAt: Instant | null,
  believed: PlausibleDateRange,
): Instant | null {
  const received = receivedAt === null || isOutlier(receivedAt, believed) ? null : receivedAt;
  if (sentAt === null || isOutlier(sentAt, believed)) return received;
  return received !== null && isContradicted(sentAt, received) ? received : sentAt;
}

/**
 * Receipt date according to the store; null if the message's own date is plausible, since copied stores have later
 * dates. @param storedAt when it was added to the store
 */
export function receivedByStore(sentAt: Instant | null, storedAt: Instant): Instant | null {
  const isPossible = sentAt !== null && sentAt >= FIRST_MAIL && sentAt - storedAt <= LATE_MS;
  return isPossible ? null : storedAt;
}

function wholeSecond(instant: Instant): Instant {
  return Math.floor(instant / SECOND_MS) * SECOND_MS;
}
