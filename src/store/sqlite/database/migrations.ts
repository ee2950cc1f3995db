import { SCHEMA_TABLES, SCHEMA_VERSION, WORDS_SINCE } from "../../tables/archive-tables.ts";
import { laterColumnsSql } from "../../tables/table.ts";
import { requireVersion, type SqliteDatabase } from "./database.ts";

/**
 * Brings an older archive up to the present schema. Throws ARCHIVE_VERSION for a newer one, and for one whose words are
 * indexed differently.
 */
export function migrate(database: SqliteDatabase, path: string): void {
  requireVersion(database, path, (version) => version >= WORDS_SINCE && version <= SCHEMA_VERSION);
  const version = Number(database.pragma("user_version"));
  for (const table of SCHEMA_TABLES) database.exec(laterColumnsSql(table, version));
  database.pragma(`user_version = ${SCHEMA_VERSION}`);
}
