import { chmodSync } from "node:fs";
import { ArchiveError, systemErrorCode } from "../errors.ts";
import { openDatabase } from "./database.ts";

/** Held until it is released or its process ends, however it ends. */
export interface ServiceLock {
  release(): void;
}

/**
 * Takes a data directory for one service: two would run the same jobs. The lock is the system's, on an empty SQLite file, so that one of a
 * process that was killed never has to be cleared away. Throws SERVICE_RUNNING.
 */
export function acquireServiceLock(path: string): ServiceLock {
  const database = openDatabase(path, { timeout: 0 });
  chmodSync(path, 0o600);
  try {
    // A journal on disk would outlive a process that is killed, and nothing is ever written.
    database.pragma("journal_mode = MEMORY");
    database.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    database.close();
    if (systemErrorCode(cause) !== "SQLITE_BUSY") throw cause;
    throw new ArchiveError("SERVICE_RUNNING", "another service works on this data directory", { cause });
  }
  return { release: () => void database.close() };
}
