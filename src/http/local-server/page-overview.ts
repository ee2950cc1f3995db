import type { Archive, MailboxTotal } from "../../mail/archive.ts";
import type { Contact } from "../../mail/contact.ts";
import type { ArchiveStatistics } from "../../mail/provenance.ts";
import { subjectsFirst, type Topic } from "../../mail/topic.ts";

/** Contacts, topics and mailboxes shown; the rest is reached by search. */
const SHOWN_CONTACTS = 12;
const SHOWN_TOPICS = 12;
const SHOWN_MAILBOXES = 12;
/**
 * Share of all dated mail that may be left out at either end: clocks of senders are wrong by decades, by two thousand
 * years even.
 */
const STRAY_SHARE = 0.01;
/** Months without any mail that still lie within the time line of an archive. */
const MAX_GAP_MONTHS = 24;
/** Bars of the time line: more than this are narrower than a pixel of a small screen. */
const MAX_BARS = 240;

export interface TimelineBar {
  /** `2001-05`, or `2001` when years are shown. */
  readonly span: string;
  readonly messages: number;
}

/** What the page shows of an archive before anybody asks. */
export interface PageOverview {
  readonly source: string;
  readonly statistics: ArchiveStatistics;
  readonly timeline: readonly TimelineBar[];
  readonly contacts: readonly Contact[];
  readonly topics: readonly Topic[];
  readonly mailboxes: readonly MailboxTotal[];
  readonly mailboxCount: number;
}

export async function collectOverview(archive: Archive, source: string): Promise<PageOverview> {
  const [statistics, contacts, topics, mailboxes, months] = await Promise.all([
    archive.stats(),
    archive.contacts.list("frequency", { limit: SHOWN_CONTACTS, offset: 0 }),
    archive.topics.list("frequency", SHOWN_TOPICS + 1),
    archive.messages.mailboxes(),
    archive.messages.timeline(),
  ]);
  const largest = [...mailboxes].sort((left, right) => right.messages - left.messages);
  return {
    source,
    statistics,
    timeline: timelineBars(months),
    contacts: contacts.items,
    topics: subjectsFirst(topics.items).slice(0, SHOWN_TOPICS),
    mailboxes: largest.slice(0, SHOWN_MAILBOXES),
    mailboxCount: mailboxes.length,
  };
}

/** Every month from the first to the last, empty ones included; years when there are too many months. */
export function timelineBars(
  months: readonly { readonly month: string; readonly messages: number }[],
): readonly TimelineBar[] {
  const kept = withoutStrays(months);
  const [first, last] = [kept[0], kept.at(-1)];
  if (first === undefined || last === undefined) return [];
  const totals = new Map(kept.map(({ month, messages }) => [monthNumber(month), messages]));
  const [start, end] = [monthNumber(first.month), monthNumber(last.month)];
  if (end - start < MAX_BARS) {
    return Array.from({ length: end - start + 1 }, (_, index) => ({
      span: monthName(start + index),
      messages: totals.get(start + index) ?? 0,
    }));
  }
  const years = new Map<number, number>();
  for (const [month, messages] of totals)
    years.set(Math.floor(month / 12), (years.get(Math.floor(month / 12)) ?? 0) + messages);
  const lastYear = Math.floor(end / 12);
  const firstYear = Math.max(Math.floor(start / 12), lastYear - MAX_BARS + 1);
  return Array.from({ length: lastYear - firstYear + 1 }, (_, index) => ({
    span: String(firstYear + index).padStart(4, "0"),
    messages: years.get(firstYear + index) ?? 0,
  }));
}

/** The months that hold nearly all mail, and on both sides those that follow without a long gap. */
function withoutStrays<T extends { readonly month: string; readonly messages: number }>(
  months: readonly T[],
): readonly T[] {
  let start = quantile(months, STRAY_SHARE);
  let end = months.length - 1 - quantile(months.toReversed(), STRAY_SHARE);
  const isNear = (index: number): boolean => {
    const [early, late] = [months[index], months[index + 1]];
    return (
      early !== undefined && late !== undefined && monthNumber(late.month) - monthNumber(early.month) <= MAX_GAP_MONTHS
    );
  };
  while (isNear(start - 1)) start--;
  while (isNear(end)) end++;
  return months.slice(start, end + 1);
}

/** Index of the month in which the given share of all mail is passed. */
function quantile(months: readonly { readonly messages: number }[], share: number): number {
  const wanted = months.reduce((sum, { messages }) => sum + messages, 0) * share;
  let passed = 0;
  return Math.max(
    0,
    months.findIndex(({ messages }) => (passed += messages) > wanted),
  );
}

function monthNumber(month: string): number {
  return Number(month.slice(0, -3)) * 12 + Number(month.slice(-2)) - 1;
}

function monthName(number: number): string {
  return `${String(Math.floor(number / 12)).padStart(4, "0")}-${String((number % 12) + 1).padStart(2, "0")}`;
}
