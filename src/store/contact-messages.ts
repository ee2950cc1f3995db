import { Uint32Column } from "../mail/column.ts";
import type { SqliteDatabase } from "./database.ts";
import type { RecipientRow } from "./rows.ts";

/**
 * Which contact stands in which message: per contact one blob of 32-bit entries, newest message first, undated last. An
 * entry is the message's ordinal with the contact's roles in the top four bits. A table of pairs with an index would be
 * eight times as large and cost as much as all other indexes together.
 */

/** Roles of a contact in a message, as bits. */
export const ROLES = { from: 1, to: 2, cc: 4, bcc: 8 } as const;
const ROLE_SHIFT = 28;
/** Messages an archive may hold: what the roles leave of 32 bits. */
export const MAX_MESSAGE_ORDINAL = 2 ** ROLE_SHIFT - 1;

export const entryMessage = (entry: number): number => entry & MAX_MESSAGE_ORDINAL;
export const entryRoles = (entry: number): number => entry >>> ROLE_SHIFT;

/** Pairs of contact and entry, gathered in any order. */
export interface ContactMessages {
  add(message: number, sender: number | null, recipients: readonly RecipientRow[]): void;
  /** Forgets every contact of these messages. */
  clear(messages: ReadonlySet<number>): void;
  /** Everything of contact `from` becomes contact `to`'s. */
  remap(targets: ReadonlyMap<number, number>): void;
  /** Writes the blobs and the topic counts that follow from them. */
  write(): void;
}

export function contactMessages(database: SqliteDatabase): ContactMessages {
  let contacts = new Uint32Column();
  let entries = new Uint32Column();
  for (const [contact, blob] of database.prepare("SELECT contact_id, entries FROM contact_messages").raw().iterate() as IterableIterator<
    [number, Buffer]
  >) {
    for (const entry of readEntries(blob)) {
      contacts.push(contact);
      entries.push(entry);
    }
  }
  return {
    add(message, sender, recipients) {
      if (sender !== null) {
        contacts.push(sender);
        entries.push(message | (ROLES.from << ROLE_SHIFT));
      }
      for (const { contact, kind } of recipients) {
        contacts.push(contact);
        entries.push(message | (ROLES[kind] << ROLE_SHIFT));
      }
    },
    clear(messages) {
      const keptContacts = new Uint32Column();
      const keptEntries = new Uint32Column();
      for (let index = 0; index < entries.length; index += 1) {
        if (messages.has(entryMessage(entries.at(index)))) continue;
        keptContacts.push(contacts.at(index));
        keptEntries.push(entries.at(index));
      }
      contacts = keptContacts;
      entries = keptEntries;
    },
    remap(targets) {
      for (let index = 0; index < contacts.length; index += 1) {
        const target = targets.get(contacts.at(index));
        if (target !== undefined) contacts.set(index, target);
      }
    },
    write() {
      writeEntries(database, contacts.view(), entries.view());
    },
  };
}

/** The entries of one contact as stored. */
export function readEntries(blob: Uint8Array): Uint32Array {
  const entries = new Uint32Array(blob.byteLength >> 2);
  new Uint8Array(entries.buffer).set(blob.subarray(0, entries.byteLength));
  return entries;
}

function writeEntries(database: SqliteDatabase, contacts: Uint32Array, entries: Uint32Array): void {
  const ranks = messageRanks(database);
  const newestFirst = countingOrder(
    entries.map((entry) => ranks[entryMessage(entry)]!),
    null,
  );
  const order = countingOrder(contacts, newestFirst);
  const topics = topicCounter(database);
  database.exec("DELETE FROM contact_messages");
  const insert = database.prepare("INSERT INTO contact_messages(contact_id, entries, topics) VALUES (?, ?, ?)");
  const merged = new Uint32Array(entries.length);
  for (let start = 0; start < order.length; ) {
    const contact = contacts[order[start]!]!;
    let length = 0;
    let index = start;
    for (; index < order.length && contacts[order[index]!] === contact; index += 1) {
      const entry = entries[order[index]!]!;
      if (length > 0 && entryMessage(merged[length - 1]!) === entryMessage(entry)) merged[length - 1] = (merged[length - 1]! | entry) >>> 0;
      else merged[length++] = entry;
    }
    const own = merged.subarray(0, length);
    insert.run(contact, Buffer.from(own.buffer, 0, length * 4), JSON.stringify(topics.count(contact, own)));
    start = index;
  }
  topics.write();
}

