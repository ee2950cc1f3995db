import type { ContactEdge, ContactReader, ContactSort, Listed, Page } from "../../mail/archive.ts";
import type { AddressEvidence, Contact, ContactDetail } from "../../mail/records/contact.ts";
import { communityId, contactId, messageId, ordinalOf, topicId } from "../../mail/records/ids.ts";
import { foldKey } from "../../mail/words/fold-key.ts";
import type { ContactRow, EdgeRow } from "../contract/rows.ts";
import type { ArchiveCounters } from "../reading/archive-counters.ts";
import { entryMessage, readEntries } from "../reading/contact-entries.ts";
import {
  type ContactMatches,
  type ContactTexts,
  contactTexts,
  findContacts,
  placesInOrder,
} from "../reading/contact-texts.ts";
import { once } from "../reading/once.ts";
import type { RowOf } from "../tables/column.ts";
import { CONTACT_MESSAGES, CONTACTS, EDGES } from "../tables/contact-tables.ts";
import { selection } from "../tables/table.ts";
import { type ArchiveRows, type Row, rowBatches } from "./archive-rows.ts";

type ContactColumns = Omit<ContactRow, "evidence">;
const CONTACT = selection(
  [CONTACTS],
  CONTACTS.places
    .map(({ field }) => field as keyof ContactColumns | "nameKey" | "searchKey")
    .filter((field) => field !== "nameKey" && field !== "searchKey"),
);
const EDGE = selection([EDGES], ["from", "to", "count", "weight"]);
const COUNTS = selection([CONTACT_MESSAGES], ["contact", "entries", "topics"]);

/** Edges of a batch. */
const BATCH_EDGES = 4096;

export function contactReader(archive: ArchiveRows, counters: ArchiveCounters): ContactReader {
  // Folded names and addresses of all contacts, about 80 characters each, read by the first search and kept as one
  // string: scanning it costs a fifth of scanning the table.
  const texts = once(async (): Promise<ContactTexts> => {
    const rows = await archive.rows(
      `SELECT id, search_key FROM contacts WHERE ${archive.valid("contacts")} ORDER BY id`,
    );
    return contactTexts(rows as unknown as [number, string][]);
  });
  const orders = new Map<ContactSort, Uint32Array>();

  async function orderOf(sort: ContactSort): Promise<Uint32Array> {
    const known = orders.get(sort);
    if (known !== undefined) return known;
    const whole = { limit: counters.contacts, offset: 0 };
    const order = placesInOrder(await texts(), await archive.page(`contacts.${sort}`, whole));
    orders.set(sort, order);
    return order;
  }

  async function found(search: string, sort: ContactSort, page: Page): Promise<ContactMatches> {
    if (foldKey(search) !== "") return findContacts(await texts(), { text: search, order: await orderOf(sort), page });
    return { ordinals: await archive.page(`contacts.${sort}`, page), total: counters.contacts };
  }

  return {
    async list(sort, page, search = ""): Promise<Listed<Contact>> {
      const { ordinals, total } = await found(search, sort, page);
      const rows = await archive.byOrdinal("contacts", CONTACT, ordinals);
      return { items: rows.map((row) => toContact(row!)), total };
    },
    async get(id): Promise<ContactDetail | null> {
      const ordinal = ordinalOf("contact", id);
      if (ordinal === null) return null;
      const [row] = await archive.byOrdinal("contacts", CONTACT, [ordinal]);
      if (row === undefined) return null;
      const [counts] = await archive.rows(
        `SELECT ${COUNTS.sql} FROM contact_messages WHERE ${archive.valid("contact_messages")} AND contact_id = ?`,
        ordinal,
      );
      const evidence = await archive.rows(
        `SELECT address, reason FROM addresses WHERE ${archive.valid("addresses")} AND contact_id = ? AND reason IS NOT NULL ORDER BY position`,
        ordinal,
      );
      return contactDetail(row, counts, evidence.map(toEvidence));
    },
    async ofAddresses(addresses) {
      const owner = await archive.owners(addresses.filter((address) => address !== ""));
      return addresses.map((address) => {
        const found = address === "" ? null : owner(address);
        return found === null ? null : { id: contactId(found.contact), name: found.name };
      });
    },
    async *scan() {
      for await (const rows of rowBatches(archive, "contacts", CONTACT.sql)) yield rows.map(toContact);
    },
    edges: () => edgeBatches(archive),
  };
}

async function* edgeBatches(archive: ArchiveRows): AsyncGenerator<readonly ContactEdge[]> {
  let last: readonly [number, number] = [-1, -1];
  for (;;) {
    const rows = await archive.rows(
      `SELECT ${EDGE.sql} FROM edges WHERE ${archive.valid("edges")} AND (from_id, to_id) > (?, ?)
       ORDER BY from_id, to_id LIMIT ${BATCH_EDGES}`,
      ...last,
    );
    const edges = rows.map(EDGE.decode);
    const end = edges.at(-1);
    if (end === undefined) return;
    yield edges.map(toContactEdge);
    last = [end.from, end.to];
  }
}

function toEvidence([address, reason]: Row): AddressEvidence {
  return { address, reason } as AddressEvidence;
}

/** Field by field: spreading one object into another takes as long as reading the row. */
function toContact(row: Row): Contact {
  const contact = CONTACT.decode(row);
  return {
    id: contactId(contact.ordinal),
    communityId: communityId(contact.community),
    email: contact.email,
    name: contact.name,
    messageCount: contact.messageCount,
    sentCount: contact.sentCount,
    receivedCount: contact.receivedCount,
    frequency: contact.frequency,
    firstSeen: contact.firstSeen,
    lastSeen: contact.lastSeen,
    sentiment: contact.sentiment,
    authorityScore: contact.authorityScore,
    hubScore: contact.hubScore,
    pagerank: contact.pagerank,
    degree: contact.degree,
    inDegree: contact.inDegree,
    outDegree: contact.outDegree,
    aliases: contact.aliases,
    domains: contact.domains,
  };
}

/** @param counts the row with the messages of the contact; undefined if there are none */
function contactDetail(row: Row, counts: Row | undefined, evidence: readonly AddressEvidence[]): ContactDetail {
  const { entries, topics } = counts === undefined ? NOWHERE : COUNTS.decode(counts);
  return {
    ...toContact(row),
    // Computed on access: a page about a contact names only a few of its messages.
    get messageIds() {
      return Array.from(readEntries(entries), (entry) => messageId(entryMessage(entry)));
    },
    commonTopics: topics.map(([topic, frequency]) => ({ topicId: topicId(topic), frequency })),
    evidence,
  };
}

const NOWHERE: Pick<RowOf<(typeof CONTACT_MESSAGES)["columns"]>, "entries" | "topics"> = {
  entries: new Uint8Array(0),
  topics: [],
};

function toContactEdge({ from, to, count, weight }: EdgeRow): ContactEdge {
  return { from: contactId(from), to: contactId(to), count, weight };
}
