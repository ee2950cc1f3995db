import type { ContactEdge, ContactReader, ContactSort, Listed } from "../mail/archive.ts";
import type { AddressEvidence, Contact, ContactDetail, Frequency, Sentiment } from "../mail/contact.ts";
import { foldKey } from "../mail/fold-key.ts";
import { communityId, contactId, messageId, ordinalOf, topicId } from "../mail/ids.ts";
import { entryMessage, readEntries } from "./contact-messages.ts";
import type { SqliteDatabase } from "./database.ts";
import { decodeList } from "./json-columns.ts";
import type { ArchiveCounters } from "./meta-table.ts";
import { rowBatches } from "./row-batches.ts";

interface ContactColumns {
  id: number;
  email: string;
  name: string;
  message_count: number;
  sent_count: number;
  received_count: number;
  frequency: Frequency;
  first_seen: number | null;
  last_seen: number | null;
  sentiment: Sentiment;
  community: number;
  authority: number;
  hub: number;
  pagerank: number;
  degree: number;
  in_degree: number;
  out_degree: number;
  aliases: string | null;
  domains: string | null;
}

const ORDERS: Record<ContactSort, { readonly index: string; readonly order: string }> = {
  frequency: { index: "contacts_by_count", order: "message_count DESC, id" },
  name: { index: "contacts_by_name", order: "name_key, id" },
  last_seen: { index: "contacts_by_last_seen", order: "last_seen DESC, id" },
};

/** Edges of a batch. */
const BATCH_EDGES = 4096;

export function contactReader(database: SqliteDatabase, counters: ArchiveCounters): ContactReader {
  const contact = database.prepare("SELECT * FROM contacts WHERE id = ?");
  const standing = database.prepare("SELECT entries, topics FROM contact_messages WHERE contact_id = ?");
  const evidence = database.prepare("SELECT address, reason FROM addresses WHERE contact_id = ? AND reason IS NOT NULL ORDER BY position");
  const count = database.prepare("SELECT count(*) FROM contacts NOT INDEXED WHERE instr(search_key, ?) > 0").pluck();

  return {
    async list(sort, page, search = ""): Promise<Listed<Contact>> {
      const { index, order } = ORDERS[sort];
      const text = foldKey(search).toWellFormed();
      const from = text === "" ? `contacts INDEXED BY ${index}` : "contacts NOT INDEXED WHERE instr(search_key, ?) > 0";
      const values = text === "" ? [] : [text];
      const ids = database
        .prepare(`SELECT id FROM ${from} ORDER BY ${order} LIMIT ? OFFSET ?`)
        .pluck()
        .all(values, page.limit, page.offset) as number[];
      const items = ids.map((id) => toContact(contact.get(id) as ContactColumns));
      return { items, total: text === "" ? counters.contacts : (count.get(text) as number) };
    },
    async get(id): Promise<ContactDetail | null> {
      const ordinal = ordinalOf("contact", id);
      const row = ordinal === null ? undefined : (contact.get(ordinal) as ContactColumns | undefined);
      if (row === undefined) return null;
      const stands = standing.get(row.id) as { entries: Buffer; topics: string } | undefined;
      return {
        ...toContact(row),
        messageIds: stands === undefined ? [] : Array.from(readEntries(stands.entries), (entry) => messageId(entryMessage(entry))),
        commonTopics:
          stands === undefined
            ? []
            : (JSON.parse(stands.topics) as [number, number][]).map(([topic, frequency]) => ({ topicId: topicId(topic), frequency })),
        evidence: evidence.all(row.id) as AddressEvidence[],
      };
    },
    async *scan() {
      for await (const rows of rowBatches<ContactColumns>(database, "contacts")) yield rows.map(toContact);
    },
    edges: () => edgeBatches(database),
  };
}

async function* edgeBatches(database: SqliteDatabase): AsyncGenerator<readonly ContactEdge[]> {
  const after = database
    .prepare("SELECT from_id, to_id, count, weight FROM edges WHERE (from_id, to_id) > (?, ?) ORDER BY from_id, to_id LIMIT ?")
    .raw();
  let last: readonly [number, number] = [-1, -1];
  for (;;) {
    const rows = after.all(last[0], last[1], BATCH_EDGES) as [number, number, number, number][];
    const end = rows.at(-1);
    if (end === undefined) return;
    yield rows.map(([from, to, messages, weight]) => ({ from: contactId(from), to: contactId(to), count: messages, weight }));
    last = [end[0], end[1]];
  }
}

function toContact(row: ContactColumns): Contact {
  return {
    id: contactId(row.id),
    name: row.name,
    email: row.email,
    messageCount: row.message_count,
    sentCount: row.sent_count,
    receivedCount: row.received_count,
    frequency: row.frequency,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
    sentiment: row.sentiment,
    communityId: communityId(row.community),
    authorityScore: row.authority,
    hubScore: row.hub,
    pagerank: row.pagerank,
    degree: row.degree,
    inDegree: row.in_degree,
    outDegree: row.out_degree,
    aliases: decodeList(row.aliases),
    domains: decodeList(row.domains),
  };
}
