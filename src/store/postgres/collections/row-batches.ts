import type { SqlValue } from "../../tables/sql-value.ts";
import { validIn } from "../client/valid-rows.ts";
import type { OpenEpoch } from "./open-epoch.ts";

/** Rows of a batch of any table except messages. */
const BATCH_ROWS = 512;

/**
 * All rows of a table in id order, in batches of arrays of the named columns, `id` first. Nothing stays open between
 * batches.
 */
export async function* rowBatches(
  epoch: OpenEpoch,
  table: string,
  columns: string,
): AsyncGenerator<readonly SqlValue[][]> {
  let last = -1;
  for (;;) {
    const rows = await epoch.rows(
      `SELECT ${columns} FROM ${table} WHERE ${validIn(table)} AND id > $2::int8 ORDER BY id LIMIT ${BATCH_ROWS}`,
      last,
    );
    if (rows.length === 0) return;
    yield rows;
    const [id] = rows.at(-1)!;
    last = id as number;
  }
}
