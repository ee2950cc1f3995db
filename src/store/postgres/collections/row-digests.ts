import { createHash } from "node:crypto";
import type { RowBatches } from "../../reading/stored-rows.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import type { StoredColumn } from "../../tables/stored-tables.ts";
import { RowDecoder, RowEncoder } from "../client/binary-rows.ts";
import type { PostgresClient } from "../client/postgres-client.ts";
import { encodeText } from "../client/stored-text.ts";
import { validInState } from "../client/valid-rows.ts";
import type { PartitionedTable } from "./partitioned-tables.ts";

/** Bytes of a SHA-256 for comparing rows. */
const DIGEST_BYTES = 16;
const DIGEST: StoredColumn = { name: "digest", type: "BLOB", isOriginal: true };

/** A row of an epoch: its key, and the digest of all its columns. */
interface DigestedRow {
  readonly key: readonly SqlValue[];
  readonly digest: Uint8Array;
}

/** The rows of a state in key order, with digests computed by the server. */
async function* digestedRows(
  client: PostgresClient,
  { name, columns, key }: PartitionedTable,
  state: number,
): AsyncGenerator<DigestedRow> {
  const listed = columns.map((column) => column.name).join(", ");
  const keys = key.join(", ");
  const stream = await client.copyOut(
    `COPY (SELECT ${keys}, substring(sha256(record_send(ROW(${listed}))) FOR ${DIGEST_BYTES}) FROM ${name}
       WHERE ${validInState(name, state)} ORDER BY ${keys}) TO STDOUT (FORMAT binary)`,
  );
  const decoder = new RowDecoder([...key.map((title) => columns.find((column) => column.name === title)!), DIGEST]);
  for await (const piece of stream as AsyncIterable<Buffer>)
    for (const row of decoder.rows(piece)) yield { key: row.slice(0, -1), digest: row.at(-1) as Uint8Array };
}

/** Changes of a table in a new epoch. */
interface TableChanges {
  /** New rows, including those that replace a row with the same key. */
  readonly rows: RowBatches;
  /** Keys of rows that are replaced or gone; complete once all rows were read. */
  readonly ended: readonly (readonly SqlValue[])[];
}

/** Compares the rows of a table, in the order of the key, with those of a state. */
export function tableChanges(
  client: PostgresClient,
  table: PartitionedTable,
  { state, batches }: { readonly state: number; readonly batches: RowBatches },
): TableChanges {
  const ended: (readonly SqlValue[])[] = [];
  const keyAt = table.key.map((name) => table.columns.findIndex((column) => column.name === name));
  const encoder = new RowEncoder();
  const digestOf = (row: readonly SqlValue[]): Buffer => {
    encoder.record(table.columns, row);
    return createHash("sha256").update(encoder.take()).digest().subarray(0, DIGEST_BYTES);
  };

  const stored = digestedRows(client, table, state);
  let next: DigestedRow | null = null;
  const advance = async (): Promise<void> => {
    const step = await stored.next();
    next = step.done === true ? null : step.value;
  };

  async function isChanged(row: readonly SqlValue[]): Promise<boolean> {
    const key = keyAt.map((at) => row[at]!);
    for (; next !== null && compareKeys(next.key, key) < 0; await advance()) ended.push(next.key);
    if (next === null || compareKeys(next.key, key) > 0) return true;
    const { key: storedKey, digest } = next;
    await advance();
    if (digestOf(row).equals(digest)) return false;
    ended.push(storedKey);
    return true;
  }

  async function* changed(): AsyncGenerator<readonly (readonly SqlValue[])[]> {
    await advance();
    for await (const batch of batches) {
      const changes: (readonly SqlValue[])[] = [];
      for (const row of batch) if (await isChanged(row)) changes.push(row);
      yield changes;
    }
    for (; next !== null; await advance()) ended.push(next.key);
  }

  return { rows: changed(), ended };
}

/** Numbers in numeric order, texts in byte order, as in both databases. */
function compareKeys(left: readonly SqlValue[], right: readonly SqlValue[]): number {
  for (const [at, one] of left.entries()) {
    const other = right[at]!;
    const order = typeof one === "number" ? one - (other as number) : compareTexts(one as string, other as string);
    if (order !== 0) return order;
  }
  return 0;
}

function compareTexts(left: string, right: string): number {
  return left === right ? 0 : Buffer.compare(Buffer.from(encodeText(left)), Buffer.from(encodeText(right)));
}
