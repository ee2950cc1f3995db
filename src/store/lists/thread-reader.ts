import type { Listed, ThreadReader } from "../../mail/archive.ts";
import { type MessageId, messageId, ordinalOf, threadId, topicId } from "../../mail/records/ids.ts";
import type { MessageOrdinal } from "../../mail/records/ordinal.ts";
import type { Thread, ThreadDetail } from "../../mail/records/thread.ts";
import type { ThreadRow } from "../contract/rows.ts";
import type { ArchiveCounters } from "../reading/archive-counters.ts";
import { THREADS } from "../tables/knowledge-tables.ts";
import { selection } from "../tables/table.ts";
import { type ArchiveRows, rowBatches } from "./archive-rows.ts";
import type { MessageFetch } from "./message-reader.ts";

const THREAD = selection(
  [THREADS],
  ["ordinal", "subject", "messageCount", "firstMessage", "lastMessage", "topic", "participants"],
);

/** Oldest first, undated last. */
const OLDEST_FIRST = "sent_at IS NULL, sent_at, id";

export function threadReader(archive: ArchiveRows, fetch: MessageFetch, counters: ArchiveCounters): ThreadReader {
  async function find(id: string): Promise<ThreadRow | null> {
    const ordinal = ordinalOf("thread", id);
    if (ordinal === null) return null;
    const [row] = await archive.byOrdinal("threads", THREAD, [ordinal]);
    return row === undefined ? null : THREAD.decode(row);
  }

  /** Messages of threads in a range of ordinals, with their threads. */
  async function members(first: number, last: number): Promise<readonly (readonly [number, MessageOrdinal])[]> {
    const rows = await archive.rows(
      `SELECT thread_id, id FROM messages ${archive.indexedBy("messages_by_thread")}
       WHERE ${archive.valid("messages")} AND thread_id BETWEEN ? AND ? ORDER BY thread_id, ${OLDEST_FIRST}`,
      first,
      last,
    );
    return rows as unknown as readonly (readonly [number, MessageOrdinal])[];
  }

  async function membersOf({ ordinal }: ThreadRow): Promise<readonly MessageOrdinal[]> {
    return (await members(ordinal, ordinal)).map(([, message]) => message);
  }

  /** Of rows in id order. */
  async function details(rows: readonly ThreadRow[]): Promise<readonly ThreadDetail[]> {
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined) return [];
    const idsOf = new Map(rows.map(({ ordinal }): [number, MessageId[]] => [ordinal, []]));
    for (const [thread, message] of await members(first.ordinal, last.ordinal))
      idsOf.get(thread)?.push(messageId(message));
    return rows.map((row) => ({ ...toThread(row), messageIds: idsOf.get(row.ordinal)! }));
  }

  return {
    async list(page): Promise<Listed<Thread>> {
      const rows = await archive.byOrdinal("threads", THREAD, await archive.page("threads.last", page));
      return { items: rows.map((row) => toThread(THREAD.decode(row!))), total: counters.threads };
    },
    async get(id) {
      const row = await find(id);
      return row === null ? null : { ...toThread(row), messageIds: (await membersOf(row)).map(messageId) };
    },
    async messages(id) {
      const row = await find(id);
      return row === null ? [] : fetch.many(await membersOf(row));
    },
    async *scan() {
      for await (const rows of rowBatches(archive, "threads", THREAD.sql)) yield details(rows.map(THREAD.decode));
    },
    async *summaries() {
      for await (const rows of rowBatches(archive, "threads", THREAD.sql))
        yield rows.map((row) => toThread(THREAD.decode(row)));
    },
  };
}

function toThread({ ordinal, topic, ...thread }: ThreadRow): Thread {
  return { id: threadId(ordinal), topicId: topicId(topic), ...thread };
}
