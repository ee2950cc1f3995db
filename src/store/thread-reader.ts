import type { Listed, ThreadReader } from "../mail/archive.ts";
import { messageId, ordinalOf, threadId, topicId } from "../mail/ids.ts";
import type { Thread, ThreadDetail } from "../mail/thread.ts";
import type { SqliteDatabase } from "./database.ts";
import { decodeList } from "./json-columns.ts";
import type { MessageFetch } from "./message-fetch.ts";
import type { ArchiveCounters } from "./meta-table.ts";
import { rowBatches } from "./row-batches.ts";

interface ThreadColumns {
  id: number;
  subject: string;
  message_count: number;
  first_at: number | null;
  last_at: number | null;
  topic_id: number;
  participants: string | null;
}

export function threadReader(database: SqliteDatabase, fetch: MessageFetch, counters: ArchiveCounters): ThreadReader {
  const thread = database.prepare("SELECT * FROM threads WHERE id = ?");
  const pageOf = database.prepare("SELECT id FROM threads INDEXED BY threads_by_last ORDER BY last_at DESC, id LIMIT ? OFFSET ?").pluck();
  const members = database
    .prepare("SELECT id FROM messages INDEXED BY messages_by_thread WHERE thread_id = ? ORDER BY sent_at IS NULL, sent_at, id")
    .pluck();

  function find(id: string): ThreadColumns | undefined {
    const ordinal = ordinalOf("thread", id);
    return ordinal === null ? undefined : (thread.get(ordinal) as ThreadColumns | undefined);
  }

  function detail(row: ThreadColumns): ThreadDetail {
    return { ...toThread(row), messageIds: (members.all(row.id) as number[]).map(messageId) };
  }

  return {
    async list(page): Promise<Listed<Thread>> {
      const ids = pageOf.all(page.limit, page.offset) as number[];
      return { items: ids.map((id) => toThread(thread.get(id) as ThreadColumns)), total: counters.threads };
    },
    async get(id) {
      const row = find(id);
      return row === undefined ? null : detail(row);
    },
    async messages(id) {
      const row = find(id);
      return row === undefined ? [] : fetch.many(members.all(row.id) as number[]);
    },
    async *scan() {
      for await (const rows of rowBatches<ThreadColumns>(database, "threads")) yield rows.map(detail);
    },
  };
}

function toThread(row: ThreadColumns): Thread {
  return {
    id: threadId(row.id),
    subject: row.subject,
    messageCount: row.message_count,
    participants: decodeList(row.participants),
    firstMessage: row.first_at,
    lastMessage: row.last_at,
    topicId: topicId(row.topic_id),
  };
}
