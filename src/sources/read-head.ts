import { ArchiveError } from "../errors.ts";
import { firstBytes } from "../files/whole-bytes.ts";
import { SNIFF_BYTES } from "./header-line.ts";

/** The first bytes of a file. Throws SOURCE_UNREADABLE. */
export function readHead(path: string): Buffer {
  try {
    return firstBytes(path, SNIFF_BYTES);
  } catch (cause) {
    throw new ArchiveError("SOURCE_UNREADABLE", `${path}: cannot be read`, { cause });
  }
}
