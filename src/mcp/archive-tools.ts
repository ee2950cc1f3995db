import * as z from "zod";
import { ArchiveError } from "../errors.ts";
import type { Archive } from "../mail/archive.ts";
import { mentionedValues } from "../mail/mentioned-values.ts";
import type { Contact, ContactDetail } from "../mail/records/contact.ts";
import { MENTION_KINDS } from "../mail/records/mention.ts";
import { subjectsFirst } from "../mail/records/topic.ts";
import { MAX_QUERY_CHARACTERS } from "../search/query/query-syntax.ts";
import { countOf, formatCount } from "../text/tokens/format-count.ts";
import type { Block, ToolResult } from "./answer.ts";
import { dateText, personText } from "./message-lines.ts";
import { plainLine } from "./plain-text.ts";
import { toolRow } from "./tool-row.ts";

/** Maximum people, topics and mailboxes of the overview. */
const OVERVIEW_ROWS = 10;
/** People read per query. */
const PAGE_ROWS = 25;
/** Limit of the aliases, topics and correspondents returned per person. */
const MAX_ALIASES = 20;
const MAX_TOPICS = 5;
const MAX_COUNTERPARTS = 8;

const blocksOf = (lines: readonly string[]): readonly Block[] => lines.map((line) => ({ head: [line] }));

export const overview = toolRow({
  name: "overview",
  title: "Overview",
  description:
    "Overview of this mail archive: counts, date range, most active people, topics and mailboxes. Start here.",
  parameters: {},
  async find({ archive }, _, start) {
    const lines = [...(await totalLines(archive)), ...(await peopleLines(archive)), ...(await groupLines(archive))];
    return { preface: [], blocks: blocksOf(lines).slice(start.block) };
  },
});

async function totalLines(archive: Archive): Promise<readonly string[]> {
  const stats = await archive.stats();
  const { sources, options } = await archive.provenance();
  return [
    `${countOf(stats.totalMessages, "message")} in ${countOf(stats.totalThreads, "thread")}, ${countOf(stats.totalContacts, "contact")}, ${countOf(stats.totalAttachments, "attachment")}, ${countOf(stats.totalCalendarEvents, "calendar event")}`,
    `From ${dateText(stats.dateRange.earliest)} to ${dateText(stats.dateRange.latest)} UTC`,
    `${countOf(sources.length, "source")}, read ${dateText(stats.extractedAt)} UTC`,
    ...(options.redact.length === 0 ? [] : [`Redacted: ${options.redact.join(", ")}`]),
  ];
}

async function peopleLines(archive: Archive): Promise<readonly string[]> {
  const { items } = await archive.contacts.list("frequency", { limit: OVERVIEW_ROWS, offset: 0 });
  return ["Most active people:", ...items.map((contact) => `  ${contactLine(contact)}`)];
}

async function groupLines(archive: Archive): Promise<readonly string[]> {
  const topics = await archive.topics.list("frequency", OVERVIEW_ROWS + 1);
  const mailboxes = (await archive.messages.mailboxes()).toSorted((a, b) => b.messages - a.messages);
  return [
    "Topics:",
    ...subjectsFirst(topics.items).map(
      ({ id, name, messageCount }) => `  ${id} ${plainLine(name)}: ${formatCount(messageCount)}`,
    ),
    `Largest of ${countOf(mailboxes.length, "mailbox").replace(/xs$/, "xes")}:`,
    ...mailboxes
      .slice(0, OVERVIEW_ROWS)
      .map(({ mailbox, messages }) => `  ${plainLine(mailbox)}: ${formatCount(messages)}`),
  ];
}

function contactLine(contact: Contact): string {
  const { id, sentCount, receivedCount } = contact;
  return `${id} ${personText(contact)}: ${formatCount(sentCount)} sent, ${formatCount(receivedCount)} received`;
}

export const findPeople = toolRow({
  name: "find_people",
  title: "Find people",
  description: "Find people, roles and lists by part of a name or address, most active first.",
  parameters: { query: z.string().max(200).default("").describe("part of a name or address; empty lists everyone") },
  async find({ archive }, { query }, start) {
    const page = (offset: number) => archive.contacts.list("frequency", { limit: PAGE_ROWS, offset }, query);
    const first = await page(start.block);
    async function* blocks(): AsyncGenerator<Block> {
      let { items } = first;
      for (let offset = start.block; items.length > 0; ) {
        for (const contact of items) yield { head: [contactLine(contact)] };
        offset += items.length;
        if (offset >= first.total) return;
        ({ items } = await page(offset));
      }
    }
    return { preface: [countOf(first.total, "contact")], blocks: blocks() };
  },
});

