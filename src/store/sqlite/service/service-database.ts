import { chmodSync } from "node:fs";
import { ArchiveError, systemErrorCode } from "../../../errors.ts";
import { PRIVATE_FILE } from "../../../files/durable-files.ts";
import { createMissingSql, migrationSql, type Table } from "../../tables/table.ts";
import { openDatabase, type SqliteDatabase } from "../database/database.ts";

/** A kind of database other than archives. */
export interface DatabaseKind {
  /** Name in messages. */
  readonly name: string;
  /** Distinguishes it from archives and other SQLite databases. */
  readonly applicationId: number;
  /** Incremented by every change of its tables; earlier versions are migrated. */
  readonly version: number;
  readonly tables: readonly Table<unknown>[];
  /** SQL that creates missing indexes, triggers and initial rows. */
  readonly beside: string;
  /** Hint if the version does not match. */
  readonly hint: string | undefined;
}

/** Milliseconds that a write waits for other processes; each takes a few. */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * Opens or creates a database of a kind; every write is on disk when its transaction ends. Throws NOT_AN_ARCHIVE for
 * another kind of file, ARCHIVE_VERSION for a newer one.
 */
export function openServiceDatabase(path: string, kind: DatabaseKind): SqliteDatabase {
  const database = openDatabase(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    // Runs before the journal exists: SQLite copies the mode of the database to it.
    chmodSync(path, PRIVATE_FILE);
    database.pragma("synchronous = FULL");
    // Two processes may open a new file at once: one of them creates the tables.
    database.transaction("immediate", () => prepare(database, path, kind));
    return database;
  } catch (error) {
    database.close();
    if (systemErrorCode(error) === "SQLITE_NOTADB")
      throw new ArchiveError("NOT_AN_ARCHIVE", `${path} is not a ${kind.name}`, { cause: error });
    throw error;
  }
}

function prepare(database: SqliteDatabase, path: string, kind: DatabaseKind): void {
  const applicationId = database.pragma("application_id");
  const version = Number(database.pragma("user_version"));
  const known = new Set(database.prepare("SELECT name FROM sqlite_schema").pluck().all());
  const isNew = applicationId === 0 && version === 0 && known.size === 0;
  if (!isNew && applicationId !== kind.applicationId)
    throw new ArchiveError("NOT_AN_ARCHIVE", `${path} is not a ${kind.name}`);
  if (version === kind.version) return;
  if (version > kind.version || (version < 1 && !isNew))
    throw new ArchiveError(
      "ARCHIVE_VERSION",
      `${path} was written by another version of archivetool (schema ${version}, not ${kind.version})`,
      kind.hint === undefined ? {} : { hint: kind.hint },
    );
  for (const table of kind.tables)
    database.exec(known.has(table.name) ? migrationSql(table, version) : createMissingSql(table));
  database.exec(kind.beside);
  database.pragma(`application_id = ${kind.applicationId}`);
  database.pragma(`user_version = ${kind.version}`);
}
