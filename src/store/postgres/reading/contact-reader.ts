import type { ContactEdge, ContactReader, ContactSort, Listed, Page } from "../../../mail/archive.ts";
import type { AddressEvidence, Contact, ContactDetail } from "../../../mail/records/contact.ts";
import { contactId, ordinalOf } from "../../../mail/records/ids.ts";
import { foldKey } from "../../../mail/words/fold-key.ts";
import type { ArchiveCounters } from "../../reading/archive-counters.ts";
import { CONTACT, contactDetail, EDGE, STANDING, toContact, toContactEdge } from "../../reading/contact-mapper.ts";
import {
  type ContactMatches,
  type ContactTexts,
  contactTexts,
  findContacts,
  placesInOrder,
} from "../../reading/contact-texts.ts";
import { once } from "../../reading/once.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import { ordinalList } from "../client/selection.ts";
import { validIn } from "../client/valid-rows.ts";
import { orderedPage } from "../collections/list-orders.ts";
import type { OpenEpoch } from "../collections/open-epoch.ts";
import { rowBatches } from "../collections/row-batches.ts";
import { ownersOf } from "./contact-of-address.ts";

/** Edges of a batch. */
const BATCH_EDGES = 4096;

export function contactReader(epoch: OpenEpoch, counters: ArchiveCounters): ContactReader {
  // Folded names and addresses of all contacts, read by the first search and kept as one string.
  const texts = once(async (): Promise<ContactTexts> => {
    const rows = await epoch.rows(`SELECT id, search_key FROM contacts WHERE ${validIn("contacts")} ORDER BY id`);
    return contactTexts(rows as [number, string][]);
  });
  const orders = new Map<ContactSort, Uint32Array>();

  async function orderOf(sort: ContactSort): Promise<Uint32Array> {
    const known = orders.get(sort);
    if (known !== undefined) return known;
    const whole = { limit: counters.contacts, offset: 0 };
    const order = placesInOrder(await texts(), await orderedPage(epoch, `contacts.${sort}`, whole));
    orders.set(sort, order);
    return order;
  }

  async function found(search: string, sort: ContactSort, page: Page): Promise<ContactMatches> {
    if (foldKey(search) !== "") return findContacts(await texts(), { text: search, order: await orderOf(sort), page });
    return { ordinals: await orderedPage(epoch, `contacts.${sort}`, page), total: counters.contacts };
  }

  return {
    async list(sort, page, search = ""): Promise<Listed<Contact>> {
      const { ordinals, total } = await found(search, sort, page);
      const rows = await epoch.rows(
        `SELECT ${CONTACT.sql} FROM contacts WHERE ${validIn("contacts")} AND id = ANY($2::int8[])`,
        ordinalList(ordinals),
      );
      const byOrdinal = new Map(rows.map((row) => [row[CONTACT.at.ordinal], row]));
      return { items: ordinals.map((ordinal) => toContact(byOrdinal.get(ordinal)!)), total };
    },
    async get(id): Promise<ContactDetail | null> {
      const ordinal = ordinalOf("contact", id);
      if (ordinal === null) return null;
      const [row] = await epoch.rows(
        `SELECT ${CONTACT.sql} FROM contacts WHERE ${validIn("contacts")} AND id = $2`,
        ordinal,
      );
      if (row === undefined) return null;
      const [stands] = await epoch.rows(
        `SELECT ${STANDING.sql} FROM contact_messages WHERE ${validIn("contact_messages")} AND contact_id = $2`,
        ordinal,
      );
      const evidence = await epoch.rows(
        `SELECT address, reason FROM addresses WHERE ${validIn("addresses")} AND contact_id = $2 AND reason IS NOT NULL ORDER BY position`,
        ordinal,
      );
      return contactDetail(row, stands, evidence.map(toldEvidence));
    },
    async ofAddresses(addresses) {
      const owner = await ownersOf(
        epoch,
        addresses.filter((address) => address !== ""),
      );
      return addresses.map((address) => {
        const found = address === "" ? null : owner(address);
        return found === null ? null : { id: contactId(found.contact), name: found.name };
      });
    },
    async *scan() {
      for await (const rows of rowBatches(epoch, "contacts", CONTACT.sql)) yield rows.map(toContact);
    },
    edges: () => edgeBatches(epoch),
  };
}

function toldEvidence([address, reason]: readonly SqlValue[]): AddressEvidence {
  return { address, reason } as AddressEvidence;
}

async function* edgeBatches(epoch: OpenEpoch): AsyncGenerator<readonly ContactEdge[]> {
  let last: readonly [number, number] = [-1, -1];
  for (;;) {
    const rows = await epoch.rows(
      `SELECT ${EDGE.sql} FROM edges WHERE ${validIn("edges")} AND (from_id, to_id) > ($2::int8, $3::int8)
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
