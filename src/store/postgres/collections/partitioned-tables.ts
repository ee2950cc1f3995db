import type { SqlValue } from "../../tables/sql-value.ts";
import { STORED_TABLES, type StoredTable } from "../../tables/stored-tables.ts";

/** Bytes of a piece: changing a large value only rewrites the affected pieces. */
export const PIECE_BYTES = 16 << 10;

/** Values that grow with the archive but change in few places, by table: each is stored in pieces, one row each. */
const PIECED: Readonly<Record<string, string>> = { meta: "bytes_value", ix_column: "data" };

export const PART = "part";

/** A table of an archive as PostgreSQL stores it. */
export interface PartitionedTable extends StoredTable {
  /** The column whose values are split into pieces, numbered by `part` from 0; null for none. */
  readonly pieced: string | null;
}

export function partitionedTable(table: StoredTable): PartitionedTable {
  const pieced = PIECED[table.name] ?? null;
  if (pieced === null) return { ...table, pieced };
  const part = { name: PART, type: "INTEGER", isOriginal: true } as const;
  return { ...table, columns: [...table.columns, part], key: [...table.key, PART], pieced };
}

export const PARTITIONED_TABLES: readonly PartitionedTable[] = STORED_TABLES.map(partitionedTable);

type Batches = AsyncIterable<readonly (readonly SqlValue[])[]>;

/** Cuts the large values of rows. */
export async function* cutPieces(
  { columns, key, pieced }: PartitionedTable,
  batches: Batches,
): AsyncGenerator<SqlValue[][]> {
  const at = columns.findIndex(({ name }) => name === pieced);
  const isKey = columns.map(({ name }) => key.includes(name));
  const cut = (row: readonly SqlValue[]): SqlValue[][] => {
    const value = bytesOf(row[at]);
    const count = Math.max(1, Math.ceil((value?.length ?? 0) / PIECE_BYTES));
    return Array.from({ length: count }, (_, part) => {
      const piece = part === 0 ? [...row] : row.map((other, column) => (isKey[column] ? other : null));
      piece[at] = value === null ? null : value.subarray(part * PIECE_BYTES, (part + 1) * PIECE_BYTES);
      return [...piece, part];
    });
  };
  for await (const batch of batches) yield batch.flatMap(cut);
}

/** Joins the output of `cutPieces`. Without rows it yields no batch. */
export async function* joinPieces(
  { columns, pieced }: PartitionedTable,
  batches: Batches,
): AsyncGenerator<SqlValue[][]> {
  const at = columns.findIndex(({ name }) => name === pieced);
  let row: readonly SqlValue[] | null = null;
  let pieces: Uint8Array[] = [];
  const joined = (whole: readonly SqlValue[]): SqlValue[][] => [
    whole.slice(0, -1).map((value, column) => (column === at ? joinBytes(pieces) : value)),
  ];
  for await (const batch of batches)
    for (const next of batch) {
      if (next.at(-1) === 0) {
        if (row !== null) yield joined(row);
        row = next;
        pieces = [];
      }
      const piece = bytesOf(next[at]);
      if (piece !== null) pieces.push(piece);
    }
  if (row !== null) yield joined(row);
}

function joinBytes(pieces: readonly Uint8Array[]): Uint8Array | null {
  return pieces.length === 0 ? null : new Uint8Array(Buffer.concat(pieces));
}

function bytesOf(value: SqlValue | undefined): Uint8Array | null {
  return value instanceof Uint8Array ? value : null;
}
