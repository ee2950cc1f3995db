import type { Archive, MailboxTotal } from "../../mail/archive.ts";
import type { Contact } from "../../mail/records/contact.ts";
import { type ArchiveStatistics, damagedSources, type Provenance } from "../../mail/records/provenance.ts";
import { subjectsFirst } from "../../mail/records/topic.ts";
import { formatCount, nounOf } from "../../text/tokens/format-count.ts";
import { type ItemCounts, itemSections } from "./item-pages.ts";
import { cell, inline, section } from "./markdown.ts";
import type { PageDirectory } from "./page-directory.ts";
import { topicRow } from "./topic-pages.ts";
import { showDay, type Vault } from "./vault.ts";
import { writePage } from "./wiki-page.ts";

/** Lists that are always written. */
const LISTS = [
  ["emails/all", "All mail"],
  ["emails/inbox", "Received"],
  ["emails/sent", "Sent"],
  ["contacts", "Contacts"],
  ["threads", "Threads"],
  ["calendar", "Calendar"],
  ["network-analysis", "Network"],
] as const;
const TOP_CONTACTS = 20;
const TOP_TOPICS = 20;
/** Maximum mailboxes on the index; an Enron custodian has up to 100. */
const LISTED_MAILBOXES = 100;
/** Cells of the longest bar of the timeline. */
const BAR_CELLS = 40;
/** Months of the timeline; a longer archive is shown by year. */
const MAX_MONTHS = 72;

/** Writes index.md: a summary of the archive and links to all lists. */
export async function writeIndex(
  archive: Archive,
  directory: PageDirectory,
  { vault, items }: { readonly vault: Vault; readonly items: ItemCounts },
): Promise<void> {
  const stats = await archive.stats();
  const provenance = await archive.provenance();
  const contacts = (await archive.contacts.list("frequency", { limit: TOP_CONTACTS, offset: 0 })).items;
  const topics = (await archive.topics.list("frequency", TOP_TOPICS)).items;
  const body = [
    summary(stats),
    "",
    LISTS.map(([path, title]) => vault.links.page(path, title, false)).join(" · "),
    "",
    timeline(await archive.messages.timeline()),
    section(
      "Top people",
      ["Name", "Email", "Messages", "Last seen"],
      contacts.map((contact) => contactRow(contact, vault)),
    ),
    section(
      "Topics",
      ["Topic", "Messages", "Keywords"],
      subjectsFirst(topics).map((topic) => topicRow(topic, vault)),
    ),
    ...itemSections(items, vault),
    section(
      "Mailboxes",
      ["Mailbox", "Messages", "Source"],
      mailboxRows(await archive.messages.mailboxes(), provenance),
    ),
    section(
      "Sources",
      ["Source", "Format", "Seen", "Kept", "Duplicate", "Skipped", "Failed", "SHA-256"],
      provenance.sources.map(sourceRow),
    ),
    ...damageNotes(provenance),
    "Times are UTC. `provenance.json` lists the hash of every source and a warning for every item that could not be imported.",
    "",
  ];
  writePage(
    directory,
    {
      path: "index",
      title: "Mail archive",
      facts: {
        messages: stats.totalMessages,
        contacts: stats.totalContacts,
        threads: stats.totalThreads,
        topics: stats.totalTopics,
        earliest: showDay(stats.dateRange.earliest),
        latest: showDay(stats.dateRange.latest),
      },
      body: body.join("\n"),
    },
    vault.links,
  );
}

function summary(stats: ArchiveStatistics): string {
  const parts = [
    boldCount(stats.totalMessages, "message"),
    boldCount(stats.totalContacts, "contact"),
    `${boldCount(stats.totalThreads, "thread")} (${formatCount(stats.multiMessageThreads)} with more than one message)`,
    boldCount(stats.totalTopics, "topic"),
    boldCount(stats.totalCalendarEvents, "calendar event"),
    boldCount(stats.totalAttachments, "attachment"),
  ];
  return `${parts.join(" · ")}, ${showDay(stats.dateRange.earliest)} to ${showDay(stats.dateRange.latest)}.`;
}

/** `**1** topic`, `**60** topics`. */
function boldCount(count: number, noun: string): string {
  return `**${formatCount(count)}** ${nounOf(count, noun)}`;
}

function contactRow(contact: Contact, vault: Vault): readonly string[] {
  return [
    vault.contact(contact.id, contact.name || contact.email, true),
    cell(contact.email),
    formatCount(contact.messageCount),
    showDay(contact.lastSeen),
  ];
}

/** Mail by month as bars of text, or by year if there are too many months. Includes empty months in between. */
function timeline(months: readonly { readonly month: string; readonly messages: number }[]): string {
  if (months.length === 0) return "";
  const span = monthsBetween(months[0]!.month, months.at(-1)!.month);
  const counts = new Map<string, number>(span.length > MAX_MONTHS ? [] : span.map((month) => [month, 0]));
  for (const { month, messages } of months) {
    const key = span.length > MAX_MONTHS ? month.slice(0, 4) : month;
    counts.set(key, (counts.get(key) ?? 0) + messages);
  }
  const most = Math.max(...counts.values());
  const lines = [...counts].map(
    ([key, count]) => `${key}  ${"█".repeat(Math.ceil((count / most) * BAR_CELLS))} ${formatCount(count)}`,
  );
  return `## Timeline\n\n\`\`\`text\n${lines.join("\n")}\n\`\`\`\n`;
}

/** `YYYY-MM` of every month from the first to the last, inclusive; truncated if the span is absurdly long. */
function monthsBetween(first: string, last: string): readonly string[] {
  const months: string[] = [];
  let [year, month] = first.split("-").map(Number) as [number, number];
  for (let next = first; next <= last && months.length <= MAX_MONTHS; ) {
    months.push(next);
    month++;
    if (month > 12) {
      month = 1;
      year++;
    }
    next = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}`;
  }
  return months;
}

function mailboxRows(mailboxes: readonly MailboxTotal[], provenance: Provenance): readonly (readonly string[])[] {
  const largest = [...mailboxes].sort((a, b) => b.messages - a.messages).slice(0, LISTED_MAILBOXES);
  return largest.map(({ mailbox, messages, source }) => [
    cell(mailbox),
    formatCount(messages),
    cell(provenance.sources[source]?.path ?? ""),
  ]);
}

/** Notes on damaged sources, some of whose items may never have been found, so that no count includes them. */
function damageNotes({ sources, warnings }: Provenance): readonly string[] {
  const damaged = [...damagedSources(warnings)].map((source) => inline(sources[source]!.path));
  return damaged.length === 0 ? [] : [`Damaged sources, some messages may be missing: ${damaged.join(", ")}.`, ""];
}

function sourceRow(source: Provenance["sources"][number]): readonly string[] {
  const { seen, kept, duplicate, skipped, failed } = source.counts;
  return [
    inline(source.path),
    source.format,
    ...[seen, kept, duplicate, skipped, failed].map(formatCount),
    `\`${source.sha256.slice(0, 16)}…\``,
  ];
}
