import { ArchiveError, systemErrorCode } from "../errors.ts";

/** Error codes of a full disk and of an exceeded quota. */
const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

/**
 * The error for a file or directory that cannot be written: DISK_FULL or OUTPUT_UNWRITABLE. Errors of other kinds are
 * returned unchanged. @param writable what to select instead
 */
export function outputFault(error: unknown, path: string, writable: string): unknown {
  const code = systemErrorCode(error);
  if (error instanceof ArchiveError || code === null || !/^E[A-Z]+$/.test(code)) return error;
  const isFull = FULL.has(code);
  return new ArchiveError(isFull ? "DISK_FULL" : "OUTPUT_UNWRITABLE", `cannot write ${path}: ${code}`, {
    cause: error,
    hint: isFull ? "free some space, or select another disk" : `select ${writable}`,
  });
}
