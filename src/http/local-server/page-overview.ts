import type { Archive, MailboxTotal } from "../../mail/archive.ts";
import type { Contact } from "../../mail/contact.ts";
import type { ArchiveStatistics } from "../../mail/provenance.ts";
import type { Topic } from "../../mail/topic.ts";

/** Contacts, topics and mailboxes shown; the rest is reached by search. */
const SHOWN_CONTACTS = 12;
const SHOWN_TOPICS = 12;
const SHOWN_MAILBOXES = 12;
/** Share of all dated mail that may lie outside the time line at either end: clocks of senders are wrong by decades. */
const TRIMMED_SHARE = 0.001;
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
    archive.topics.list("frequency", SHOWN_TOPICS),
    archive.messages.mailboxes(),
    archive.messages.timeline(),
  ]);
  const largest = [...mailboxes].sort((left, right) => right.messages - left.messages);
  return {
    source,
    statistics,
    timeline: timelineBars(months),
    contacts: contacts.items,
    topics: topics.items,
    mailboxes: largest.slice(0, SHOWN_MAILBOXES),
    mailboxCount: mailboxes.length,
  };
}

/** Every month from the first to the last, empty ones included; years when there are too many months. */
export function timelineBars(months: readonly { readonly month: string; readonly messages: number }[]): readonly TimelineBar[] {
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
  for (const [month, messages] of totals) years.set(Math.floor(month / 12), (years.get(Math.floor(month / 12)) ?? 0) + messages);
  const [firstYear, lastYear] = [Math.floor(start / 12), Math.floor(end / 12)];
  return Array.from({ length: Math.min(MAX_BARS, lastYear - firstYear + 1) }, (_, index) => ({
    span: String(firstYear + index).padStart(4, "0"),
    messages: years.get(firstYear + index) ?? 0,
  }));
}

/** Drops the ends that hold almost nothing. */
function withoutStrays<T extends { readonly messages: number }>(months: readonly T[]): readonly T[] {
  const allowed = months.reduce((sum, { messages }) => sum + messages, 0) * TRIMMED_SHARE;
  let start = 0;
  for (let dropped = months[0]?.messages ?? 0; dropped <= allowed && start < months.length - 1; dropped += months[start]?.messages ?? 0)
    start += 1;
  let end = months.length;
  for (let dropped = months.at(-1)?.messages ?? 0; dropped <= allowed && end > start + 1; dropped += months[end - 1]?.messages ?? 0)
    end -= 1;
  return months.slice(start, end);
}

function monthNumber(month: string): number {
  return Number(month.slice(0, -3)) * 12 + Number(month.slice(-2)) - 1;
}

function monthName(number: number): string {
  return `${String(Math.floor(number / 12)).padStart(4, "0")}-${String((number % 12) + 1).padStart(2, "0")}`;
}
