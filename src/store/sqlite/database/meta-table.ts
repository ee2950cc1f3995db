import { ArchiveError } from "../../../errors.ts";
import { MAX_VALUE_BYTES } from "../../contract/archive-writer.ts";
import type { SqliteDatabase } from "./database.ts";

export interface MetaTable {
  /** Throws ARCHIVE_FULL if the value is too long for the database. */
  set(key: string, value: string | Uint8Array): void;
  get(key: string): string | Uint8Array | null;
}

export function metaTable(database: SqliteDatabase): MetaTable {
  const write = database.prepare("INSERT INTO meta(k, v) VALUES (?, ?) ON CONFLICT(k) DO UPDATE SET v = excluded.v");
  const read = database.prepare("SELECT v FROM meta WHERE k = ?").pluck();
  return {
    set(key, value) {
      if (value.length > MAX_VALUE_BYTES)
        throw new ArchiveError("ARCHIVE_FULL", `${key} exceeds ${MAX_VALUE_BYTES} bytes`);
      write.run(key, value);
    },
    get(key) {
      return (read.get(key) as string | Uint8Array | undefined) ?? null;
    },
  };
}

/** A JSON value of the store's own keys; null if it was never written. */
export function readJson<T>(meta: MetaTable, key: string): T | null {
  const text = meta.get(key);
  return typeof text === "string" ? (JSON.parse(text) as T) : null;
}
