import type { Listed, ThreadReader } from "../../mail/archive.ts";
import { type MessageId, messageId, ordinalOf, threadId, topicId } from "../../mail/ids.ts";
import type { Thread, ThreadDetail } from "../../mail/thread.ts";
import type { SqliteDatabase } from "./database.ts";
import { decodeList } from "./json-columns.ts";
import type { MessageFetch } from "./message-fetch.ts";
import type { ArchiveCounters } from "./meta-table.ts";
import { rowBatches } from "./row-batches.ts";

type ThreadColumns = readonly [
  id: number,
  subject: string,
  messageCount: number,
  firstAt: number | null,
  lastAt: number | null,
  topic: number,
  participants: string | null,
];

const COLUMNS = "id, subject, message_count, first_at, last_at, topic_id, participants";

export function threadReader(database: SqliteDatabase, fetch: MessageFetch, counters: ArchiveCounters): ThreadReader {
  const thread = database.prepare(`SELECT ${COLUMNS} FROM threads WHERE id = ?`).raw();
  // What the offset skips is looked at in the index only.
  const pageOf = database
    .prepare(
      `SELECT ${COLUMNS} FROM (SELECT id AS found FROM threads INDEXED BY threads_by_last ORDER BY last_at DESC, id LIMIT ? OFFSET ?)
       CROSS JOIN threads ON id = found ORDER BY last_at DESC, id`,
    )
    .raw();
  const members = database
    .prepare("SELECT id FROM messages INDEXED BY messages_by_thread WHERE thread_id = ? ORDER BY sent_at IS NULL, sent_at, id")
    .pluck();
  const membersBetween = database
    .prepare(
      `SELECT thread_id, id FROM messages INDEXED BY messages_by_thread WHERE thread_id BETWEEN ? AND ?
       ORDER BY thread_id, sent_at IS NULL, sent_at, id`,
    )
    .raw();

  function find(id: string): ThreadColumns | undefined {
    const ordinal = ordinalOf("thread", id);
    return ordinal === null ? undefined : (thread.get(ordinal) as ThreadColumns | undefined);
  }

  /** Of rows in id order. */
  function details(rows: readonly ThreadColumns[]): readonly ThreadDetail[] {
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined) return [];
    const idsOf = new Map<number, MessageId[]>();
    for (const row of rows) idsOf.set(row[0], []);
    const pairs = membersBetween.all(first[0], last[0]) as (readonly [thread: number, message: number])[];
    for (const pair of pairs) idsOf.get(pair[0])?.push(messageId(pair[1]));
    return rows.map((row) => ({ ...toThread(row), messageIds: idsOf.get(row[0])! }));
  }

  return {
    async list(page): Promise<Listed<Thread>> {
      return { items: (pageOf.all(page.limit, page.offset) as ThreadColumns[]).map(toThread), total: counters.threads };
    },
    async get(id) {
      const row = find(id);
      return row === undefined ? null : { ...toThread(row), messageIds: (members.all(row[0]) as number[]).map(messageId) };
    },
    async messages(id) {
      const row = find(id);
      return row === undefined ? [] : fetch.many(members.all(row[0]) as number[]);
    },
    async *scan() {
      for await (const rows of rowBatches<ThreadColumns>(database, "threads", COLUMNS)) yield details(rows);
    },
    async *summaries() {
      for await (const rows of rowBatches<ThreadColumns>(database, "threads", COLUMNS)) yield rows.map(toThread);
    },
  };
}

function toThread(row: ThreadColumns): Thread {
  return {
    id: threadId(row[0]),
    subject: row[1],
    messageCount: row[2],
    participants: decodeList(row[6]),
    firstMessage: row[3],
    lastMessage: row[4],
    topicId: topicId(row[5]),
  };
}
