import { ArchiveError } from "../../../errors.ts";
import { acquireFileLock, type FileLock } from "./file-lock.ts";

/** Locks a data directory for one service: two would run the same jobs. Throws SERVICE_RUNNING. */
export function acquireServiceLock(path: string): FileLock {
  const lock = acquireFileLock(path);
  if (lock === null) throw new ArchiveError("SERVICE_RUNNING", "another service uses this data directory");
  return lock;
}
