import type { SqliteDatabase } from "./database.ts";

/** Rows of a batch of any table but messages. */
const BATCH_ROWS = 512;

/** All rows of a table in id order, a batch at a time; nothing stays open between batches. */
export async function* rowBatches<Row extends { readonly id: number }>(
  database: SqliteDatabase,
  table: string,
): AsyncGenerator<readonly Row[]> {
  const after = database.prepare(`SELECT * FROM ${table} WHERE id > ? ORDER BY id LIMIT ${BATCH_ROWS}`);
  let last = -1;
  for (;;) {
    const rows = after.all(last) as Row[];
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1)!.id;
  }
}
