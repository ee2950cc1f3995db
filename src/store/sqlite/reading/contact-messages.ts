import { PagedUint8Column } from "../../../columns/paged-column.ts";
import { type Group, PagedGroups } from "../../../columns/paged-groups.ts";
import type { PagedMemory } from "../../../columns/paged-memory.ts";
import type { ContactOrdinal, MarkedColumn, TopicOrdinal } from "../../../mail/records/ordinal.ts";
import type { ContactRole } from "../../../search/indexing/search-source.ts";
import type { RecipientRow } from "../../contract/rows.ts";
import {
  type ContactEntries,
  entryMessage,
  entryRoles,
  messagesInRole,
  ROLE_SHIFT,
  ROLES,
  readEntries,
} from "../../reading/contact-entries.ts";
import { CONTACT_MESSAGES } from "../../tables/contact-tables.ts";
import { TOPICS } from "../../tables/knowledge-tables.ts";
import { encodeRow, insertSql } from "../../tables/table.ts";
import type { SqliteDatabase } from "../database/database.ts";

const ROLE_COMBINATIONS = 16;

/** Pairs of contact and entry, collected in any order, mostly in a file. */
export interface ContactMessages {
  add(message: number, sender: number | null, recipients: readonly RecipientRow[]): void;
  /** Clears the contacts named so far for a message, and adds others. Call once per message. */
  replace(message: number, sender: number | null, recipients: readonly RecipientRow[]): void;
  /** Writes the blobs and the topic counts derived from them. Call once: it releases the pairs. */
  write(): void;
}

export function contactMessages(database: SqliteDatabase, memory: PagedMemory): ContactMessages {
  const pairs = new PagedGroups(memory);
  for (const [contact, blob] of database
    .prepare("SELECT contact_id, entries FROM contact_messages")
    .raw()
    .iterate() as IterableIterator<[number, Uint8Array]>) {
    for (const entry of readEntries(blob)) pairs.push(contact, entry);
  }
  /** Pairs from before the first replaced message, and 1 for each message whose old pairs no longer count. */
  let before = 0;
  const replaced = new PagedUint8Column(memory);
  const add: ContactMessages["add"] = (message, sender, recipients) => {
    if (sender !== null) pairs.push(sender, message | (ROLES.from << ROLE_SHIFT));
    for (const { contact, kind } of recipients) pairs.push(contact, message | (ROLES[kind] << ROLE_SHIFT));
  };
  /** The current pairs, without the earlier ones of replaced messages. */
  function counting(): PagedGroups {
    if (replaced.length === 0) return pairs;
    const kept = new PagedGroups(memory);
    for (let at = 0; at < pairs.length; at++) {
      const entry = pairs.members.at(at);
      const message = entryMessage(entry);
      if (at >= before || message >= replaced.length || replaced.at(message) === 0) kept.push(pairs.keys.at(at), entry);
    }
    pairs.clear();
    return kept;
  }
  return {
    add,
    replace(message, sender, recipients) {
      if (replaced.length === 0) before = pairs.length;
      replaced.extend(message + 1, 0);
      replaced.set(message, 1);
      add(message, sender, recipients);
    },
    write() {
      const counted = counting();
      writeEntries(database, counted.byKey());
      counted.clear();
      replaced.clear();
    },
  };
}

/** Finds the messages that name a contact in a role. */
export function addresseeFinder(database: SqliteDatabase): (contact: number, role: ContactRole) => number[] {
  const blob = database.prepare("SELECT entries FROM contact_messages WHERE contact_id = ?").pluck();
  return (contact, role) => {
    const stored = blob.get(contact) as Uint8Array | undefined;
    return stored === undefined ? [] : messagesInRole(readEntries(stored), role);
  };
}

/** Iterates over the entries of all contacts. */
export function* contactEntries(database: SqliteDatabase): Generator<ContactEntries> {
  const rows = database.prepare("SELECT contact_id, entries FROM contact_messages").raw().iterate();
  for (const [contact, blob] of rows as IterableIterator<[number, Uint8Array]>)
    yield { contact, entries: readEntries(blob) };
}

function writeEntries(database: SqliteDatabase, contacts: Iterable<Group>): void {
  const ranks = messageRanks(database);
  const topics = topicCounter(database);
  database.exec("DELETE FROM contact_messages");
  const insert = database.prepare(insertSql(CONTACT_MESSAGES));
  for (const { key: contact, members: own } of contacts) {
    const merged = own.subarray(0, mergeNewestFirst(own, ranks));
    const blob = Buffer.from(merged.buffer, merged.byteOffset, merged.byteLength);
    insert.run(
      ...encodeRow(CONTACT_MESSAGES, {
        contact: contact as ContactOrdinal,
        entries: blob,
        topics: topics.count(contact, merged),
      }),
    );
  }
  topics.write();
}

