import { chmodSync, rmSync } from "node:fs";
import { PagedMemory } from "../../../columns/paged-memory.ts";
import { systemErrorCode } from "../../../errors.ts";
import { PRIVATE_FILE, syncFile } from "../../../files/durable-files.ts";
import { PagesOnDisk } from "../../../files/spill-file.ts";
import { META } from "../../contract/archive-meta.ts";
import { type ArchiveWriter, RepeatedOrdinal } from "../../contract/archive-writer.ts";
import type { NextOrdinals } from "../../contract/rows.ts";
import type { ArchiveCounters } from "../../reading/archive-counters.ts";
import { openForWriting, type SqliteDatabase, setWritingCache } from "../database/database.ts";
import { mailboxIds } from "../database/mailbox-ids.ts";
import { type MetaTable, metaTable, readJson } from "../database/meta-table.ts";
import { migrate } from "../database/migrations.ts";
import { ANALYZED_ROWS, createIndexes, createTables, dropIndexes } from "../database/schema.ts";
import { restoreWrittenDates, settleDates } from "../database/sorting-dates.ts";
import { withSqliteFaults } from "../driver/sqlite-faults.ts";
import { sealFile, unsealFile } from "../files/file-checksums.ts";
import { contactMessages } from "../reading/contact-messages.ts";
import {
  contactAddresses,
  copiesWithOther,
  messagePlacements,
  messageSkeletons,
  storedCopies,
  storedLocations,
} from "../reading/skeleton-reader.ts";
import { writeSearchIndex } from "../search/search-index.ts";
import { replaceContacts, replaceEdges } from "./contact-writer.ts";
import { countKeptRecords } from "./count-kept-records.ts";
import { addEvents, addItems, removeItems } from "./event-writer.ts";
import { indexStoredMessages } from "./index-stored-messages.ts";
import { messageWriter } from "./message-writer.ts";
import { addRun, addWarnings, removeWarnings, replaceSources } from "./provenance-writer.ts";
import { writeRecordIndexes } from "./record-indexes.ts";
import { replaceThreads, replaceTopics, updateThreads } from "./thread-writer.ts";

/**
 * Cost of updating indexes for a row while rows are added, relative to a full sort: if more than a quarter of the
 * rows are new, sorting is cheaper.
 */
const REBUILD_SHARE = 0.25;

/** Bytes of unwritten pages in memory: enough for a few hundred thousand messages. */
const PAGES_BYTES = 8 << 20;

/** A new archive in a new file, filled in one transaction. */
export function createSqliteArchive(path: string): ArchiveWriter {
  return withSqliteFaults("writing", path, () => {
    rmSync(path, { force: true });
    const database = openForWriting(path, "create");
    // SQLite creates files that others can read.
    chmodSync(path, PRIVATE_FILE);
    createTables(database);
    return archiveWriter(database, path, true);
  });
}

/**
 * Extends a copy of an archive in one transaction; the copy may be lost. @param name the original file, for errors.
 * Throws NOT_AN_ARCHIVE, and ARCHIVE_VERSION for a newer version or a different index.
 */
