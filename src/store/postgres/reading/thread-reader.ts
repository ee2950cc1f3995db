import type { Listed, ThreadReader } from "../../../mail/archive.ts";
import { messageId, ordinalOf } from "../../../mail/records/ids.ts";
import type { MessageOrdinal } from "../../../mail/records/ordinal.ts";
import type { Thread, ThreadDetail } from "../../../mail/records/thread.ts";
import type { ThreadRow } from "../../contract/rows.ts";
import type { ArchiveCounters } from "../../reading/archive-counters.ts";
import { THREAD, threadDetails, toThread } from "../../reading/thread-mapper.ts";
import { ordinalList } from "../client/selection.ts";
import { validIn } from "../client/valid-rows.ts";
import { orderedPage } from "../collections/list-orders.ts";
import type { OpenEpoch } from "../collections/open-epoch.ts";
import { rowBatches } from "../collections/row-batches.ts";
import type { MessageFetch } from "./message-fetch.ts";

/** Oldest first, undated last. */
const OLDEST_FIRST = "sent_at ASC NULLS LAST, id";

export function threadReader(epoch: OpenEpoch, fetch: MessageFetch, counters: ArchiveCounters): ThreadReader {
  async function find(id: string): Promise<ThreadRow | null> {
    const ordinal = ordinalOf("thread", id);
    if (ordinal === null) return null;
    const [row] = await epoch.rows(
      `SELECT ${THREAD.sql} FROM threads WHERE ${validIn("threads")} AND id = $2`,
      ordinal,
    );
    return row === undefined ? null : THREAD.decode(row);
  }

  async function members({ ordinal }: ThreadRow): Promise<readonly MessageOrdinal[]> {
    const rows = await epoch.rows(
      `SELECT id FROM messages WHERE ${validIn("messages")} AND thread_id = $2 ORDER BY ${OLDEST_FIRST}`,
      ordinal,
    );
    return rows.map(([id]) => id as MessageOrdinal);
  }

  /** Of rows in id order. */
  async function details(rows: readonly ThreadRow[]): Promise<readonly ThreadDetail[]> {
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined) return [];
    const pairs = await epoch.rows(
      `SELECT thread_id, id FROM messages WHERE ${validIn("messages")} AND thread_id BETWEEN $2 AND $3 ORDER BY thread_id, ${OLDEST_FIRST}`,
      first.ordinal,
      last.ordinal,
    );
    return threadDetails(rows, pairs as [number, MessageOrdinal][]);
  }

  return {
    async list(page): Promise<Listed<Thread>> {
      const ordinals = await orderedPage(epoch, "threads.last", page);
      const rows = await epoch.rows(
        `SELECT ${THREAD.sql} FROM threads WHERE ${validIn("threads")} AND id = ANY($2::int8[])`,
        ordinalList(ordinals),
      );
      const byOrdinal = new Map(rows.map((row) => [row[THREAD.at.ordinal] as number, row]));
      return {
        items: ordinals.map((ordinal) => toThread(THREAD.decode(byOrdinal.get(ordinal)!))),
        total: counters.threads,
      };
    },
    async get(id) {
      const row = await find(id);
      return row === null ? null : { ...toThread(row), messageIds: (await members(row)).map(messageId) };
    },
    async messages(id) {
      const row = await find(id);
      return row === null ? [] : fetch.many(await members(row));
    },
    async *scan() {
      for await (const rows of rowBatches(epoch, "threads", THREAD.sql)) yield details(rows.map(THREAD.decode));
    },
    async *summaries() {
      for await (const rows of rowBatches(epoch, "threads", THREAD.sql))
        yield rows.map((row) => toThread(THREAD.decode(row)));
    },
  };
}
