import { resolve, toNamespacedPath } from "node:path";
import { ArchiveError } from "../../../errors.ts";
import { RANDOM_READ_CACHE, type ReadingMemory } from "../../contract/reading-memory.ts";
import { OLDEST_VERSION, SCHEMA_VERSION } from "../../tables/archive-tables.ts";
import type { OpenOptions, SqliteDatabase } from "../driver/sqlite-database.ts";
import { sqliteDriver } from "../driver/sqlite-driver.ts";
import { withSqliteFaults } from "../driver/sqlite-faults.ts";
import { requireWholeFile } from "./archive-header.ts";
import { APPLICATION_ID, earlierViews } from "./schema.ts";

export type { SqliteDatabase } from "../driver/sqlite-database.ts";

/** SQLite cache while writing, in KiB: the inner pages of all b-trees of 500,000 messages fit. */
const CACHE_KIB = 32 * 1024;
/** The same while rows are only appended: a new archive gets its indexes when it is complete. */
const APPENDING_CACHE_KIB = 8 * 1024;
/** Bodies of ordinary mail fit one page of this size, so that reading one follows no overflow chain. */
const PAGE_BYTES = 8192;

/**
 * A database for writing: its file is private until it is renamed, so nothing waits for the disk; `finish` syncs it
 * once.
 */
export function openForWriting(path: string, mode: "create" | "append"): SqliteDatabase {
  const database = openDatabase(path, { fileMustExist: mode === "append" });
  if (mode === "append") requireArchive(database, path);
  if (mode === "create") database.pragma(`page_size = ${PAGE_BYTES}`);
  database.pragma("synchronous = OFF");
  database.pragma("locking_mode = EXCLUSIVE");
  setWritingCache(database, false);
  // Spill sorts that exceed the cache: in memory, building an index would take about 50 bytes per message. SQLite
  // creates these temporary files without a name and readable only by the user.
  database.pragma("temp_store = FILE");
  database.pragma("foreign_keys = OFF");
  return database;
}

/** @param isAppending true while rows are only appended */
export function setWritingCache(database: SqliteDatabase, isAppending: boolean): void {
  database.pragma(`cache_size = -${isAppending ? APPENDING_CACHE_KIB : CACHE_KIB}`);
}

/**
 * An archive for reading. Throws ARCHIVE_DAMAGED, and NOT_AN_ARCHIVE or ARCHIVE_VERSION for files that this version
 * cannot read.
 */
export function openForReading(path: string, memory: ReadingMemory = RANDOM_READ_CACHE): SqliteDatabase {
  requireWholeFile(path);
  const database = openDatabase(path, { fileMustExist: true, readonly: true });
  try {
    requireArchive(database, path);
    requireVersion(database, path, isReadVersion);
    database.pragma(`cache_size = -${memory.cacheKib}`);
    // Some SQLite builds map files by default.
    database.pragma("mmap_size = 0");
    database.pragma("temp_store = MEMORY");
    database.exec(earlierViews(Number(database.pragma("user_version"))));
    // One read transaction while the database is open: otherwise every statement locks the file and checks for a
    // journal, which costs more than reading a row.
    database.exec("BEGIN");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Throws NOT_AN_ARCHIVE unless the file is a SQLite database that this tool wrote. */
function requireArchive(database: SqliteDatabase, path: string): void {
  let applicationId: unknown;
  try {
    applicationId = database.pragma("application_id");
  } catch (cause) {
    throw new ArchiveError("NOT_AN_ARCHIVE", `${path} is not an archive`, { cause });
  }
  if (applicationId !== APPLICATION_ID)
    throw new ArchiveError("NOT_AN_ARCHIVE", `${path} is not an archive of this tool`);
}

export function isReadVersion(version: number): boolean {
  return version >= OLDEST_VERSION && version <= SCHEMA_VERSION;
}

/** Throws ARCHIVE_VERSION unless the schema version passes. */
export function requireVersion(database: SqliteDatabase, path: string, passes: (version: number) => boolean): void {
  const version = Number(database.pragma("user_version"));
  if (passes(version)) return;
  const age = version > SCHEMA_VERSION ? "a newer" : "an older";
  throw new ArchiveError(
    "ARCHIVE_VERSION",
    `${path} was written by ${age} version of archivetool (schema ${version}, not ${SCHEMA_VERSION})`,
    version > SCHEMA_VERSION ? {} : { hint: "extract the sources again without --incremental" },
  );
}

/** Opens a database file; converts errors of the driver and the file to specific ones. */
export function openDatabase(path: string, options: OpenOptions): SqliteDatabase {
  const open = sqliteDriver();
  return withSqliteFaults("opening", path, () => open(driverPath(path), options));
}

/** Longest path in characters that Windows accepts without a prefix. */
const MAX_PLAIN_PATH = 240;

/**
 * On Windows, Node converts long paths to the form without a length limit; elsewhere the path stays unchanged. SQLite
 * writes a journal next to it.
 */
function driverPath(path: string): string {
  return resolve(path).length > MAX_PLAIN_PATH ? toNamespacedPath(path) : path;
}
