import { requireVersion, type SqliteDatabase } from "./database.ts";
import { SCHEMA_VERSION } from "./schema.ts";

/** One step up: `MIGRATIONS[n]` leads a file of schema version n + 1 to n + 2. Steps are added at the end and never changed. */
type Migration = (database: SqliteDatabase) => void;
const MIGRATIONS: readonly Migration[] = [];

/** Leads an older archive up to the present schema. Throws ARCHIVE_VERSION for a newer one. */
export function migrate(database: SqliteDatabase, path: string): void {
  requireVersion(database, path, (version) => version >= 1 && version <= SCHEMA_VERSION);
  const version = Number(database.pragma("user_version"));
  for (const step of MIGRATIONS.slice(version - 1)) step(database);
  database.pragma(`user_version = ${SCHEMA_VERSION}`);
}
