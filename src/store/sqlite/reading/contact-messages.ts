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
import { encodeRow, upsertSql } from "../../tables/table.ts";
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
  /** Pairs from before the first replaced message, and 1 for each message whose old pairs no longer count. */
  let before = 0;
  const replaced = new PagedUint8Column(memory);
  const add: ContactMessages["add"] = (message, sender, recipients) => {
    if (sender !== null) pairs.push(sender, message | (ROLES.from << ROLE_SHIFT));
    for (const { contact, kind } of recipients) pairs.push(contact, message | (ROLES[kind] << ROLE_SHIFT));
  };
  const isReplaced = (entry: number): boolean =>
    entryMessage(entry) < replaced.length && replaced.at(entryMessage(entry)) === 1;
  /** The added pairs, without earlier ones of replaced messages. */
  function counting(): PagedGroups {
    if (replaced.length === 0) return pairs;
    const kept = new PagedGroups(memory);
    for (let at = 0; at < pairs.length; at++) {
      const entry = pairs.members.at(at);
      if (at >= before || !isReplaced(entry)) kept.push(pairs.keys.at(at), entry);
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
      const left = (entries: Uint32Array): Uint32Array =>
        replaced.length === 0 ? entries : entries.filter((entry) => !isReplaced(entry));
      writeEntries(database, { added: counted.byKey(), left });
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

/** Rows of contacts read at a time. */
const ROWS_READ = 256;

interface StoredRow {
  readonly contact: number;
  readonly blob: Uint8Array;
  /** As stored. */
  readonly topics: string;
}

/** Stored rows in contact order, in batches, so that rows can be written between them. */
function* storedRows(database: SqliteDatabase): Generator<StoredRow> {
  const statement = database.prepare(
    "SELECT contact_id AS contact, entries AS blob, topics FROM contact_messages WHERE contact_id > ? ORDER BY contact_id LIMIT ?",
  );
  for (let last = -1; ; ) {
    const rows = statement.all(last, ROWS_READ) as readonly StoredRow[];
    yield* rows;
    if (rows.length < ROWS_READ) return;
    last = rows.at(-1)!.contact;
  }
}

interface ChangedEntries {
  /** Entries to add, by contact, ascending. */
  readonly added: Iterator<Group>;
  /** Stored entries that still count. */
  left(entries: Uint32Array): Uint32Array;
}

/** Writes the rows of contacts whose entries, their order or topics differ from those stored. */
function writeEntries(database: SqliteDatabase, { added, left }: ChangedEntries): void {
  const ranks = messageRanks(database);
  const topics = topicCounter(database);
  const upsert = database.prepare(upsertSql(CONTACT_MESSAGES, ["contact"], ["entries", "topics"]));
  const remove = database.prepare("DELETE FROM contact_messages WHERE contact_id = ?");
  const write = (contact: number, entries: Uint32Array, stored: StoredRow | null): void => {
    const isSame = stored !== null && entries.byteLength === stored.blob.byteLength && isNewestFirst(entries, ranks);
    const merged = isSame ? entries : entries.subarray(0, mergeNewestFirst(entries, ranks));
    if (merged.length === 0) {
      remove.run(contact);
      return;
    }
    const counts = topics.count(contact, merged);
    if (isSame && CONTACT_MESSAGES.columns.topics.encode(counts) === stored.topics) return;
    const blob = Buffer.from(merged.buffer, merged.byteOffset, merged.byteLength);
    upsert.run(...encodeRow(CONTACT_MESSAGES, { contact: contact as ContactOrdinal, entries: blob, topics: counts }));
  };
  let next = added.next();
  const writeBefore = (contact: number): void => {
    for (; next.done !== true && next.value.key < contact; next = added.next())
      write(next.value.key, next.value.members, null);
  };
  for (const row of storedRows(database)) {
    writeBefore(row.contact);
    const kept = left(readEntries(row.blob));
    if (next.done === true || next.value.key !== row.contact) {
      write(row.contact, kept, row);
      continue;
    }
    write(row.contact, joined(kept, next.value.members), row);
    next = added.next();
  }
  writeBefore(Number.POSITIVE_INFINITY);
  topics.write();
}

function joined(kept: Uint32Array, added: Uint32Array): Uint32Array {
  const all = new Uint32Array(kept.length + added.length);
  all.set(kept);
  all.set(added, kept.length);
  return all;
}

/** True for the result of `mergeNewestFirst`. */
function isNewestFirst(entries: Uint32Array, { rankOf }: MessageRanks): boolean {
  let previous = -1;
  for (const entry of entries) {
    const rank = rankOf[entryMessage(entry)]!;
    if (rank <= previous) return false;
    previous = rank;
  }
  return true;
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
  /** By topic; all zero between two contacts. */
  const counted = new Uint32Array(topicOf.reduce((highest, topic) => Math.max(highest, topic), 0) + 1);
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
      const named: TopicOrdinal[] = [];
      for (const entry of entries) {
        const topic = topicOf[entryMessage(entry)]!;
        if (counted[topic]!++ === 0) named.push(topic);
      }
      const counts = named.map((topic): [TopicOrdinal, number] => [topic, counted[topic]!]);
      for (const [topic, messages] of counts) {
        counted[topic] = 0;
        addContact(topic, contact, messages);
      }
      return counts.sort(byStrength).slice(0, STRONGEST_KEPT);
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
