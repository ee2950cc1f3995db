import { chmodSync } from "node:fs";
import { ArchiveError, systemErrorCode } from "../../errors.ts";
import { PRIVATE_FILE } from "../../files/durable-files.ts";
import { openDatabase, type SqliteDatabase } from "./database.ts";
import {
  CATALOGUE_APPLICATION_ID,
  CATALOGUE_MIGRATIONS,
  CATALOGUE_SCHEMA_VERSION,
  createCatalogueTables,
} from "./upload-catalogue-schema.ts";

/** Time a write waits for one of another process, in milliseconds: each takes a few. */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * Opens a catalogue, or makes one. Throws NOT_AN_ARCHIVE for another kind of file, ARCHIVE_VERSION for another
 * version's.
 */
export function openCatalogueDatabase(path: string): SqliteDatabase {
  const database = openDatabase(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    // It holds names of files, and passwords until their jobs have ended. Before there is a journal: SQLite gives it
    // the mode of the database.
    chmodSync(path, PRIVATE_FILE);
    requireOwn(database, path);
    database.pragma("journal_mode = WAL");
    // What is overwritten or deleted is overwritten with zeros: an erased password leaves nothing behind.
    database.pragma("secure_delete = ON");
    database.pragma("synchronous = FULL");
    return database;
  } catch (error) {
    database.close();
    if (systemErrorCode(error) === "SQLITE_NOTADB")
      throw new ArchiveError("NOT_AN_ARCHIVE", `${path} is no catalogue of uploads`, { cause: error });
    throw error;
  }
}

/** Two processes may open a new file at once: one of them makes the tables. */
function requireOwn(database: SqliteDatabase, path: string): void {
  database.transaction("immediate", () => {
    const applicationId = database.pragma("application_id");
    const version = Number(database.pragma("user_version"));
    const tables = Number(database.prepare("SELECT count(*) FROM sqlite_schema").pluck().get());
    if (applicationId === 0 && version === 0 && tables === 0) {
      createCatalogueTables(database);
      return;
    }
    if (applicationId !== CATALOGUE_APPLICATION_ID)
      throw new ArchiveError("NOT_AN_ARCHIVE", `${path} is no catalogue of uploads`);
    if (version === CATALOGUE_SCHEMA_VERSION) return;
    if (CATALOGUE_MIGRATIONS[version] !== undefined) return migrate(database, version);
    throw new ArchiveError(
      "ARCHIVE_VERSION",
      `${path} was written by another version of archivetool (schema ${version}, not ${CATALOGUE_SCHEMA_VERSION})`,
      { hint: "start the service with that version, or with a new directory (--data)" },
    );
  });
}

function migrate(database: SqliteDatabase, from: number): void {
  for (let version = from; version < CATALOGUE_SCHEMA_VERSION; version++) {
    database.exec(CATALOGUE_MIGRATIONS[version]!);
  }
  database.pragma(`user_version = ${CATALOGUE_SCHEMA_VERSION}`);
}
