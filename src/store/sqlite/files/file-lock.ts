import { chmodSync } from "node:fs";
import { systemErrorCode } from "../../../errors.ts";
import { PRIVATE_FILE } from "../../../files/durable-files.ts";
import { openDatabase } from "../database/database.ts";

/** Held until it is released or its process ends, however it ends. */
export interface FileLock {
  release(): void;
}

/**
 * Takes a lock, or returns null if another process on this machine, in any container, or another part of this one
 * holds it. It is a system lock on an empty SQLite file, so that the lock of a killed process is released. The file
 * is created if missing and must stay: a process with the old file open would lock that one. Throws system or SQLite
 * errors if locking is impossible.
 */
export function acquireFileLock(path: string): FileLock | null {
  const database = openDatabase(path, { timeout: 0 });
  try {
    chmodSync(path, PRIVATE_FILE);
    // A journal on disk would outlive a killed process, and nothing is ever written.
    database.pragma("journal_mode = MEMORY");
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (systemErrorCode(error) === "SQLITE_BUSY") return null;
    throw error;
  }
  return { release: () => void database.close() };
}
