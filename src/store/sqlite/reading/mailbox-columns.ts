import { Int32Column } from "../../../columns/column.ts";
import type { NamedMailbox, Places } from "../../../search/indexing/search-source.ts";
import { tokensOf } from "../../../text/tokens/tokens.ts";
import type { SqliteDatabase } from "../driver/sqlite-database.ts";

/** Index columns for locations: the mailbox of each message by ordinal, and pairs of message and further mailbox. */
const PLACE_COLUMNS = ["mailboxes", "furtherPlaces"] as const;
export type PlaceColumn = (typeof PLACE_COLUMNS)[number];

/** Mailbox by ordinal; 0 for numbers without a message. */
function mailboxColumn(database: SqliteDatabase, count: number): Int32Array {
  const column = new Int32Array(count);
  const rows = database.prepare("SELECT id, mailbox_id FROM messages NOT INDEXED").raw().iterate() as Iterable<
    [number, number]
  >;
  for (const [id, mailbox] of rows) column[id] = mailbox;
  return column;
}

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

/** Reads the mailboxes of messages on first use. Archives of the first version lack these columns. */
export function locationReader(
  database: SqliteDatabase,
  column: (name: PlaceColumn) => Int32Array | null,
): () => Places {
  let places: Places | null = null;
  return () => {
    places ??= {
      named: mailboxesByNumber(database),
      mailboxes: column("mailboxes") ?? mailboxColumn(database, highestMessage(database) + 1),
      further: column("furtherPlaces") ?? furtherPlaces(database),
    };
    return places;
  };
}

/** The mailboxes of an archive by their numbers. */
export function mailboxesByNumber(database: SqliteDatabase): ReadonlyMap<number, NamedMailbox> {
  const rows = database.prepare("SELECT id, name, source FROM mailboxes").raw().all() as [number, string, number][];
  return new Map(rows.map(([id, name, source]) => [id, { name, source, words: new Set(tokensOf(name)) }]));
}

function highestMessage(database: SqliteDatabase): number {
  return database.prepare("SELECT coalesce(max(id), 0) FROM messages").pluck().get() as number;
}
