import type { ThreadRow, TopicRow } from "../rows.ts";
import { bulkInsert } from "./bulk-insert.ts";
import type { SqliteDatabase } from "./database.ts";
import { encodeList } from "./json-columns.ts";
import { sortKey } from "./message-writer.ts";

/** Puts these threads in the place of all that are there. Returns the highest ordinal, 0 for none. */
export function replaceThreads(database: SqliteDatabase, rows: Iterable<ThreadRow>): number {
  database.exec("DELETE FROM threads");
  const threads = bulkInsert(database, "threads", ["id", "subject", "message_count", "first_at", "last_at", "topic_id", "participants"]);
  let highest = 0;
  for (const row of rows) {
    if (row.ordinal > highest) highest = row.ordinal;
    const { ordinal, subject, messageCount, firstMessage, lastMessage, topic } = row;
    threads.add(ordinal, subject, messageCount, firstMessage, lastMessage, topic, encodeList(row.participants));
  }
  threads.flush();
  return highest;
}

/** Puts these topics in the place of all that are there. Returns the highest ordinal, 0 for none. */
export function replaceTopics(database: SqliteDatabase, rows: Iterable<TopicRow>): number {
  database.exec("DELETE FROM topics");
  const topics = bulkInsert(database, "topics", ["id", "name", "name_key", "description", "message_count", "keywords", "created_at"]);
  let highest = 0;
  for (const row of rows) {
    if (row.ordinal > highest) highest = row.ordinal;
    const { ordinal, name, description, messageCount, createdAt } = row;
    topics.add(ordinal, name, sortKey(name), description, messageCount, encodeList(row.topKeywords), createdAt);
  }
  topics.flush();
  return highest;
}
