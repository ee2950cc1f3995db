import type { ContactEdge } from "../../mail/archive.ts";
import type { AddressEvidence, Contact, ContactDetail } from "../../mail/records/contact.ts";
import { communityId, contactId, messageId, topicId } from "../../mail/records/ids.ts";
import type { ContactRow, EdgeRow } from "../contract/rows.ts";
import type { RowOf } from "../tables/column.ts";
import { CONTACT_MESSAGES, CONTACTS, EDGES } from "../tables/contact-tables.ts";
import type { SqlValue } from "../tables/sql-value.ts";
import { selection } from "../tables/table.ts";
import { entryMessage, readEntries } from "./contact-entries.ts";

type ContactColumns = Omit<ContactRow, "evidence">;
export const CONTACT = selection(
  [CONTACTS],
  CONTACTS.places
    .map(({ field }) => field as keyof ContactColumns | "nameKey" | "searchKey")
    .filter((field) => field !== "nameKey" && field !== "searchKey"),
);
export const EDGE = selection([EDGES], ["from", "to", "count", "weight"]);
export const STANDING = selection([CONTACT_MESSAGES], ["contact", "entries", "topics"]);

export function toContact(row: readonly SqlValue[]): Contact {
  const { ordinal, community, ...contact } = CONTACT.decode(row);
  return { id: contactId(ordinal), communityId: communityId(community), ...contact };
}

/** @param stands the row with the messages of the contact; undefined if there are none */
export function contactDetail(
  row: readonly SqlValue[],
  stands: readonly SqlValue[] | undefined,
  evidence: readonly AddressEvidence[],
): ContactDetail {
  const { entries, topics } = stands === undefined ? NOWHERE : STANDING.decode(stands);
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

export function toContactEdge({ from, to, count, weight }: EdgeRow): ContactEdge {
  return { from: contactId(from), to: contactId(to), count, weight };
}
