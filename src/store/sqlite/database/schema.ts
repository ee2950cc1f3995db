import { SCHEMA_TABLES, SCHEMA_VERSION } from "../../tables/archive-tables.ts";
import { createSql, earlierView } from "../../tables/table.ts";
import type { SqliteDatabase } from "../driver/sqlite-database.ts";

/** `ARCT`: distinguishes archives from other SQLite databases. */
export const APPLICATION_ID = 0x41524354;

/**
 * Makes an archive of an earlier version readable with temporary views. Extending it requires migrations
 * (migrations.ts).
 */
export function earlierViews(version: number): string {
  return SCHEMA_TABLES.map((table) => earlierView(table, version))
    .filter((view) => view !== null)
    .join("\n");
}

/**
 * Integer keys are the public ordinals: `msg-000123` is `messages.id` 123. Times are milliseconds; undated is NULL.
 * Lists that are never filtered are JSON in their row. A duplicate never changes the rows of its message. Tables
 * WITHOUT ROWID have no large values, because a lookup reads every row that it compares. `meta` has row ids: its
 * values can be megabytes (the topic model), and opening an archive reads two.
 */
const META_TABLE = "CREATE TABLE meta(k TEXT PRIMARY KEY, v);";

/**
 * One index per list order and filter: a page scans an index, then fetches its rows. Sender indexes include the
 * topic, so that both filters together need only the index.
 */
export const INDEXES = {
  messages_by_key: "UNIQUE INDEX messages_by_key ON messages(message_id, content_key)",
  messages_by_sent: "INDEX messages_by_sent ON messages(sent_at DESC, id)",
  messages_by_subject: "INDEX messages_by_subject ON messages(subject_key, id)",
  messages_by_from: "INDEX messages_by_from ON messages(from_key, id)",
  messages_by_thread: "INDEX messages_by_thread ON messages(thread_id, sent_at DESC, id)",
  messages_by_topic_sent: "INDEX messages_by_topic_sent ON messages(topic_id, sent_at DESC, id)",
  messages_by_topic_subject: "INDEX messages_by_topic_subject ON messages(topic_id, subject_key, id)",
  messages_by_topic_from: "INDEX messages_by_topic_from ON messages(topic_id, from_key, id)",
  messages_by_sender_sent: "INDEX messages_by_sender_sent ON messages(from_id, sent_at DESC, id, topic_id)",
  messages_by_sender_subject: "INDEX messages_by_sender_subject ON messages(from_id, subject_key, id, topic_id)",
  messages_by_sender_from: "INDEX messages_by_sender_from ON messages(from_id, from_key, id, topic_id)",
  occurrences_by_id: "INDEX occurrences_by_id ON occurrences(other_id) WHERE other_id IS NOT NULL",
  contacts_by_count: "INDEX contacts_by_count ON contacts(message_count DESC, id)",
  contacts_by_name: "INDEX contacts_by_name ON contacts(name_key, id)",
  contacts_by_last_seen: "INDEX contacts_by_last_seen ON contacts(last_seen DESC, id)",
  addresses_by_key: "INDEX addresses_by_key ON addresses(address_key, contact_id)",
  threads_by_last: "INDEX threads_by_last ON threads(last_at DESC, id)",
} as const;
type IndexName = keyof typeof INDEXES;

/** Creates the empty tables and marks the file as ours. */
export function createTables(database: SqliteDatabase): void {
  database.exec([META_TABLE, ...SCHEMA_TABLES.map(createSql)].join("\n"));
  database.pragma(`application_id = ${APPLICATION_ID}`);
  database.pragma(`user_version = ${SCHEMA_VERSION}`);
}

/** Creates missing indexes. One sort of a full table is far cheaper than updating them while rows are added. */
export function createIndexes(database: SqliteDatabase): void {
  for (const name of Object.keys(INDEXES) as IndexName[]) createIndex(database, name);
}

function createIndex(database: SqliteDatabase, name: IndexName): void {
  database.exec(`CREATE ${INDEXES[name].replace("INDEX ", "INDEX IF NOT EXISTS ")}`);
}

export function dropIndexes(database: SqliteDatabase): void {
  for (const name of Object.keys(INDEXES)) database.exec(`DROP INDEX IF EXISTS ${name}`);
}

/** Removes all rows of a table that is filled again, and its indexes until `createIndexes`. */
export function emptyTable(database: SqliteDatabase, name: "contacts" | "addresses" | "threads"): void {
  for (const index of Object.keys(INDEXES))
    if (index.startsWith(`${name}_by_`)) database.exec(`DROP INDEX IF EXISTS ${index}`);
  database.exec(`DELETE FROM ${name}`);
}

/**
 * Maximum rows that ANALYZE reads of an index. Queries name their index, so the planner needs only approximate sizes.
 */
export const ANALYZED_ROWS = 400;
