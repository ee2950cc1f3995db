import { chmodSync, rmSync } from "node:fs";
import { PRIVATE_FILE, syncFile } from "../../files/durable-files.ts";
import type { BelievedDates } from "../../mail/believed-dates.ts";
import type { CalendarEvent } from "../../mail/calendar-event.ts";
import type { ArchivedItem } from "../../mail/item.ts";
import type { RunRecord, SourceRecord, Warning } from "../../mail/provenance.ts";
import type {
  ArchiveRecord,
  ContactPair,
  ContactRow,
  CopyRow,
  EdgeRow,
  MessageContactsRow,
  MessageRow,
  MessageSkeleton,
  MessageThreadRow,
  NextOrdinals,
  StoredCopy,
  ThreadRow,
  TopicRow,
} from "../rows.ts";
import { contactMessages } from "./contact-messages.ts";
import { replaceContacts, replaceEdges } from "./contact-writer.ts";
import { openForWriting, type SqliteDatabase, writing } from "./database.ts";
import { addEvents, addItems, removeItems } from "./event-writer.ts";
import { sealFile, unsealFile } from "./file-checksums.ts";
import { mailboxIds } from "./mailbox-ids.ts";
import { messageWriter } from "./message-writer.ts";
import { type ArchiveCounters, META, type MetaTable, metaTable, readJson } from "./meta-table.ts";
import { migrate } from "./migrations.ts";
import { addRun, addWarnings, forgetWarnings, replaceSources } from "./provenance-writer.ts";
import { createIndexes, createTables, dropIndexes } from "./schema.ts";
import { messageKeys, messageSkeletons, storedCopies } from "./skeleton-reader.ts";
import { restoreWrittenDates, settleDates } from "./sorting-dates.ts";
import { replaceThreads, replaceTopics } from "./thread-writer.ts";

/** Rows an index row costs when kept while rows come in, against one of a full sort: beyond a quarter the sort is cheaper. */
const REBUILD_SHARE = 0.25;

/**
 * Fills one archive file, synchronously and in one transaction. Rows are copied during the call. `replace…` puts what it gets
 * in the place of all that is there. Any error leaves the file unusable: call `abort`. Errors are ArchiveErrors DISK_FULL
 * and OUTPUT_UNWRITABLE, or faults of the caller (an ordinal used twice).
 */
export interface ArchiveWriter {
  /** Messages with everything of their own. Ordinals are new, and best ascending. */
  addMessages(rows: readonly MessageRow[]): void;
  /** Further places of stored messages; places that are known change nothing. Gives the number of those that were not. */
  addCopies(rows: readonly CopyRow[]): number;
  /** New thread and topic of stored messages. */
  setMessageThreads(rows: Iterable<MessageThreadRow>): void;
  /** New author and recipients, as contacts, of stored messages. */
  setMessageContacts(rows: Iterable<MessageContactsRow>): void;
  /** Everything of contact `from` becomes contact `to`'s; pairs apply one after the other. */
  remapContacts(pairs: Iterable<ContactPair>): void;
  addEvents(events: Iterable<CalendarEvent>): void;
  replaceEvents(events: Iterable<CalendarEvent>): void;
  addItems(items: Iterable<ArchivedItem>): void;
  /** Removes stored items; their ordinals are never used again. */
  removeItems(ordinals: Iterable<number>): void;
  replaceThreads(rows: Iterable<ThreadRow>): void;
  /** Contacts with their addresses and the evidence of each. */
  replaceContacts(rows: Iterable<ContactRow>): void;
  replaceEdges(rows: Iterable<EdgeRow>): void;
  replaceTopics(rows: Iterable<TopicRow>): void;
  replaceSources(sources: readonly SourceRecord[]): void;
  /** Keeps the first 10,000 over all runs and counts the rest. */
  addWarnings(warnings: readonly Warning[]): void;
  /** Removes the warnings of these sources, which are read again. */
  forgetWarnings(sources: readonly number[]): void;
  addRun(run: RunRecord): void;
  /** What provenance says of the whole; must be set once before `finish` of a new archive. */
  setRecord(record: ArchiveRecord): void;
  record(): ArchiveRecord | null;
  setMeta(key: string, value: string | Uint8Array): void;
  getMeta(key: string): string | Uint8Array | null;
  /** Every stored message without body, in id order. Nothing may be written while it runs. */
  messageSkeletons(): Iterable<MessageSkeleton>;
  /** Every further place of stored messages where something differs, in the order of messages, and of places within one. */
  copies(): Iterable<StoredCopy>;
  /** Ordinal, Message-ID and content key of every stored message, in id order. */
  messageKeys(): Iterable<{ readonly ordinal: number; readonly messageId: string; readonly contentKey: Uint8Array }>;
  /** Fast in an archive opened for append; in one that is new (and has no index yet) keep your own set. */
  hasMessage(messageId: string, contentKey: Uint8Array): boolean;
  nextOrdinals(): NextOrdinals;
  /** Sorts messages by dates that are believed; once, when all are added. Until then a growing archive has its dates as they were written. */
  settleDates(believed: BelievedDates): void;
  /** For the other tables of this floor (`search-index.ts`); the rows added so far can be read through it. */
  database(): SqliteDatabase;
  /** Writes counters and indexes, syncs and closes the file. The caller renames it. */
  finish(): void;
  /** Closes and removes the file. */
  abort(): void;
}

