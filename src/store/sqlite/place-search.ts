import type { NamedMailbox } from "../../search/search-source.ts";
import { tokensOf } from "../../text/tokens.ts";
import type { SqliteDatabase, SqliteStatement } from "./sqlite-database.ts";

/**
 * Columns of the index beside those of messages: the mailbox of each message by ordinal, and pairs of message and
 * further mailbox.
 */
export const PLACE_COLUMNS = ["mailboxes", "furtherPlaces"] as const;
export type PlaceColumn = (typeof PLACE_COLUMNS)[number];

/** Mailbox by ordinal; 0 for numbers without a message. */
export function mailboxColumn(database: SqliteDatabase, count: number): Int32Array {
  const column = new Int32Array(count);
  const rows = database.prepare("SELECT id, mailbox_id FROM messages NOT INDEXED").raw().iterate() as Iterable<
    [number, number]
  >;
  for (const [id, mailbox] of rows) column[id] = mailbox;
  return column;
}

/** Message and mailbox of every further place, in turn. */
export function furtherPlaces(database: SqliteDatabase): Int32Array {
  const pairs: number[] = [];
  const rows = database
    .prepare("SELECT DISTINCT message_id, mailbox_id FROM occurrences ORDER BY message_id, mailbox_id")
    .raw();
  for (const [message, mailbox] of rows.iterate() as Iterable<[number, number]>) pairs.push(message, mailbox);
  return Int32Array.from(pairs);
}

/**
 * Finds messages by any mailbox they lie in. The names are cut into words by the first query that asks; as are the
 * columns read.
 */
export function placeFinder(
  database: SqliteDatabase,
  column: (name: PlaceColumn) => Int32Array | null,
): (isWanted: (mailbox: NamedMailbox) => boolean) => Iterable<number> {
  let named: ReadonlyMap<number, NamedMailbox> | null = null;
  let mailboxes: Int32Array | null = null;
  let further: Int32Array | null = null;

  function* placed(wanted: ReadonlySet<number>): Generator<number> {
    // An archive of the first version has no such columns.
    mailboxes ??= column("mailboxes") ?? mailboxColumn(database, highestMessage(database) + 1);
    further ??= column("furtherPlaces") ?? furtherPlaces(database);
    for (let message = 0; message < mailboxes.length; message++) if (wanted.has(mailboxes[message]!)) yield message;
    for (let at = 0; at + 1 < further.length; at += 2) if (wanted.has(further[at + 1]!)) yield further[at]!;
  }

  return (isWanted) => {
    named ??= namedMailboxes(database);
    const wanted = new Set(Array.from(named).flatMap(([id, mailbox]) => (isWanted(mailbox) ? [id] : [])));
    return wanted.size === 0 ? [] : placed(wanted);
  };
}

function namedMailboxes(database: SqliteDatabase): ReadonlyMap<number, NamedMailbox> {
  const rows = database.prepare("SELECT id, name, source FROM mailboxes").raw().all() as [number, string, number][];
  return new Map(rows.map(([id, name, source]) => [id, { name, source, words: new Set(tokensOf(name)) }]));
}

function highestMessage(database: SqliteDatabase): number {
  return database.prepare("SELECT coalesce(max(id), 0) FROM messages").pluck().get() as number;
}

/** Finds messages by their Message-ID and by those of their copies. */
export function messageIdFinder(database: SqliteDatabase): (id: string) => Iterable<number> {
  const own: SqliteStatement = database
    .prepare("SELECT id FROM messages INDEXED BY messages_by_key WHERE message_id = ?")
    .pluck();
  const ofCopy = database.prepare("SELECT message_id FROM occurrences WHERE other_id = ?").pluck();
  return (id) => [...(own.all(id) as number[]), ...(ofCopy.all(id) as number[])];
}
