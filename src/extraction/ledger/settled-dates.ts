import type { PagedFloat64Column } from "../../columns/paged-column.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import { type PlausibleDateRange, plausibleDates, sortingDate } from "../../mail/dates/plausible-dates.ts";

/** The range of plausible dates. */
export interface SettledDates {
  readonly believed: PlausibleDateRange;
  /** Number of new messages outside it. */
  readonly doubted: number;
  /** Messages with another date than they have themselves. */
  readonly redated: readonly number[];
}

/**
 * Replaces sent dates by sorting dates; NaN for none. @param restored messages of earlier runs, which come first: their
 * implausible dates were counted by those runs
 */
export function settleDates(
  sentAt: PagedFloat64Column,
  receivedAt: PagedFloat64Column,
  { restored, extractedAt }: { readonly restored: number; readonly extractedAt: Instant },
): SettledDates {
  const believed = plausibleDates(sentAt, extractedAt);
  let doubted = 0;
  const redated: number[] = [];
  for (let message = 0; message < sentAt.length; message++) {
    const sent = instantOf(sentAt.at(message));
    const date = sortingDate(sent, instantOf(receivedAt.at(message)), believed);
    if (date === sent) continue;
    if (sent !== null && message >= restored) doubted++;
    redated.push(message);
    sentAt.set(message, date ?? Number.NaN);
  }
  return { believed, doubted, redated };
}

function instantOf(value: number): Instant | null {
  return Number.isNaN(value) ? null : value;
}