/**
 * Sorts the entries of one contact by newest message and merges those of one message, in place. Returns the number
 * left.
 */
function mergeNewestFirst(own: Uint32Array, { rankOf, messageAt }: MessageRanks): number {
  // With the rank instead of the message, entries sort as numbers, without a call per pair.
  for (let index = 0; index < own.length; index++) {
    const entry = own[index]!;
    own[index] = rankOf[entryMessage(entry)]! * ROLE_COMBINATIONS + entryRoles(entry);
  }
  own.sort();
  let length = 0;
  for (const ranked of own) {
    const message = messageAt[Math.floor(ranked / ROLE_COMBINATIONS)]!;
    const roles = (ranked % ROLE_COMBINATIONS) << ROLE_SHIFT;
    if (length > 0 && entryMessage(own[length - 1]!) === message) own[length - 1] = (own[length - 1]! | roles) >>> 0;
    else own[length++] = (message | roles) >>> 0;
  }
  return length;
}

/** Positions of messages sorted by newest first, undated last. */
interface MessageRanks {
  /** Position by ordinal. */
  readonly rankOf: Uint32Array;
  /** Ordinal by position. */
  readonly messageAt: Uint32Array;
}

function messageRanks(database: SqliteDatabase): MessageRanks {
  const highest = (database.prepare("SELECT max(id) FROM messages").pluck().get() as number | null) ?? 0;
  const rankOf = new Uint32Array(highest + 1);
  const messageAt = new Uint32Array(highest + 1);
  let rank = 0;
  for (const id of database
    .prepare("SELECT id FROM messages ORDER BY sent_at DESC, id")
    .pluck()
    .iterate() as IterableIterator<number>) {
    rankOf[id] = rank;
    messageAt[rank] = id;
    rank++;
  }
  return { rankOf, messageAt };
}

/** Topics named for a contact, and contacts named for a topic. */
const STRONGEST_KEPT = 10;

interface TopicCounter {
  /** Counts one contact's entries; returns its strongest topics as `[topic, messages]`. */
  count(contact: number, entries: Uint32Array): readonly (readonly [TopicOrdinal, number])[];
  /** Writes the strongest contacts of every topic. */
  write(): void;
}

function topicCounter(database: SqliteDatabase): TopicCounter {
  const topicOf = messageTopics(database);
  const contactsOf = new Map<number, [contact: number, messages: number][]>();

  function addContact(topic: number, contact: number, messages: number): void {
    let strongest = contactsOf.get(topic);
    if (strongest === undefined) contactsOf.set(topic, (strongest = []));
    if (strongest.length === STRONGEST_KEPT && strongest[STRONGEST_KEPT - 1]![1] >= messages) return;
    strongest.push([contact, messages]);
    strongest.sort(byStrength);
    strongest.length = Math.min(strongest.length, STRONGEST_KEPT);
  }

  return {
    count(contact, entries) {
      const counts = new Map<TopicOrdinal, number>();
      for (const entry of entries) {
        const topic = topicOf[entryMessage(entry)]!;
        counts.set(topic, (counts.get(topic) ?? 0) + 1);
      }
      for (const [topic, messages] of counts) addContact(topic, contact, messages);
      return [...counts].sort(byStrength).slice(0, STRONGEST_KEPT);
    },
    write() {
      const update = database.prepare("UPDATE topics SET key_contacts = ? WHERE id = ?");
      for (const [topic, strongest] of contactsOf) update.run(TOPICS.columns.keyContacts.encode(strongest), topic);
    },
  };
}

function byStrength(a: readonly [number, number], b: readonly [number, number]): number {
  return b[1] - a[1] || a[0] - b[0];
}

function messageTopics(database: SqliteDatabase): MarkedColumn<TopicOrdinal> {
  const highest = (database.prepare("SELECT max(id) FROM messages").pluck().get() as number | null) ?? 0;
  const topics = new Int32Array(highest + 1) as MarkedColumn<TopicOrdinal>;
  const rows = database.prepare("SELECT id, topic_id FROM messages").raw().iterate();
  for (const [id, topic] of rows as IterableIterator<[number, TopicOrdinal]>) topics[id] = topic;
  return topics;
}
