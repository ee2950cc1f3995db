import { chmodSync, closeSync, existsSync, linkSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { threadId } from "node:worker_threads";
import { ArchiveError, systemErrorCode } from "../../../errors.ts";
import { replaceFile, syncDirectory, syncFile } from "../../../files/durable-files.ts";
import { CHECKED_ENTRIES, NOTEBOOK_SEAL } from "../../tables/notebook-tables.ts";
import { inserted } from "../../tables/statement.ts";
import { createSql } from "../../tables/table.ts";
import { openDatabase, type SqliteDatabase } from "../database/database.ts";
import { queryableDatabase } from "../driver/queryable-database.ts";
import { IN_MEMORY } from "../driver/sqlite-database.ts";
import { type CheckedContent, checkedEntry, emptySeal, seal } from "./notebook-checksums.ts";

/** `ARCN`: distinguishes notebooks from archives and other SQLite databases. */
const APPLICATION_ID = 0x4152434e;
/** Incremented by every change of its tables. */
const VERSION = 2;
/** Milliseconds that a statement waits for other processes; each takes a few. */
const BUSY_TIMEOUT_MS = 10_000;
/** Begins every SQLite database; the application id is at byte 68. https://www.sqlite.org/fileformat.html section 1.3 */
const MAGIC = "SQLite format 3\0";
const APPLICATION_ID_AT = 68;

/** Error for a damaged notebook. */
export function notebookDamage(path: string, what: string, cause?: unknown): ArchiveError {
  const backup = backupOf(path);
  return new ArchiveError("ARCHIVE_DAMAGED", `${path} is damaged: ${what}`, {
    hint: existsSync(backup)
      ? `replace it with ${backup}, the last valid backup`
      : "restore the notebook from a backup",
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Path of the last valid backup. */
export function backupOf(path: string): string {
  return path.replace(/\.db$/, ".backup.db");
}

/**
 * Opens the file of a notebook, or creates one with these permissions. Opening writes nothing, so that a notebook can
 * be read by other users and on read-only file systems. Throws ARCHIVE_DAMAGED, NOT_AN_ARCHIVE, ARCHIVE_VERSION.
 */
export function openNotebookFile(path: string, mode: number): SqliteDatabase {
  if (!existsSync(path)) {
    if (existsSync(backupOf(path))) throw notebookDamage(path, "the file is missing");
    makeFile(path, mode);
  }
  if (statSync(path).size === 0) throw notebookDamage(path, "the file is empty");
  const database = openDatabase(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    database.pragma("synchronous = FULL");
    requireNotebook(database, path);
    return database;
  } catch (error) {
    database.close();
    if (systemErrorCode(error) !== "SQLITE_NOTADB") throw error;
    if (hasMark(path)) throw notebookDamage(path, "its header is damaged", error);
    throw new ArchiveError("NOT_AN_ARCHIVE", `${path} is not a notebook`, { cause: error });
  }
}

/** An empty notebook in memory. */
export function notebookInMemory(): SqliteDatabase {
  const database = openDatabase(IN_MEMORY, {});
  fill(database, { revision: 0, entries: [] });
  return database;
}

/** Replaces the backup by a copy of a notebook. Call while the notebook is locked for writing. */
export function writeBackup(path: string, content: CheckedContent): void {
  const backup = backupOf(path);
  const unfinished = `${backup}.tmp`;
  try {
    writeFile(unfinished, content, statSync(path).mode);
    replaceFile(unfinished, backup);
    syncDirectory(dirname(backup));
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function requireNotebook(database: SqliteDatabase, path: string): void {
  const version = Number(database.pragma("user_version"));
  if (database.pragma("application_id") !== APPLICATION_ID) {
    const names = database.prepare("SELECT name FROM sqlite_schema").pluck().all();
    if ([CHECKED_ENTRIES, NOTEBOOK_SEAL].every(({ name }) => names.includes(name)))
      throw notebookDamage(path, "its header is damaged");
    throw new ArchiveError("NOT_AN_ARCHIVE", `${path} is not a notebook`);
  }
  if (version !== VERSION)
    throw new ArchiveError(
      "ARCHIVE_VERSION",
      `${path} was written by another version of archivetool (schema ${version}, not ${VERSION})`,
      { hint: "open it with that version, export the notebook as JSON and import it here" },
    );
}

/** A file is renamed when complete; of two concurrent processes, one wins. */
function makeFile(path: string, mode: number): void {
  const unfinished = `${path}.${process.pid}-${threadId}.tmp`;
  try {
    writeFile(unfinished, { revision: 0, entries: [] }, mode);
    linkNew(unfinished, path);
    syncDirectory(dirname(path));
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function linkNew(unfinished: string, path: string): void {
  try {
    linkSync(unfinished, path);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "EEXIST") return;
    // A file system without links.
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EOPNOTSUPP") throw error;
    if (!existsSync(path)) replaceFile(unfinished, path);
  }
}

function writeFile(path: string, content: CheckedContent, mode: number): void {
  rmSync(path, { force: true });
  // SQLite creates files that others can read; set permissions before anything is written.
  closeSync(openSync(path, "wx", mode & 0o777));
  chmodSync(path, mode & 0o777);
  const database = openDatabase(path, { fileMustExist: true });
  try {
    database.pragma("synchronous = FULL");
    fill(database, content);
  } finally {
    database.close();
  }
  syncFile(path);
}

function fill(database: SqliteDatabase, { revision, entries }: CheckedContent): void {
  const asked = queryableDatabase(database);
  database.transaction("immediate", () => {
    for (const table of [CHECKED_ENTRIES, NOTEBOOK_SEAL]) database.exec(createSql(table));
    asked.run(inserted(NOTEBOOK_SEAL, emptySeal()));
    for (const entry of entries) asked.run(inserted(CHECKED_ENTRIES, checkedEntry(entry)));
    seal(asked, revision, (what) => new Error(what));
    database.pragma(`application_id = ${APPLICATION_ID}`);
    database.pragma(`user_version = ${VERSION}`);
  });
}

/** True for a file with SQLite's header or the mark of a notebook: then other bytes were damaged. */
function hasMark(path: string): boolean {
  const head = Buffer.alloc(APPLICATION_ID_AT + 4);
  const descriptor = openSync(path, "r");
  try {
    readSync(descriptor, head, 0, head.length, 0);
  } finally {
    closeSync(descriptor);
  }
  return head.toString("latin1", 0, MAGIC.length) === MAGIC || head.readUInt32BE(APPLICATION_ID_AT) === APPLICATION_ID;
}
