import { statfsSync } from "node:fs";
import { ArchiveError, systemErrorCode } from "../../errors.ts";

/** Converts a system error of a run to a message for users; passes on others. @param directory of the output */
export function explainError(error: unknown, directory: string): unknown {
  const code = error instanceof ArchiveError ? error.code : systemErrorCode(error);
  if (code === "DISK_FULL" || code === "ENOSPC" || code === "EDQUOT") {
    return new ArchiveError("DISK_FULL", `no space left for ${directory} (${freeBytes(directory)} bytes free)`, {
      cause: error,
    });
  }
  if (error instanceof ArchiveError) return error;
  if (code === "EACCES" || code === "EROFS" || code === "EPERM")
    return new ArchiveError("OUTPUT_UNWRITABLE", `cannot write to ${directory}`, { cause: error });
  return error;
}

function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}
