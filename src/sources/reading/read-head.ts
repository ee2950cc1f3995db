import { ArchiveError, systemErrorCode } from "../../errors.ts";
import { firstBytes } from "../../files/read-fully.ts";
import { SNIFF_BYTES } from "./header-line.ts";

/** The first bytes of a file. Throws SOURCE_UNREADABLE. */
export function readHead(path: string): Buffer {
  try {
    return firstBytes(path, SNIFF_BYTES);
  } catch (cause) {
    throw new ArchiveError("SOURCE_UNREADABLE", `${path}: cannot be read`, { cause });
  }
}

/** True if the error only means that the file or directory is not readable. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof ArchiveError ? error.code === "SOURCE_UNREADABLE" : systemErrorCode(error) !== null;
}
