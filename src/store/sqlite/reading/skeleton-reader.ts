import type { CopyField } from "../../../mail/records/message.ts";
import {
  CONTACT_ADDRESS_FIELDS,
  type ContactAddresses,
  type MessagePlacement,
  PLACEMENT_FIELDS,
  RESTORED_FIELDS,
  type RestoredMessage,
  type StoredCopy,
  type StoredLocation,
} from "../../contract/rows.ts";
import { decodeCopy } from "../../reading/copy-columns.ts";
import { CONTACTS } from "../../tables/contact-tables.ts";
import { ENVELOPES, MESSAGES, OCCURRENCES } from "../../tables/message-tables.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import { selection } from "../../tables/table.ts";
import type { SqliteDatabase } from "../database/database.ts";

const RESTORED = selection([MESSAGES, ENVELOPES], RESTORED_FIELDS, { filledIn: ["mailbox"] });

/** Messages read at a time. */
const MESSAGES_READ = 256;

/**
 * Rows of all messages in id order, in batches: a call for each row takes a third longer. @param columns SQL; the first
 * is the id
 * @param tables SQL
 */
export function* messageRows(database: SqliteDatabase, columns: string, tables: string): Generator<SqlValue[]> {
  const statement = database
    .prepare(`SELECT ${columns} FROM ${tables} WHERE messages.id > ? ORDER BY messages.id LIMIT ${MESSAGES_READ}`)
    .raw();
  for (let last: SqlValue = 0; ; ) {
    const rows = statement.all(last) as SqlValue[][];
    yield* rows;
    if (rows.length < MESSAGES_READ) return;
    last = rows.at(-1)![0]!;
  }
}

/** The stored messages with the data that a later run needs, in id order. */
export function* messageSkeletons(database: SqliteDatabase): Generator<RestoredMessage> {
  const tables =
    "messages NOT INDEXED CROSS JOIN envelopes ON envelopes.id = messages.id CROSS JOIN mailboxes ON mailboxes.id = mailbox_id";
  for (const row of messageRows(database, `${RESTORED.sql}, mailboxes.name`, tables))
    yield Object.assign(RESTORED.decode(row), { mailbox: row[RESTORED_FIELDS.length] as string });
}

const PLACEMENT = selection([MESSAGES, ENVELOPES], PLACEMENT_FIELDS);

/** The same with fewer fields. */
export function* messagePlacements(database: SqliteDatabase): Generator<MessagePlacement> {
  const tables = "messages NOT INDEXED CROSS JOIN envelopes ON envelopes.id = messages.id";
  for (const row of messageRows(database, PLACEMENT.sql, tables)) yield PLACEMENT.decode(row);
}

const CONTACT = selection([CONTACTS], CONTACT_ADDRESS_FIELDS);

/** Names and addresses of contacts, in id order. */
export function* contactAddresses(database: SqliteDatabase): Generator<ContactAddresses> {
  const rows = database.prepare(`SELECT ${CONTACT.sql} FROM contacts ORDER BY id`);
  for (const row of rows.raw().iterate() as IterableIterator<SqlValue[]>) yield CONTACT.decode(row);
}

const COPY = selection([OCCURRENCES], ["message", "otherId", "sha256", "differs"]);

/** Messages by ordinal: [from, to). */
export interface MessageRange {
  readonly from: number;
  readonly to: number;
}

const ALL_MESSAGES: MessageRange = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** Differences of occurrences, by message. */
export function storedCopies(database: SqliteDatabase, range = ALL_MESSAGES): Generator<StoredCopy> {
  return copiesWhere(database, "(other_id IS NOT NULL OR differs IS NOT NULL)", range);
}

/** Differences of occurrences that differ in one of these fields, and maybe some others. */
export function copiesWithOther(
  database: SqliteDatabase,
  fields: readonly Exclude<CopyField, "messageId" | "sha256">[],
  range = ALL_MESSAGES,
): Generator<StoredCopy> {
  const conditions = fields.map((field) => `instr(differs, '"${field}":') > 0`);
  return copiesWhere(database, `(${conditions.join(" OR ")})`, range);
}

/** @param condition SQL */
function* copiesWhere(database: SqliteDatabase, condition: string, { from, to }: MessageRange): Generator<StoredCopy> {
  const rows = database.prepare(
    `SELECT ${COPY.sql} FROM occurrences WHERE message_id >= ? AND message_id < ? AND ${condition}
     ORDER BY message_id, position`,
  );
  for (const row of rows.raw().iterate(from, to) as IterableIterator<SqlValue[]>) {
    const copy = COPY.decode(row);
    yield { message: copy.message, differs: decodeCopy(copy) };
  }
}

/** Hashes of all occurrences in a source; an occurrence stores its hash only if it differs. */
const LOCATIONS = `
  SELECT places.id AS message, mailboxes.name AS mailbox, location, lower(hex(sha256)) AS sha256 FROM (
    SELECT messages.id, mailbox_id, location, sha256 FROM messages CROSS JOIN envelopes ON envelopes.id = messages.id
      WHERE source = ?
    UNION ALL
    SELECT message_id, mailbox_id, occurrences.location, coalesce(occurrences.sha256, envelopes.sha256) FROM occurrences
      CROSS JOIN envelopes ON envelopes.id = message_id WHERE source = ?
  ) AS places CROSS JOIN mailboxes ON mailboxes.id = mailbox_id`;

export function storedLocations(database: SqliteDatabase, source: number): Iterable<StoredLocation> {
  return database.prepare(LOCATIONS).iterate(source, source) as IterableIterator<StoredLocation>;
}
