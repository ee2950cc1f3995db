import type { ThreadRow, TopicRow } from "../../contract/rows.ts";
import { THREADS, TOPICS } from "../../tables/knowledge-tables.ts";
import { rowInsert } from "../database/bulk-insert.ts";
import type { SqliteDatabase } from "../database/database.ts";
import { emptyTable } from "../database/schema.ts";
import { sortKey } from "./message-writer.ts";

/** Replaces all threads. Returns the highest ordinal, 0 for none. */
export function replaceThreads(database: SqliteDatabase, rows: Iterable<ThreadRow>): number {
  emptyTable(database, "threads");
  return addThreads(database, rows);
}

/** Removes some threads and adds others. Returns the highest ordinal added, 0 for none. */
export function updateThreads(database: SqliteDatabase, removed: Iterable<number>, rows: Iterable<ThreadRow>): number {
  const remove = database.prepare("DELETE FROM threads WHERE id = ?");
  for (const ordinal of removed) remove.run(ordinal);
  return addThreads(database, rows);
}

function addThreads(database: SqliteDatabase, rows: Iterable<ThreadRow>): number {
  const threads = rowInsert(database, THREADS);
  let highest = 0;
  for (const row of rows) {
    if (row.ordinal > highest) highest = row.ordinal;
    threads.add(row);
  }
  threads.flush();
  return highest;
}

/** Replaces all topics. Returns the highest ordinal, 0 for none. */
export function replaceTopics(database: SqliteDatabase, rows: Iterable<TopicRow>): number {
  database.exec("DELETE FROM topics");
  const topics = rowInsert(database, TOPICS);
  let highest = 0;
  for (const row of rows) {
    if (row.ordinal > highest) highest = row.ordinal;
    // Key contacts are written after all messages.
    topics.add({ ...row, nameKey: sortKey(row.name), keyContacts: [] });
  }
  topics.flush();
  return highest;
}
