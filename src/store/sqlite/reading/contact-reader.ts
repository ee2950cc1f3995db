import type { ContactEdge, ContactReader, ContactSort, Listed, Page } from "../../../mail/archive.ts";
import type { AddressEvidence, Contact, ContactDetail } from "../../../mail/records/contact.ts";
import { contactId, ordinalOf } from "../../../mail/records/ids.ts";
import type { ContactOrdinal } from "../../../mail/records/ordinal.ts";
import { foldKey } from "../../../mail/words/fold-key.ts";
import { comparedAddress } from "../../contract/compared-address.ts";
import type { ArchiveCounters } from "../../reading/archive-counters.ts";
import { CONTACT, contactDetail, EDGE, STANDING, toContact, toContactEdge } from "../../reading/contact-mapper.ts";
import {
  type ContactMatches,
  type ContactTexts,
  contactTexts,
  findContacts,
  placesInOrder,
} from "../../reading/contact-texts.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import type { SqliteDatabase } from "../database/database.ts";
import { rowBatches } from "../database/row-batches.ts";

/** How each sort orders contacts. */
const CONTACT_ORDERS: Record<ContactSort, { readonly index: string; readonly order: string }> = {
  frequency: { index: "contacts_by_count", order: "message_count DESC, id" },
  name: { index: "contacts_by_name", order: "name_key, id" },
  last_seen: { index: "contacts_by_last_seen", order: "last_seen DESC, id" },
};

/**
 * Contacts whose name or address contains a text, ignoring case and accents. Reads all folded names and addresses on
 * first use and keeps them as one string (about 80 characters per contact): scanning it costs a fifth of scanning the
 * table.
 */
interface ContactSearch {
  find(text: string, sort: ContactSort, page: Page): ContactMatches;
}

function contactSearch(database: SqliteDatabase): ContactSearch {
  let loaded: ContactTexts | null = null;
  const orders = new Map<ContactSort, Uint32Array>();

  function orderOf(sort: ContactSort, texts: ContactTexts): Uint32Array {
    let order = orders.get(sort);
    if (order === undefined) orders.set(sort, (order = placesInOrder(texts, sortedContacts(database, sort))));
    return order;
  }

  return {
    find(text, sort, page) {
      loaded ??= readTexts(database);
      return findContacts(loaded, { text, order: orderOf(sort, loaded), page });
    },
  };
}

function readTexts(database: SqliteDatabase): ContactTexts {
  return contactTexts(
    database.prepare("SELECT id, search_key FROM contacts ORDER BY id").raw().all() as [number, string][],
  );
}

function sortedContacts(database: SqliteDatabase, sort: ContactSort): readonly number[] {
  const { index, order } = CONTACT_ORDERS[sort];
  return database.prepare(`SELECT id FROM contacts INDEXED BY ${index} ORDER BY ${order}`).pluck().all() as number[];
}

/** Edges of a batch. */
const BATCH_EDGES = 4096;

export function contactReader(database: SqliteDatabase, counters: ArchiveCounters): ContactReader {
  const contact = database.prepare(`SELECT ${CONTACT.sql} FROM contacts WHERE id = ?`).raw();
  const standing = database.prepare(`SELECT ${STANDING.sql} FROM contact_messages WHERE contact_id = ?`).raw();
  const evidence = database.prepare(
    "SELECT address, reason FROM addresses WHERE contact_id = ? AND reason IS NOT NULL ORDER BY position",
  );
  const ownName = database.prepare("SELECT name FROM contacts WHERE id = ?").pluck();
  const owner = database.prepare("SELECT min(contact_id) FROM addresses WHERE address_key = ?").pluck();
  const texts = contactSearch(database);

  function found(search: string, sort: ContactSort, page: Page): ContactMatches {
    if (foldKey(search) !== "") return texts.find(search, sort, page);
    const { index, order } = CONTACT_ORDERS[sort];
    const walk = database
      .prepare(`SELECT id FROM contacts INDEXED BY ${index} ORDER BY ${order} LIMIT ? OFFSET ?`)
      .pluck();
    return { ordinals: walk.all(page.limit, page.offset) as number[], total: counters.contacts };
  }

  return {
    async list(sort, page, search = ""): Promise<Listed<Contact>> {
      const { ordinals, total } = found(search, sort, page);
      return { items: ordinals.map((ordinal) => toContact(contact.get(ordinal) as SqlValue[])), total };
    },
    async get(id): Promise<ContactDetail | null> {
      const ordinal = ordinalOf("contact", id);
      const row = ordinal === null ? undefined : (contact.get(ordinal) as SqlValue[] | undefined);
      if (row === undefined) return null;
      const stands = standing.get(ordinal) as SqlValue[] | undefined;
      return contactDetail(row, stands, evidence.all(ordinal) as AddressEvidence[]);
    },
    async ofAddresses(addresses) {
      return addresses.map((address) => {
        const ordinal = address === "" ? null : (owner.get(comparedAddress(address)) as ContactOrdinal | null);
        return ordinal === null ? null : { id: contactId(ordinal), name: ownName.get(ordinal) as string };
      });
    },
    async *scan() {
      for await (const rows of rowBatches(database, "contacts", CONTACT.sql)) yield rows.map(toContact);
    },
    edges: () => edgeBatches(database),
  };
}

async function* edgeBatches(database: SqliteDatabase): AsyncGenerator<readonly ContactEdge[]> {
  const after = database
    .prepare(`SELECT ${EDGE.sql} FROM edges WHERE (from_id, to_id) > (?, ?) ORDER BY from_id, to_id LIMIT ?`)
    .raw();
  let last: readonly [number, number] = [-1, -1];
  for (;;) {
    const rows = (after.all(last[0], last[1], BATCH_EDGES) as SqlValue[][]).map(EDGE.decode);
    const end = rows.at(-1);
    if (end === undefined) return;
    yield rows.map(toContactEdge);
    last = [end.from, end.to];
  }
}
