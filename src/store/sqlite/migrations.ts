import { SCHEMA_TABLES, SCHEMA_VERSION } from "../tables/archive-tables.ts";
import { laterColumnsSql } from "../tables/table.ts";
import { requireVersion, type SqliteDatabase } from "./database.ts";

/**
 * The first version that is led on. One before it knew messages by other keys, made of HTML and calendar parts that no
 * archive holds: led on, it would take every mail of a source that is read again for new.
 */
const FIRST_VERSION = 2;

/**
 * Leads an older archive up to the present schema. Throws ARCHIVE_VERSION for a newer one, and for one that is too old.
 */
export function migrate(database: SqliteDatabase, path: string): void {
  requireVersion(database, path, (version) => version >= FIRST_VERSION && version <= SCHEMA_VERSION);
  const version = Number(database.pragma("user_version"));
  for (const table of SCHEMA_TABLES) database.exec(laterColumnsSql(table, version));
  database.pragma(`user_version = ${SCHEMA_VERSION}`);
}