/** A new archive in a new file: the caller gives a temporary name beside the final one and renames it after `finish`. */
export function createSqliteArchive(path: string): ArchiveWriter {
  return writing(path, () => {
    rmSync(path, { force: true });
    const database = openForWriting(path, "create");
    // SQLite lets others read a file that it makes.
    chmodSync(path, PRIVATE_FILE);
    createTables(database);
    return archiveWriter(database, path);
  });
}

/** An archive that grows: the file is a copy the caller made, and may be lost. Throws NOT_AN_ARCHIVE or ARCHIVE_VERSION. */
export function growSqliteArchive(path: string): ArchiveWriter {
  unsealFile(path);
  const database = openForWriting(path, "append");
  try {
    migrate(database, path);
    return archiveWriter(database, path);
  } catch (error) {
    database.close();
    throw error;
  }
}

function archiveWriter(database: SqliteDatabase, path: string): ArchiveWriter {
  const guard = <T>(write: () => T): T => writing(path, write);
  database.exec("BEGIN");
  guard(() => restoreWrittenDates(database));
  const meta = metaTable(database);
  const mailboxes = mailboxIds(database);
  const contacts = contactMessages(database);
  const messages = messageWriter(database, mailboxes, contacts);
  const next = ordinalCounter(meta);
  const indexes = indexUpkeep(database);
  const find = database.prepare("SELECT 1 FROM messages WHERE message_id = ? AND content_key = ?");
  return {
    addMessages(rows) {
      guard(() => {
        indexes.expect(rows.length);
        messages.addMessages(rows);
        for (const row of rows) next.saw("message", row.ordinal);
      });
    },
    addCopies: (rows) => guard(() => messages.addCopies(rows)),
    setMessageThreads: (rows) => guard(() => messages.setMessageThreads(rows)),
    setMessageContacts: (rows) => guard(() => messages.setMessageContacts(rows)),
    remapContacts: (pairs) => guard(() => messages.remapContacts(pairs)),
    addEvents: (events) => guard(() => next.saw("event", addEvents(database, events))),
    replaceEvents(events) {
      guard(() => {
        database.exec("DELETE FROM events");
        next.saw("event", addEvents(database, events));
      });
    },
    addItems: (items) => guard(() => next.saw("item", addItems(database, items))),
    removeItems: (ordinals) => guard(() => removeItems(database, ordinals)),
    replaceThreads: (rows) => guard(() => next.saw("thread", replaceThreads(database, rows))),
    replaceContacts: (rows) => guard(() => next.saw("contact", replaceContacts(database, rows))),
    replaceEdges: (rows) => guard(() => replaceEdges(database, rows)),
    replaceTopics: (rows) => guard(() => next.saw("topic", replaceTopics(database, rows))),
    replaceSources: (sources) => guard(() => replaceSources(database, sources)),
    addWarnings: (warnings) => guard(() => addWarnings(database, meta, warnings)),
    forgetWarnings: (sources) => guard(() => forgetWarnings(database, sources)),
    addRun: (run) => guard(() => addRun(database, run)),
    setRecord: (record) => guard(() => meta.set(META.record, JSON.stringify(record))),
    record: () => readJson<ArchiveRecord>(meta, META.record),
    setMeta: (key, value) => guard(() => meta.set(key, value)),
    getMeta: (key) => meta.get(key),
    messageSkeletons() {
      messages.flush();
      return messageSkeletons(database);
    },
    copies() {
      messages.flush();
      return storedCopies(database);
    },
    messageKeys() {
      messages.flush();
      return messageKeys(database);
    },
    hasMessage(messageId, contentKey) {
      messages.flush();
      return find.get(messageId, contentKey) !== undefined;
    },
    nextOrdinals: () => next.ordinals(),
    settleDates(believed) {
      guard(() => {
        messages.flush();
        settleDates(database, believed);
      });
    },
    database() {
      messages.flush();
      return database;
    },
    finish() {
      if (readJson(meta, META.record) === null) throw new TypeError("setRecord must be called before finish");
      guard(() => {
        messages.finish();
        mailboxes.flush();
        meta.set(META.nextOrdinals, JSON.stringify(next.ordinals()));
        createIndexes(database);
        contacts.write();
        meta.set(META.counters, JSON.stringify(countArchive(database)));
        meta.set(META.sealedRuns, String(countRuns(database)));
        database.pragma(`analysis_limit = ${ANALYSED_ROWS}`);
        database.exec("ANALYZE; COMMIT");
        database.close();
        sealFile(path);
        syncFile(path);
      });
    },
    abort() {
      database.close();
      rmSync(path, { force: true });
    },
  };
}

