import type { SqliteDatabase } from "./database.ts";
import { hasSearchTables } from "./search-schema.ts";

/**
 * Reads the inferred language of messages with short text; loads the columns on first use. Null if none was inferred,
 * and in archives of earlier versions.
 */
export function inferredLanguageReader(database: SqliteDatabase): (ordinal: number) => string | null {
  let columns: { readonly numbers: Uint32Array; readonly names: readonly string[] } | null = null;
  return (ordinal) => {
    columns ??= readColumns(database);
    return columns.names[columns.numbers[ordinal] ?? 0] || null;
  };
}

function readColumns(database: SqliteDatabase): { readonly numbers: Uint32Array; readonly names: readonly string[] } {
  if (!hasSearchTables(database)) return { numbers: new Uint32Array(0), names: [] };
  const column = database.prepare("SELECT data FROM ix_column WHERE name = ?").pluck();
  const numbers = column.get("inferredLanguages") as Uint8Array | undefined;
  const names = column.get("languageNames") as Uint8Array | undefined;
  if (numbers === undefined || names === undefined) return { numbers: new Uint32Array(0), names: [] };
  return {
    numbers: new Uint32Array(new Uint8Array(numbers).buffer),
    names: JSON.parse(new TextDecoder().decode(names)),
  };
}
