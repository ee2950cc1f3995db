import type { PagedFloat64Column } from "../../columns/paged-column.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import { type PlausibleDateRange, plausibleDates, sortingDate } from "../../mail/dates/plausible-dates.ts";

/** The range of plausible dates, and the number of new messages outside it. */
interface SettledDates {
  readonly believed: PlausibleDateRange;
  readonly doubted: number;
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
  for (let message = 0; message < sentAt.length; message++) {
    const sent = instantOf(sentAt.at(message));
    const date = sortingDate(sent, instantOf(receivedAt.at(message)), believed);
    if (sent !== null && date !== sent && message >= restored) doubted++;
    sentAt.set(message, date ?? Number.NaN);
  }
  return { believed, doubted };
}

function instantOf(value: number): Instant | null {
  return Number.isNaN(value) ? null : value;
}