const countRuns = (database: SqliteDatabase): number => database.prepare("SELECT count(*) FROM runs").pluck().get() as number;

/** Rows ANALYZE looks at in an index: our queries name their index, so the planner needs no more than a notion of the sizes. */
const ANALYSED_ROWS = 400;

interface OrdinalCounter {
  saw(kind: keyof NextOrdinals, ordinal: number): void;
  ordinals(): NextOrdinals;
}

/** Ordinals once given out are never given again, even when what had them is gone. */
function ordinalCounter(meta: MetaTable): OrdinalCounter {
  const next = { message: 1, contact: 1, thread: 1, topic: 1, event: 1, item: 1, ...readJson<NextOrdinals>(meta, META.nextOrdinals) };
  return {
    saw(kind, ordinal) {
      if (ordinal >= next[kind]) next[kind] = ordinal + 1;
    },
    ordinals: () => ({ ...next }),
  };
}

/** Drops the indexes of a growing archive once so much is added that making them anew costs less than keeping them. */
function indexUpkeep(database: SqliteDatabase): { expect(rows: number): void } {
  const stored = database.prepare("SELECT count(*) FROM messages").pluck().get() as number;
  let added = 0;
  let dropped = stored === 0;
  return {
    expect(rows) {
      added += rows;
      if (dropped || added < stored * REBUILD_SHARE) return;
      dropIndexes(database);
      dropped = true;
    },
  };
}

function countArchive(database: SqliteDatabase): ArchiveCounters {
  const number = (sql: string): number => database.prepare(sql).pluck().get() as number;
  const [earliest, latest] = ["min", "max"].map(
    (end) => database.prepare(`SELECT ${end}(sent_at) FROM messages`).pluck().get() as number | null,
  );
  return {
    messages: number("SELECT count(*) FROM messages"),
    contacts: number("SELECT count(*) FROM contacts"),
    threads: number("SELECT count(*) FROM threads"),
    multiMessageThreads: number("SELECT count(*) FROM threads WHERE message_count > 1"),
    topics: number("SELECT count(*) FROM topics"),
    events: number("SELECT count(*) FROM events"),
    items: number("SELECT count(*) FROM items"),
    attachments: number("SELECT count(*) FROM attachments"),
    earliest: earliest ?? null,
    latest: latest ?? null,
  };
}