export function growSqliteArchive(path: string, name = path): ArchiveWriter {
  unsealFile(path);
  const database = openForWriting(path, "append");
  try {
    migrate(database, name);
    return archiveWriter(database, path, false);
  } catch (error) {
    database.close();
    throw error;
  }
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the methods of a writer, which share its statements
function archiveWriter(database: SqliteDatabase, path: string, isNew: boolean): ArchiveWriter {
  const guard = async <T>(write: () => T): Promise<T> => withSqliteFaults("writing", path, () => tellingRepeats(write));
  setWritingCache(database, isNew);
  database.exec("BEGIN");
  withSqliteFaults("writing", path, () => restoreWrittenDates(database));
  const meta = metaTable(database);
  const mailboxes = mailboxIds(database);
  const pages = new PagesOnDisk(`${path}-pages`);
  const memory = new PagedMemory(pages, PAGES_BYTES);
  const contacts = contactMessages(database, memory);
  const messages = messageWriter(database, mailboxes, contacts);
  const next = ordinalCounter(meta);
  const indexes = indexUpkeep(database);
  let filesWithText = readJson<ArchiveCounters>(meta, META.counters)?.filesWithText ?? 0;
  /** All added rows are in their tables on return. */
  const stored = (): SqliteDatabase => {
    messages.flush();
    return database;
  };
  const finish = (): void => {
    messages.finish();
    mailboxes.flush();
    meta.set(META.nextOrdinals, JSON.stringify(next.ordinals()));
    setWritingCache(database, false);
    createIndexes(database);
    contacts.write();
    memory.clear();
    pages.remove();
    writeRecordIndexes(database, meta);
    meta.set(META.counters, JSON.stringify(countArchive(database, filesWithText)));
    meta.set(META.sealedRuns, String(countRuns(database)));
    database.pragma(`analysis_limit = ${ANALYZED_ROWS}`);
    database.exec("ANALYZE; COMMIT");
    database.close();
    sealFile(path);
    syncFile(path);
  };
  return {
    addMessages: (rows) =>
      guard(() => {
        for (const row of rows) {
          indexes.expectRow();
          messages.addMessage(row);
          filesWithText += row.fileTexts.filter((text) => text !== "").length;
          next.saw("message", row.ordinal);
        }
      }),
    addCopies: (rows) => guard(() => messages.addCopies(rows)),
    setMessageThreads: (rows) => guard(() => messages.setMessageThreads(rows)),
    setTopics: () => guard(() => void stored().exec(TOPICS_OF_THREADS)),
    setMessageQuotes: (rows) => guard(() => messages.setMessageQuotes(rows)),
    setMessageContacts: (rows) => guard(() => messages.setMessageContacts(rows)),
    addEvents: (events) => guard(() => next.saw("event", addEvents(database, events))),
    replaceEvents: (events) =>
      guard(() => {
        database.exec("DELETE FROM events");
        // An extended archive may be imported from a document, which does not record the items of events.
        if (isNew) meta.set(META.countedItems, "1");
        next.saw("event", addEvents(database, events));
      }),
    addItems: (items) => guard(() => next.saw("item", addItems(database, items))),
    removeItems: (ordinals) => guard(() => removeItems(database, ordinals)),
    replaceThreads: (rows) => guard(() => next.saw("thread", replaceThreads(database, rows))),
    updateThreads: (removed, rows) => guard(() => next.saw("thread", updateThreads(database, removed, rows))),
    replaceContacts: (rows) => guard(() => next.saw("contact", replaceContacts(database, rows))),
    replaceEdges: (rows) => guard(() => replaceEdges(database, rows)),
    replaceTopics: (rows) => guard(() => next.saw("topic", replaceTopics(database, rows))),
    replaceSources: (sources) => guard(() => replaceSources(database, sources)),
    addWarnings: (warnings, further) => guard(() => addWarnings(database, meta, { warnings, further })),
    removeWarnings: (sources) => guard(() => removeWarnings(database, sources)),
    addRun: (run) => guard(() => addRun(database, run)),
    setRecord: (record) => guard(() => meta.set(META.record, JSON.stringify(record))),
    setMeta: (key, value) => guard(() => meta.set(key, value)),
    getMeta: async (key) => meta.get(key),
    messageSkeletons: () => inBatches(messageSkeletons(stored())),
    contactAddresses: () => inBatches(contactAddresses(stored())),
    placements: () => inBatches(messagePlacements(stored())),
    copies: () => inBatches(storedCopies(stored())),
    copiesWithOtherPeople: () => inBatches(copiesWithOther(stored(), PEOPLE_FIELDS)),
    places: (source) => inBatches(storedLocations(stored(), source)),
    keptRecords: () => guard(() => countKeptRecords(stored())),
    nextOrdinals: async () => next.ordinals(),
    settleDates: (believed) => guard(() => settleDates(stored(), believed)),
    addToSearch: (paths) => guard(() => writeSearchIndex(stored(), paths, memory)),
    makeSearch: () => guard(() => indexStoredMessages(stored(), memory)),
    async finish() {
      if (readJson(meta, META.record) === null) throw new TypeError("setRecord must be called before finish");
      await guard(finish);
    },
    async abort() {
      database.close();
      pages.remove();
      rmSync(path, { force: true });
    },
  };
}

const TOPICS_OF_THREADS =
  "UPDATE messages SET topic_id = (SELECT topic_id FROM threads WHERE threads.id = messages.thread_id)";

/** A duplicate key means that two rows have the same ordinal. */
function tellingRepeats<T>(write: () => T): T {
  try {
    return write();
  } catch (cause) {
    if (!(systemErrorCode(cause) ?? "").startsWith("SQLITE_CONSTRAINT")) throw cause;
    throw new RepeatedOrdinal("duplicate ordinal", { cause });
  }
}

/** Fields of a message that name people. */
const PEOPLE_FIELDS = ["from", "sender", "replyTo", "to", "cc", "bcc"] as const;

/** Rows returned at a time. */
const ROWS_READ = 1024;

async function* inBatches<T>(rows: Iterable<T>): AsyncGenerator<readonly T[]> {
  let batch: T[] = [];
  for (const row of rows) {
    if (batch.push(row) < ROWS_READ) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const countRuns = (database: SqliteDatabase): number =>
  database.prepare("SELECT count(*) FROM runs").pluck().get() as number;

interface OrdinalCounter {
  saw(kind: keyof NextOrdinals, ordinal: number): void;
  ordinals(): NextOrdinals;
}

/** Ordinals are never reused, even if their records are gone. */
function ordinalCounter(meta: MetaTable): OrdinalCounter {
  const next = {
    message: 1,
    contact: 1,
    thread: 1,
    topic: 1,
    event: 1,
    item: 1,
    ...readJson<NextOrdinals>(meta, META.nextOrdinals),
  };
  return {
    saw(kind, ordinal) {
      if (ordinal >= next[kind]) next[kind] = ordinal + 1;
    },
    ordinals: () => ({ ...next }) as NextOrdinals,
  };
}

/** Drops the indexes of a growing archive when rebuilding them costs less than updating them. */
function indexUpkeep(database: SqliteDatabase): { expectRow(): void } {
  const stored = database.prepare("SELECT count(*) FROM messages").pluck().get() as number;
  let added = 0;
  let dropped = stored === 0;
  return {
    expectRow() {
      added++;
      if (dropped || added < stored * REBUILD_SHARE) return;
      dropIndexes(database);
      dropped = true;
    },
  };
}

/** @param filesWithText counted as messages are added, because counting would read all texts */
function countArchive(database: SqliteDatabase, filesWithText: number): ArchiveCounters {
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
    filesWithText,
    earliest: earliest ?? null,
    latest: latest ?? null,
  };
}
