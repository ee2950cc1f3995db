import type { OpenEpoch } from "./epochs.ts";
import { ordinalList } from "./selection.ts";

/** Columns of the search index by their names. */
export async function indexColumns(
  epoch: OpenEpoch,
  names: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const rows = await epoch.rows("SELECT name, data FROM ix_column WHERE epoch = $1 AND name = ANY($2)", names);
  return new Map(rows as [string, Uint8Array][]);
}

/** A stretch of a column: bytes from `start` on. */
export interface ColumnSlice {
  readonly name: string;
  readonly start: number;
  readonly length: number;
}

/** Stretches of columns of the search index by the names of these. */
export async function columnSlices(
  epoch: OpenEpoch,
  slices: readonly ColumnSlice[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const rows = await epoch.rows(
    `SELECT name, substring(data FROM (start + 1)::int4 FOR length::int4)
     FROM unnest($2::text[], $3::int8[], $4::int8[]) AS asked(name, start, length) JOIN ix_column USING (name)
     WHERE epoch = $1`,
    slices.map(({ name }) => name),
    ordinalList(slices.map(({ start }) => start)),
    ordinalList(slices.map(({ length }) => length)),
  );
  return new Map(rows as [string, Uint8Array][]);
}

/** Reads once, when it is first asked for; what failed is asked for again. */
export function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | null = null;
  return () => {
    if (reading === null) {
      reading = read();
      reading.catch(() => {
        reading = null;
      });
    }
    return reading;
  };
}
