import type { SqlValue } from "../tables/sql-value.ts";
import type { StoredTable } from "../tables/stored-tables.ts";

/** Rows of a table in the order of its columns. */
export type RowBatches = AsyncIterable<readonly (readonly SqlValue[])[]>;

/** All rows of an archive, for copying to another store. */
export interface StoredRows {
  /** False for an archive without a search index. */
  readonly hasIndex: boolean;
  /** Batches in key order. Only one iteration may run at a time. */
  rows(table: StoredTable): RowBatches;
  close(): Promise<void>;
}

/** Writes all rows of an archive; readers see them after `finish`. */
export interface RowsSink {
  /** Must be called once for each table. */
  write(table: StoredTable, batches: RowBatches): Promise<void>;
  finish(): Promise<void>;
  /** Discards everything. */
  abort(): Promise<void>;
}

/** Maximum rows of a batch. */
const BATCH_ROWS = 512;
/** Bytes of texts and blobs after which a batch ends. */
const BATCH_BYTES = 4 << 20;

/** Divides rows into batches. */
export async function* batchesOf(
  rows: Iterable<readonly SqlValue[]>,
): AsyncGenerator<readonly (readonly SqlValue[])[]> {
  let batch: (readonly SqlValue[])[] = [];
  let bytes = 0;
  for (const row of rows) {
    batch.push(row);
    for (const value of row) if (typeof value === "string" || value instanceof Uint8Array) bytes += value.length;
    if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
