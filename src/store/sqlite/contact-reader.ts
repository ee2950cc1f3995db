import type { ContactEdge, ContactReader, ContactSort, Listed, Page } from "../../mail/archive.ts";
import type { AddressEvidence, Contact, ContactDetail, Frequency, Sentiment } from "../../mail/contact.ts";
import { foldKey } from "../../mail/fold-key.ts";
import { communityId, contactId, messageId, ordinalOf, topicId } from "../../mail/ids.ts";
import { entryMessage, readEntries } from "./contact-messages.ts";
import { CONTACT_ORDERS, contactSearch, type FoundContacts } from "./contact-search.ts";
import type { SqliteDatabase } from "./database.ts";
import { decodeList } from "./json-columns.ts";
import type { ArchiveCounters } from "./meta-table.ts";
import { rowBatches } from "./row-batches.ts";

type ContactColumns = readonly [
  id: number,
  email: string,
  name: string,
  messageCount: number,
  sentCount: number,
  receivedCount: number,
  frequency: Frequency,
  firstSeen: number | null,
  lastSeen: number | null,
  sentiment: Sentiment,
  community: number,
  authority: number,
  hub: number,
  pagerank: number,
  degree: number,
  inDegree: number,
  outDegree: number,
  aliases: string | null,
  domains: string | null,
];

const COLUMNS = `id, email, name, message_count, sent_count, received_count, frequency, first_seen, last_seen, sentiment, community, authority, hub,
  pagerank, degree, in_degree, out_degree, aliases, domains`;

/** Edges of a batch. */
const BATCH_EDGES = 4096;

export function contactReader(database: SqliteDatabase, counters: ArchiveCounters): ContactReader {
  const contact = database.prepare(`SELECT ${COLUMNS} FROM contacts WHERE id = ?`).raw();
  const standing = database.prepare("SELECT entries, topics FROM contact_messages WHERE contact_id = ?");
  const evidence = database.prepare("SELECT address, reason FROM addresses WHERE contact_id = ? AND reason IS NOT NULL ORDER BY position");
  const texts = contactSearch(database);

  function found(search: string, sort: ContactSort, page: Page): FoundContacts {
    if (foldKey(search) !== "") return texts.find(search, sort, page);
    const { index, order } = CONTACT_ORDERS[sort];
    const walk = database.prepare(`SELECT id FROM contacts INDEXED BY ${index} ORDER BY ${order} LIMIT ? OFFSET ?`).pluck();
    return { ordinals: walk.all(page.limit, page.offset) as number[], total: counters.contacts };
  }

  return {
    async list(sort, page, search = ""): Promise<Listed<Contact>> {
      const { ordinals, total } = found(search, sort, page);
      return { items: ordinals.map((ordinal) => toContact(contact.get(ordinal) as ContactColumns)), total };
    },
    async get(id): Promise<ContactDetail | null> {
      const ordinal = ordinalOf("contact", id);
      const row = ordinal === null ? undefined : (contact.get(ordinal) as ContactColumns | undefined);
      if (row === undefined) return null;
      const stands = standing.get(row[0]) as { entries: Uint8Array; topics: string } | undefined;
      return {
        ...toContact(row),
        // Made when it is read: a page about a contact names none of a hundred thousand.
        get messageIds() {
          return stands === undefined ? [] : Array.from(readEntries(stands.entries), (entry) => messageId(entryMessage(entry)));
        },
        commonTopics:
          stands === undefined
            ? []
            : (JSON.parse(stands.topics) as [number, number][]).map(([topic, frequency]) => ({ topicId: topicId(topic), frequency })),
        evidence: evidence.all(row[0]) as AddressEvidence[],
      };
    },
    async *scan() {
      for await (const rows of rowBatches<ContactColumns>(database, "contacts", COLUMNS)) yield rows.map(toContact);
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
    yield rows.map((row) => ({ from: contactId(row[0]), to: contactId(row[1]), count: row[2], weight: row[3] }));
    last = [end[0], end[1]];
  }
}

function toContact(row: ContactColumns): Contact {
  return {
    id: contactId(row[0]),
    name: row[2],
    email: row[1],
    messageCount: row[3],
    sentCount: row[4],
    receivedCount: row[5],
    frequency: row[6],
    firstSeen: row[7],
    lastSeen: row[8],
    sentiment: row[9],
    communityId: communityId(row[10]),
    authorityScore: row[11],
    hubScore: row[12],
    pagerank: row[13],
    degree: row[14],
    inDegree: row[15],
    outDegree: row[16],
    aliases: decodeList(row[17]),
    domains: decodeList(row[18]),
  };
}
