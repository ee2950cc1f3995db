import { SCHEMA_TABLES, SCHEMA_VERSION } from "../../tables/archive-tables.ts";
import { migrationSql } from "../../tables/table.ts";
import { isReadVersion, requireVersion, type SqliteDatabase } from "./database.ts";

/** Migrates an older archive to the current schema. Throws ARCHIVE_VERSION for one that cannot be read. */
export function migrate(database: SqliteDatabase, path: string): void {
  requireVersion(database, path, isReadVersion);
  const version = Number(database.pragma("user_version"));
  for (const table of SCHEMA_TABLES) database.exec(migrationSql(table, version));
  database.pragma(`user_version = ${SCHEMA_VERSION}`);
}
