import type { SqliteDatabase } from "./sqlite-database.ts";

/** `ARCT`: tells our file from any other SQLite database. */
export const APPLICATION_ID = 0x41524354;
/** Raised by every change of the tables; `migrations.ts` leads an older file up to it. */
export const SCHEMA_VERSION = 2;

/**
 * What makes an archive of an earlier version readable as one of the present: views in front of its tables, in memory. To be added to it needs
 * more (migrations.ts).
 */
export const EARLIER_VERSIONS: Readonly<Record<number, string>> = {
  1: "CREATE TEMP VIEW occurrences AS SELECT *, NULL AS other_id, NULL AS sha256, NULL AS differs FROM main.occurrences",
};

/**
 * Integer keys are the public ordinals: `msg-000123` is `messages.id` 123. Times are milliseconds, undated is NULL.
 * Lists that are never filtered stand as JSON in the row that owns them. A message is three rows: `messages` holds what is
 * sorted and filtered, so that making an index reads little; `envelopes` the rest of its header; `bodies` its text as a UTF-8 blob
 * (`enc` 0), which neither side turns into a string before it must.
 *
 * `occurrences` are the places of a message beside its own; each holds what differs there (copy-columns.ts), and a reader unites it with the
 * message: rows of messages never change for a copy.
 *
 * A table without row ids holds no value that grows: looking for a key reads the whole of every row it is compared with. Values of `meta`
 * are megabytes (the topic model), and opening an archive looks for two.
 */
