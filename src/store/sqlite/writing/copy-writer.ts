import { COPY_FIELDS, type CopyDifferences, type Occurrence } from "../../../mail/records/message.ts";
import type { MessageOrdinal } from "../../../mail/records/ordinal.ts";
import type { CopyRow } from "../../contract/rows.ts";
import { copyDifferences, encodeCopy } from "../../reading/copy-columns.ts";
import { ENVELOPES, MESSAGES, OCCURRENCES } from "../../tables/message-tables.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import { encodeRow, insertSql, selection } from "../../tables/table.ts";
import type { SqliteDatabase } from "../database/database.ts";
import type { MailboxIds } from "../database/mailbox-ids.ts";

/** Adds occurrences of stored messages; returns false for a known one. */
export interface CopyWriter {
  add(row: CopyRow): boolean;
  /** Adds a location with its differences from the message. */
  addOccurrence(message: MessageOrdinal, occurrence: Occurrence): boolean;
  /** Ends writing; no further occurrences may be added. */
  finish(): void;
}

/** Data that duplicates are compared with. */
const KEPT = selection([MESSAGES, ENVELOPES], ["source", "mailboxId", "location", ...COPY_FIELDS]);
const AT = KEPT.at;

/** Write the rows of a message before its occurrences. */
export function copyWriter(database: SqliteDatabase, mailboxes: MailboxIds): CopyWriter {
  // Maintains an index only while locations are added: a message without text may be in a mailbox a hundred thousand
  // times, and each location is compared with all others.
  database.exec(
    "CREATE INDEX IF NOT EXISTS occurrences_by_place ON occurrences(message_id, source, mailbox_id, location)",
  );
  const kept = database
    .prepare(
      `SELECT ${KEPT.sql} FROM messages NOT INDEXED CROSS JOIN envelopes ON envelopes.id = messages.id WHERE messages.id = ?`,
    )
    .raw();
  const place = database.prepare(
    "SELECT 1 FROM occurrences WHERE message_id = ? AND source = ? AND mailbox_id = ? AND location = ?",
  );
  const inMailbox = database.prepare(
    "SELECT 1 FROM occurrences WHERE message_id = ? AND source = ? AND mailbox_id = ? LIMIT 1",
  );
  const last = database.prepare("SELECT coalesce(max(position), 0) FROM occurrences WHERE message_id = ?").pluck();
  const insert = database.prepare(insertSql(OCCURRENCES));

  function add(
    message: MessageOrdinal,
    occurrence: Occurrence,
    differencesOf: (row: readonly SqlValue[]) => CopyDifferences,
  ): boolean {
    const { source, location } = occurrence;
    const mailbox = mailboxes.idOf(source, occurrence.mailbox);
    const row = kept.get(message) as SqlValue[];
    if (row[AT.source] === source && row[AT.mailboxId] === mailbox && row[AT.location] === location) return false;
    if (place.get(message, source, mailbox, location) !== undefined) return false;
    const position = (last.get(message) as number) + 1;
    // A message counts once per mailbox, however often it occurs there.
    if (row[AT.mailboxId] !== mailbox && inMailbox.get(message, source, mailbox) === undefined)
      mailboxes.count(mailbox, message, position);
    const differs = encodeCopy(differencesOf(row));
    insert.run(...encodeRow(OCCURRENCES, { message, position, source, mailboxId: mailbox, location, ...differs }));
    return true;
  }

  return {
    add: (row) => add(row.message, row, (stored) => copyDifferences(row.found, (field) => stored[AT[field]]!)),
    addOccurrence: (message, { source, mailbox, location, ...differs }) =>
      add(message, { source, mailbox, location }, () => differs),
    finish() {
      database.exec("DROP INDEX occurrences_by_place");
    },
  };
}
