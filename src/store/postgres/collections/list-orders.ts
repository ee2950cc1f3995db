import type { ContactSort, MessageSort, Page } from "../../../mail/archive.ts";
import type { PostgresClient } from "../client/postgres-client.ts";
import { EPOCH_OF_STATE, validIn } from "../client/valid-rows.ts";
import type { OpenEpoch } from "./open-epoch.ts";

/**
 * An epoch never changes, so the order of every list is computed once, when the epoch is created: blocks of ordinals in
 * list order, so that any page is part of one or two blocks. An index would be scanned row by row up to the page, and
 * takes ten times the space.
 */
export const LIST_ORDERS = "list_orders";

export const CREATE_LIST_ORDERS = `CREATE TABLE IF NOT EXISTS archivetool.${LIST_ORDERS}(
  epoch int8 NOT NULL, list text COLLATE "C" NOT NULL, block int8 NOT NULL, ordinals bytea NOT NULL,
  PRIMARY KEY(epoch, list, block));`;

type OrderedList = `messages.${MessageSort}` | `contacts.${ContactSort}` | "threads.last";

/** Every order of a complete list, prefixed by table. Ties are sorted by ordinal. */
const ORDERS: Readonly<Record<OrderedList, string>> = {
  "messages.sent_at": "sent_at DESC NULLS LAST, id",
  "messages.subject": "subject_key, id",
  "messages.from": "from_key, id",
  "contacts.frequency": "message_count DESC, id",
  "contacts.name": "name_key, id",
  "contacts.last_seen": "last_seen DESC NULLS LAST, id",
  "threads.last": "last_at DESC NULLS LAST, id",
};

/** Ordinals per block, 4 bytes each: rows up to 2 KB are stored in their page, without TOAST. */
const BLOCK_ORDINALS = 256;
const ORDINAL_BYTES = 4;

/** Memory of the server for sorting one list; a longer one is sorted on its disk. */
const SORTING_MEMORY = "64MB";

/** Computes the orders of a complete state in the transaction that wrote it. */
export async function storeOrders(client: PostgresClient, state: number): Promise<void> {
  await client.run(`SET LOCAL work_mem = '${SORTING_MEMORY}'`);
  for (const [list, order] of Object.entries(ORDERS)) {
    const [table] = list.split(".");
    await client.rows(
      `INSERT INTO ${LIST_ORDERS}(epoch, list, block, ordinals)
       SELECT ${EPOCH_OF_STATE}, $2::text, place / ${BLOCK_ORDINALS}, string_agg(int4send(id::int4), ''::bytea ORDER BY place)
       FROM (SELECT id, row_number() OVER (ORDER BY ${order}) - 1 AS place FROM ${table} WHERE ${validIn(table!)}) AS placed
       GROUP BY place / ${BLOCK_ORDINALS}`,
      [state, list],
    );
  }
}

/** The ordinals of a page in order; fewer at the end. */
export async function orderedPage(
  epoch: OpenEpoch,
  list: OrderedList,
  { limit, offset }: Page,
): Promise<readonly number[]> {
  if (limit <= 0) return [];
  const first = Math.floor(offset / BLOCK_ORDINALS);
  const blocks = (await epoch.rows(
    `SELECT ordinals FROM ${LIST_ORDERS} WHERE epoch = ${EPOCH_OF_STATE} AND list = $2 AND block BETWEEN $3::int8 AND $4::int8 ORDER BY block`,
    list,
    first,
    Math.floor((offset + limit - 1) / BLOCK_ORDINALS),
  )) as [Buffer][];
  const ordinals = Buffer.concat(blocks.map(([block]) => block));
  const start = offset - first * BLOCK_ORDINALS;
  const end = Math.min(start + limit, ordinals.length / ORDINAL_BYTES);
  return Array.from({ length: Math.max(0, end - start) }, (_, index) =>
    ordinals.readInt32BE((start + index) * ORDINAL_BYTES),
  );
}