/** Place of every message in the order newest first, undated last, by ordinal. */
function messageRanks(database: SqliteDatabase): Uint32Array {
  const highest = (database.prepare("SELECT max(id) FROM messages").pluck().get() as number | null) ?? 0;
  const ranks = new Uint32Array(highest + 1);
  let rank = 0;
  for (const id of database.prepare("SELECT id FROM messages ORDER BY sent_at DESC, id").pluck().iterate() as IterableIterator<number>) {
    ranks[id] = rank;
    rank += 1;
  }
  return ranks;
}

/** Stable order of the indexes of small whole-number keys, starting from an earlier order: linear, where a sort is not. */
function countingOrder(keys: Uint32Array, from: Uint32Array | null): Uint32Array {
  let highest = 0;
  for (const key of keys) if (key > highest) highest = key;
  const starts = new Uint32Array(highest + 2);
  for (const key of keys) starts[key + 1]! += 1;
  for (let value = 1; value < starts.length; value += 1) starts[value]! += starts[value - 1]!;
  const order = new Uint32Array(keys.length);
  for (let place = 0; place < keys.length; place += 1) {
    const index = from === null ? place : from[place]!;
    const key = keys[index]!;
    const slot = starts[key]!;
    starts[key] = slot + 1;
    order[slot] = index;
  }
  return order;
}

/** Topics named for a contact, and contacts named for a topic. */
const STRONGEST_KEPT = 10;

interface TopicCounter {
  /** Counts one contact's entries; returns its strongest topics as `[topic, messages]`. */
  count(contact: number, entries: Uint32Array): readonly (readonly [number, number])[];
  /** Writes the strongest contacts of every topic. */
  write(): void;
}

function topicCounter(database: SqliteDatabase): TopicCounter {
  const topicOf = messageTopics(database);
  const contactsOf = new Map<number, [contact: number, messages: number][]>();
  const highestTopic = topicOf.reduce((highest, topic) => Math.max(highest, topic), 0);
  const tally = new Uint32Array(highestTopic + 1);
  return {
    count(contact, entries) {
      const touched: number[] = [];
      for (const entry of entries) {
        const topic = topicOf[entryMessage(entry)]!;
        if (tally[topic] === 0) touched.push(topic);
        tally[topic]! += 1;
      }
      const counts = touched.map((topic): [number, number] => [topic, tally[topic]!]);
      for (const [topic, messages] of counts) {
        tally[topic] = 0;
        const strongest = contactsOf.get(topic) ?? [];
        contactsOf.set(topic, strongest);
        if (strongest.length === STRONGEST_KEPT && strongest[STRONGEST_KEPT - 1]![1] >= messages) continue;
        strongest.push([contact, messages]);
        strongest.sort(byStrength);
        strongest.length = Math.min(strongest.length, STRONGEST_KEPT);
      }
      return counts.sort(byStrength).slice(0, STRONGEST_KEPT);
    },
    write() {
      const update = database.prepare("UPDATE topics SET key_contacts = ? WHERE id = ?");
      for (const [topic, strongest] of contactsOf) update.run(JSON.stringify(strongest), topic);
    },
  };
}

function byStrength(a: readonly [number, number], b: readonly [number, number]): number {
  return b[1] - a[1] || a[0] - b[0];
}

function messageTopics(database: SqliteDatabase): Uint32Array {
  const highest = (database.prepare("SELECT max(id) FROM messages").pluck().get() as number | null) ?? 0;
  const topics = new Uint32Array(highest + 1);
  const rows = database.prepare("SELECT id, topic_id FROM messages").raw().iterate();
  for (const [id, topic] of rows as IterableIterator<[number, number]>) topics[id] = topic;
  return topics;
}
