import type { SqlValue } from "../../tables/sql-value.ts";
import type { SqliteDatabase } from "./database.ts";

/** Rows of a batch of any table except messages. */
const BATCH_ROWS = 512;

/**
 * All rows of a table in id order, in batches of arrays of the named columns, `id` first: an object per row would
 * cost more than reading. Nothing stays open between batches.
 */
export async function* rowBatches(
  database: SqliteDatabase,
  table: string,
  columns: string,
): AsyncGenerator<readonly (readonly SqlValue[])[]> {
  const after = database.prepare(`SELECT ${columns} FROM ${table} WHERE id > ? ORDER BY id LIMIT ${BATCH_ROWS}`).raw();
  let last = -1;
  for (;;) {
    const rows = after.all(last) as SqlValue[][];
    if (rows.length === 0) return;
    yield rows;
    const [id] = rows.at(-1)!;
    last = id as number;
  }
}