const TABLES = `
CREATE TABLE meta(k TEXT PRIMARY KEY, v);
CREATE TABLE sources(id INTEGER PRIMARY KEY, path TEXT NOT NULL, format TEXT NOT NULL, sha256 TEXT NOT NULL, size_bytes INTEGER NOT NULL,
  seen INTEGER NOT NULL, kept INTEGER NOT NULL, duplicate INTEGER NOT NULL, skipped INTEGER NOT NULL, failed INTEGER NOT NULL,
  calendar_events INTEGER NOT NULL);
CREATE TABLE mailboxes(id INTEGER PRIMARY KEY, source INTEGER NOT NULL, name TEXT NOT NULL, position INTEGER,
  seen INTEGER NOT NULL DEFAULT 0, kept INTEGER NOT NULL DEFAULT 0, duplicate INTEGER NOT NULL DEFAULT 0,
  skipped INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0,
  messages INTEGER NOT NULL DEFAULT 0, first_message INTEGER, UNIQUE(source, name));
CREATE TABLE contacts(id INTEGER PRIMARY KEY, email TEXT NOT NULL, name TEXT NOT NULL, name_key TEXT NOT NULL, search_key TEXT NOT NULL,
  message_count INTEGER NOT NULL, sent_count INTEGER NOT NULL, received_count INTEGER NOT NULL, frequency TEXT NOT NULL,
  first_seen INTEGER, last_seen INTEGER, sentiment TEXT NOT NULL, community INTEGER NOT NULL,
  authority REAL NOT NULL, hub REAL NOT NULL, pagerank REAL NOT NULL,
  degree INTEGER NOT NULL, in_degree INTEGER NOT NULL, out_degree INTEGER NOT NULL, aliases TEXT, domains TEXT);
CREATE TABLE addresses(contact_id INTEGER NOT NULL, position INTEGER NOT NULL, address TEXT NOT NULL, address_key TEXT NOT NULL, reason TEXT,
  PRIMARY KEY(contact_id, position)) WITHOUT ROWID;
CREATE TABLE edges(from_id INTEGER NOT NULL, to_id INTEGER NOT NULL, count INTEGER NOT NULL, weight REAL NOT NULL,
  PRIMARY KEY(from_id, to_id)) WITHOUT ROWID;
CREATE TABLE threads(id INTEGER PRIMARY KEY, subject TEXT NOT NULL, message_count INTEGER NOT NULL, first_at INTEGER, last_at INTEGER,
  topic_id INTEGER NOT NULL, participants TEXT);
CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, name_key TEXT NOT NULL, description TEXT NOT NULL,
  message_count INTEGER NOT NULL, keywords TEXT, created_at INTEGER NOT NULL,
  key_contacts TEXT);
CREATE TABLE messages(id INTEGER PRIMARY KEY, message_id TEXT NOT NULL, content_key BLOB NOT NULL, source INTEGER NOT NULL,
  mailbox_id INTEGER NOT NULL, thread_id INTEGER NOT NULL, topic_id INTEGER NOT NULL, from_id INTEGER, from_key TEXT NOT NULL, from_json TEXT,
  sent_at INTEGER, subject TEXT NOT NULL, subject_key TEXT NOT NULL, attachment_count INTEGER NOT NULL);
CREATE TABLE envelopes(id INTEGER PRIMARY KEY, sha256 BLOB NOT NULL, size_bytes INTEGER NOT NULL, location TEXT NOT NULL, received_at INTEGER,
  body_tokens INTEGER NOT NULL, language TEXT, is_automatic INTEGER NOT NULL, sender_json TEXT, to_json TEXT, cc_json TEXT, bcc_json TEXT,
  reply_to_json TEXT, in_reply_to TEXT, reference_ids TEXT, conversation_root BLOB, gmail_thread_id TEXT, base_subject_key TEXT NOT NULL,
  flags TEXT, findings TEXT);
CREATE TABLE bodies(id INTEGER PRIMARY KEY, enc INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE attachments(message_id INTEGER NOT NULL, position INTEGER NOT NULL, id TEXT NOT NULL, filename TEXT NOT NULL, media_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL, sha256 BLOB NOT NULL, disposition TEXT NOT NULL, content_id TEXT, path TEXT,
  PRIMARY KEY(message_id, position)) WITHOUT ROWID;
CREATE TABLE occurrences(message_id INTEGER NOT NULL, position INTEGER NOT NULL, source INTEGER NOT NULL, mailbox_id INTEGER NOT NULL,
  location TEXT NOT NULL, other_id TEXT, sha256 BLOB, differs TEXT, PRIMARY KEY(message_id, position));
CREATE TABLE contact_messages(contact_id INTEGER PRIMARY KEY, entries BLOB NOT NULL, topics TEXT NOT NULL);
CREATE TABLE events(id INTEGER PRIMARY KEY, uid TEXT NOT NULL, start_at INTEGER, record TEXT NOT NULL);
CREATE TABLE items(id INTEGER PRIMARY KEY, record TEXT NOT NULL);
CREATE TABLE warnings(id INTEGER PRIMARY KEY, code TEXT NOT NULL, message TEXT NOT NULL, source INTEGER, location TEXT, sha256 TEXT);
CREATE TABLE runs(id INTEGER PRIMARY KEY, record TEXT NOT NULL);
`;

/**
 * Every order a list may be asked in, with each filter in front: a page is a walk over one of these, then a fetch of its rows.
 * Those of a sender carry the topic as well, so that both filters together stay within the index.
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
export type IndexName = keyof typeof INDEXES;

/** Makes the empty tables and marks the file as ours. */
export function createTables(database: SqliteDatabase): void {
  database.exec(TABLES);
  database.pragma(`application_id = ${APPLICATION_ID}`);
  database.pragma(`user_version = ${SCHEMA_VERSION}`);
}

/** Makes the indexes that are not there: one sort over a full table is far cheaper than keeping them while rows come in. */
export function createIndexes(database: SqliteDatabase): void {
  for (const name of Object.keys(INDEXES) as IndexName[]) createIndex(database, name);
}

export function createIndex(database: SqliteDatabase, name: IndexName): void {
  database.exec(`CREATE ${INDEXES[name].replace("INDEX ", "INDEX IF NOT EXISTS ")}`);
}

export function dropIndexes(database: SqliteDatabase): void {
  for (const name of Object.keys(INDEXES)) database.exec(`DROP INDEX IF EXISTS ${name}`);
}
