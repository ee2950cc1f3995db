import type { OpenEpoch } from "./epochs.ts";

/** Columns of the search index by their names. */
export async function indexColumns(
  epoch: OpenEpoch,
  names: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const rows = await epoch.rows("SELECT name, data FROM ix_column WHERE epoch = $1 AND name = ANY($2)", names);
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
