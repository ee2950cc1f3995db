import type { Listed, ThreadReader } from "../../../mail/archive.ts";
import { messageId, ordinalOf } from "../../../mail/records/ids.ts";
import type { MessageOrdinal } from "../../../mail/records/ordinal.ts";
import type { Thread, ThreadDetail } from "../../../mail/records/thread.ts";
import type { ThreadRow } from "../../contract/rows.ts";
import type { ArchiveCounters } from "../../reading/archive-counters.ts";
import { THREAD, threadDetails, toThread } from "../../reading/thread-mapper.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import type { SqliteDatabase } from "../database/database.ts";
import { rowBatches } from "../database/row-batches.ts";
import type { MessageFetch } from "./message-fetch.ts";

export function threadReader(database: SqliteDatabase, fetch: MessageFetch, counters: ArchiveCounters): ThreadReader {
  const thread = database.prepare(`SELECT ${THREAD.sql} FROM threads WHERE id = ?`).raw();
  // Reads skipped rows from the index only.
  const pageOf = database
    .prepare(
      `SELECT ${THREAD.sql} FROM (SELECT id AS found FROM threads INDEXED BY threads_by_last ORDER BY last_at DESC, id LIMIT ? OFFSET ?)
       CROSS JOIN threads ON threads.id = found ORDER BY last_at DESC, threads.id`,
    )
    .raw();
  const members = database
    .prepare(
      "SELECT id FROM messages INDEXED BY messages_by_thread WHERE thread_id = ? ORDER BY sent_at IS NULL, sent_at, id",
    )
    .pluck();
  const membersBetween = database
    .prepare(
      `SELECT thread_id, id FROM messages INDEXED BY messages_by_thread WHERE thread_id BETWEEN ? AND ?
       ORDER BY thread_id, sent_at IS NULL, sent_at, id`,
    )
    .raw();

  function find(id: string): ThreadRow | undefined {
    const ordinal = ordinalOf("thread", id);
    const row = ordinal === null ? undefined : (thread.get(ordinal) as SqlValue[] | undefined);
    return row === undefined ? undefined : THREAD.decode(row);
  }

  /** Of rows in id order. */
  function details(rows: readonly ThreadRow[]): readonly ThreadDetail[] {
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined) return [];
    const pairs = membersBetween.all(first.ordinal, last.ordinal) as (readonly [
      thread: number,
      message: MessageOrdinal,
    ])[];
    return threadDetails(rows, pairs);
  }

  return {
    async list(page): Promise<Listed<Thread>> {
      return {
        items: (pageOf.all(page.limit, page.offset) as SqlValue[][]).map((row) => toThread(THREAD.decode(row))),
        total: counters.threads,
      };
    },
    async get(id) {
      const row = find(id);
      return row === undefined
        ? null
        : { ...toThread(row), messageIds: (members.all(row.ordinal) as MessageOrdinal[]).map(messageId) };
    },
    async messages(id) {
      const row = find(id);
      return row === undefined ? [] : fetch.many(members.all(row.ordinal) as number[]);
    },
    async *scan() {
      for await (const rows of rowBatches(database, "threads", THREAD.sql)) yield details(rows.map(THREAD.decode));
    },
    async *summaries() {
      for await (const rows of rowBatches(database, "threads", THREAD.sql))
        yield rows.map((row) => toThread(THREAD.decode(row)));
    },
  };
}
