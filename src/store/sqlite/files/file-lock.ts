import { chmodSync } from "node:fs";
import { systemErrorCode } from "../../../errors.ts";
import { PRIVATE_FILE } from "../../../files/durable-files.ts";
import { openDatabase } from "../database/database.ts";

/** Held until it is released or its process ends, however it ends. */
export interface FileLock {
  release(): void;
}

/**
 * Takes a lock, or gives null while another process (of any container on this machine) or another part of this one
 * holds it. It is the system's, on an empty SQLite file, so that one of a process that was killed never has to be
 * cleared away. The file is made when it is not there, and must stay: who had an old one open would lock that. Throws
 * what the system or SQLite says where nothing can be locked.
 */
export function acquireFileLock(path: string): FileLock | null {
  const database = openDatabase(path, { timeout: 0 });
  try {
    chmodSync(path, PRIVATE_FILE);
    // A journal on disk would outlive a process that is killed, and nothing is ever written.
    database.pragma("journal_mode = MEMORY");
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (systemErrorCode(error) === "SQLITE_BUSY") return null;
    throw error;
  }
  return { release: () => void database.close() };
}