export const listMentions = toolRow({
  name: "list_mentions",
  title: "List mentions",
  description:
    "People of the archive, other people, organizations, phone numbers, IBANs, amounts, sites and reference numbers mentioned in message text, most frequent first.",
  parameters: {
    kind: z
      .enum(MENTION_KINDS)
      .default("mentions")
      .describe("kind of mention; `mentions` are people of the archive, `others` other people"),
    query: z.string().max(MAX_QUERY_CHARACTERS).default("").describe("query that messages match; empty for all mail"),
    search: z.string().max(200).default("").describe("part of a value"),
  },
  async find({ archive }, wanted, start) {
    const found = await mentionedValues(archive, { ...wanted, match: "all" });
    const isWithout = (await archive.provenance()).options.mentions !== true;
    const preface = isWithout ? "The archive was extracted without mentions" : countOf(found.length, "value");
    const lines = found.slice(start.block).map(({ value, messages, query }) => {
      const clause = query === "" ? "" : `, ${plainLine(query)}`;
      return `${plainLine(value)}: ${countOf(messages, "message")}${clause}`;
    });
    return { preface: [preface], blocks: blocksOf(lines) };
  },
});

export const person = toolRow({
  name: "person",
  title: "A person",
  description: "One person: addresses with the evidence for merging them, activity, topics and correspondents.",
  parameters: { id: z.string().max(400).describe("contact id (contact-000012) or an address") },
  async find({ archive }, { id }, start): Promise<ToolResult> {
    const contact = await contactOf(archive, id);
    const lines = [...standingLines(contact), ...(await companyLines(archive, contact))];
    return { preface: [], blocks: blocksOf(lines).slice(start.block) };
  },
});

/** By id or address. Throws NOT_FOUND. */
async function contactOf(archive: Archive, id: string): Promise<ContactDetail> {
  const wanted = id.trim().toLowerCase();
  const isOwnId = /^contact-\d+$/.test(wanted);
  const owns = ({ email, aliases }: Contact): boolean =>
    [email, ...aliases].some((address) => address.toLowerCase() === wanted);
  const found = isOwnId
    ? wanted
    : (await archive.contacts.list("frequency", { limit: PAGE_ROWS, offset: 0 }, wanted)).items.find(owns)?.id;
  const contact = found === undefined ? null : await archive.contacts.get(found);
  if (contact === null)
    throw new ArchiveError("NOT_FOUND", `contact ${plainLine(id)} not found; use find_people to search by name`);
  return contact;
}

function standingLines(contact: ContactDetail): readonly string[] {
  const others = contact.evidence.filter(({ address }) => address !== contact.email);
  return [
    `${contactLine(contact)}, ${contact.frequency} frequency`,
    `Seen ${dateText(contact.firstSeen)} to ${dateText(contact.lastSeen)} UTC`,
    ...others.slice(0, MAX_ALIASES).map(({ address, reason }) => `Also ${plainLine(address)}: ${plainLine(reason)}`),
    ...(others.length > MAX_ALIASES
      ? [`and ${countOf(others.length - MAX_ALIASES, "more address").replace(/s$/, "es")}`]
      : []),
  ];
}

async function companyLines(archive: Archive, { id, commonTopics }: ContactDetail): Promise<readonly string[]> {
  const [writers] = await archive.explore.facets({
    query: `to:${id}`,
    match: "all",
    of: ["from"],
    limit: MAX_COUNTERPARTS,
  });
  const topics = await Promise.all(
    commonTopics.slice(0, MAX_TOPICS).map(async ({ topicId, frequency }) => {
      const name = (await archive.topics.get(topicId))?.name ?? "";
      return `  ${topicId} ${plainLine(name)}: ${formatCount(frequency)}`;
    }),
  );
  const counted = writers!.values.map(({ label, count }) => `  ${plainLine(label)}: ${formatCount(count)}`);
  return [
    ...(topics.length === 0 ? [] : ["Topics:", ...topics]),
    ...(counted.length === 0 ? [] : ["Correspondents:", ...counted]),
  ];
}
