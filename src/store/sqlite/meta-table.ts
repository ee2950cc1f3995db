import type { SqliteDatabase } from "./database.ts";

/** Keys the store keeps for itself; the pipeline chooses others. */
export const META = {
  /** ArchiveRecord as JSON. */
  record: "store:record",
  /** ArchiveCounters as JSON. */
  counters: "store:counters",
  /** NextOrdinals as JSON. */
  nextOrdinals: "store:next-ordinals",
  /** Number of warnings beyond the kept ones. */
  warningsTruncated: "store:warnings-truncated",
  /** Redactions in all, where their types are not known; else they are summed from the record. */
  piiRedactions: "store:pii-redactions",
  /** Runs of the archive when checksums were put behind it: an archive that says so and has none lost its end. */
  sealedRuns: "store:sealed-runs",
  /** There when content keys were made up, as for a document that does not tell them. */
  unknownKeys: "store:unknown-keys",
} as const;

/** Totals that a full count would be too slow for on every request. */
export interface ArchiveCounters {
  readonly messages: number;
  readonly contacts: number;
  readonly threads: number;
  readonly multiMessageThreads: number;
  readonly topics: number;
  readonly events: number;
  readonly items: number;
  readonly attachments: number;
  readonly earliest: number | null;
  readonly latest: number | null;
}

export interface MetaTable {
  set(key: string, value: string | Uint8Array): void;
  get(key: string): string | Uint8Array | null;
}

export function metaTable(database: SqliteDatabase): MetaTable {
  const write = database.prepare("INSERT INTO meta(k, v) VALUES (?, ?) ON CONFLICT(k) DO UPDATE SET v = excluded.v");
  const read = database.prepare("SELECT v FROM meta WHERE k = ?").pluck();
  return {
    set(key, value) {
      write.run(key, value);
    },
    get(key) {
      return (read.get(key) as string | Uint8Array | undefined) ?? null;
    },
  };
}

/** A JSON value of the store's own keys; null when it was never written. */
export function readJson<T>(meta: MetaTable, key: string): T | null {
  const text = meta.get(key);
  return typeof text === "string" ? (JSON.parse(text) as T) : null;
}
