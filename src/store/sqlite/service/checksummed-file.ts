import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { ArchiveError, systemErrorCode } from "../../../errors.ts";
import { writeDurably } from "../../../files/durable-files.ts";
import type { SqliteDatabase } from "../database/database.ts";

/**
 * The file with the SHA-256 of a database in WAL mode, valid from the last close to the next open. While a connection
 * is open, and after a kill, there is a journal and the hash does not count: then SQLite's own check runs.
 */
function sealOf(path: string): string {
  return `${path}.sha256`;
}

function isOpenOrCut(path: string): boolean {
  return existsSync(`${path}-wal`);
}

/** Bytes read at a time. */
const PIECE_BYTES = 1 << 20;

function hashOfFile(path: string): string {
  const hash = createHash("sha256");
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  const descriptor = openSync(path, "r");
  try {
    for (let read = 1; read > 0; hash.update(piece.subarray(0, read)))
      read = readSync(descriptor, piece, 0, PIECE_BYTES, null);
  } finally {
    closeSync(descriptor);
  }
  return hash.digest("hex");
}

function damage(path: string, what: string, hint: string, cause?: unknown): ArchiveError {
  return new ArchiveError("ARCHIVE_DAMAGED", `${path} is damaged: ${what}`, { hint, cause });
}

const RESTORE = "restore it from a backup, or start with a new directory and add the uploads again";

/**
 * Opens a database closed by `closeSealed`. Throws ARCHIVE_DAMAGED if a byte has changed. @param open opens it in WAL
 * mode
 */
export function openSealed(path: string, open: () => SqliteDatabase): SqliteDatabase {
  const isSound = isSealed(path);
  const database = naming(path, open);
  try {
    if (!isSound) naming(path, () => requireSound(database, path));
    rmSync(sealOf(path), { force: true });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Closes a database, and seals it unless another connection is open. */
export function closeSealed(path: string, database: SqliteDatabase): void {
  database.close();
  if (isOpenOrCut(path) || !existsSync(path)) return;
  try {
    writeDurably(sealOf(path), hashOfFile(path));
  } catch {
    // On a full disk: SQLite checks an unsealed file at the next open.
  }
}

/** True if the stored hash matches the file; false if there is no valid hash. */
function isSealed(path: string): boolean {
  const seal = sealOf(path);
  if (!existsSync(seal) || isOpenOrCut(path)) return false;
  const isSame = existsSync(path) && readFileSync(seal, "latin1") === hashOfFile(path);
  // Another process may have opened the database in the meantime.
  if (!isSame && existsSync(seal) && !isOpenOrCut(path))
    throw damage(
      path,
      "its SHA-256 does not match the recorded one",
      `${RESTORE}; if another program changed it on purpose, remove ${seal}`,
    );
  return isSame;
}

function requireSound(database: SqliteDatabase, path: string): void {
  const found = database.pragma("quick_check(1)");
  if (found !== "ok") throw damage(path, String(found), RESTORE);
}

function naming<T>(path: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (!(systemErrorCode(error) ?? "").startsWith("SQLITE_CORRUPT")) throw error;
    throw damage(path, error instanceof Error ? error.message : String(error), RESTORE, error);
  }
}
