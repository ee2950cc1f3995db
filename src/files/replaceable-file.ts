import { accessSync, closeSync, constants, openSync } from "node:fs";
import { dirname } from "node:path";
import { ArchiveError, systemErrorCode } from "../errors.ts";
import { replaceFile } from "./durable-files.ts";

/**
 * Throws OUTPUT_BUSY for a file in use by another program, and OUTPUT_UNWRITABLE for one that cannot be replaced.
 * Windows neither renames nor removes open files; renaming a file to its own name detects this without a change.
 */
export function requireReplaceable(path: string): void {
  try {
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
    replaceFile(path, path);
    requireMutable(path);
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === "EBUSY" || code === "EPERM") {
      throw new ArchiveError("OUTPUT_BUSY", `${path} is in use by another program or is read-only`, {
        cause,
        hint: "close programs that have it open (a server of this archive, a spreadsheet) and run again",
      });
    }
    throw new ArchiveError("OUTPUT_UNWRITABLE", `${path} cannot be replaced`, { cause });
  }
}

/** A file marked as immutable (EPERM) cannot be replaced; one without write permission (EACCES) can. */
function requireMutable(path: string): void {
  try {
    closeSync(openSync(path, "r+"));
  } catch (error) {
    const code = systemErrorCode(error);
    if (code !== "EACCES" && code !== "ELOOP" && code !== "ENOENT") throw error;
  }
}
