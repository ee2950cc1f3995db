import type { SqliteDatabase } from "../driver/sqlite-database.ts";

/** Finds messages by Message-ID, including those of duplicates. */
export function messageIdFinder(database: SqliteDatabase): (id: string) => Iterable<number> {
  const own = database.prepare("SELECT id FROM messages INDEXED BY messages_by_key WHERE message_id = ?").pluck();
  const ofCopy = database
    .prepare("SELECT message_id FROM occurrences WHERE other_id = ? ORDER BY message_id, position")
    .pluck();
  return (id) => [...(own.all(id) as number[]), ...(ofCopy.all(id) as number[])];
}
