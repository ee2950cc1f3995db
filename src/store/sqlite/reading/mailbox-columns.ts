import { Int32Column } from "../../../columns/column.ts";
import type { NamedMailbox } from "../../../search/indexing/search-source.ts";
import { namedMailboxes } from "../../reading/document-columns.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import type { SqliteDatabase } from "../driver/sqlite-database.ts";

/** Pairs of message and mailbox, one per further occurrence. */
export function furtherPlaces(database: SqliteDatabase): Int32Array {
  // A growable column: V8 copies a full array of numbers.
  const pairs = new Int32Column();
  const rows = database
    .prepare("SELECT DISTINCT message_id, mailbox_id FROM occurrences ORDER BY message_id, mailbox_id")
    .raw();
  for (const [message, mailbox] of rows.iterate() as Iterable<[number, number]>) {
    pairs.push(message);
    pairs.push(mailbox);
  }
  const further = pairs.slice();
  pairs.clear();
  return further;
}

/** The mailboxes of an archive by their numbers. */
export function mailboxesByNumber(database: SqliteDatabase): ReadonlyMap<number, NamedMailbox> {
  return namedMailboxes(database.prepare("SELECT id, name, source FROM mailboxes").raw().all() as SqlValue[][]);
}
