import type { Frequency, Sentiment } from "../../mail/records/contact.ts";
import type { ContactOrdinal, TopicOrdinal } from "../../mail/records/ordinal.ts";
import { blob, choice, instant, integer, key, optional, real, record, text, word, words } from "./column.ts";
import { table } from "./table.ts";

export const CONTACTS = table("contacts", {
  ordinal: key<ContactOrdinal>("id"),
  email: word("email"),
  name: text("name"),
  nameKey: word("name_key"),
  /** Name and addresses in one folded text. */
  searchKey: word("search_key"),
  messageCount: integer("message_count"),
  sentCount: integer("sent_count"),
  receivedCount: integer("received_count"),
  frequency: choice<Frequency>("frequency"),
  firstSeen: instant("first_seen"),
  lastSeen: instant("last_seen"),
  sentiment: choice<Sentiment>("sentiment"),
  community: integer("community"),
  authorityScore: real("authority"),
  hubScore: real("hub"),
  pagerank: real("pagerank"),
  degree: integer("degree"),
  inDegree: integer("in_degree"),
  outDegree: integer("out_degree"),
  aliases: words("aliases"),
  domains: words("domains"),
});

export const ADDRESSES = table(
  "addresses",
  {
    contact: integer<ContactOrdinal>("contact_id"),
    position: integer("position"),
    address: word("address"),
    addressKey: word("address_key"),
    reason: optional(word("reason")),
  },
  { keys: "PRIMARY KEY(contact_id, position)", options: " WITHOUT ROWID" },
);

export const EDGES = table(
  "edges",
  {
    from: integer<ContactOrdinal>("from_id"),
    to: integer<ContactOrdinal>("to_id"),
    count: integer("count"),
    weight: real("weight"),
  },
  { keys: "PRIMARY KEY(from_id, to_id)", options: " WITHOUT ROWID" },
);

/** Messages of each contact (contact-messages.ts) and its most frequent topics. */
export const CONTACT_MESSAGES = table("contact_messages", {
  contact: key<ContactOrdinal>("contact_id"),
  entries: blob("entries"),
  topics: record<readonly (readonly [topic: TopicOrdinal, messages: number])[]>("topics"),
});
