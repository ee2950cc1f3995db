import type { Entry } from "yauzl";
import { ArchiveError } from "../errors.ts";
import { zipEntryName } from "./entry-name.ts";
import { displayName, entryPath, unsafeEntry } from "./entry-path.ts";
import type { PathKind } from "./path-set.ts";

/** Compression methods that are read (APPNOTE.TXT 4.4.5). */
export const STORED = 0;
export const DEFLATED = 8;

/** General purpose bits (APPNOTE.TXT 4.4.4): encrypted, strongly encrypted, local header masked. */
const ENCRYPTION_FLAGS = 0x0001 | 0x0040 | 0x2000;
/** Method of AES encryption (WinZip). */
const AES_METHOD = 99;

/** File types of Unix in the upper half of the external attributes; 0 if another system wrote them. */
const TYPE_MASK = 0o170000;
const TYPE_REGULAR = 0o100000;
const TYPE_DIRECTORY = 0o040000;
const TYPE_NAMES: ReadonlyMap<number, string> = new Map([
  [0o120000, "a symbolic link"],
  [0o060000, "a block device"],
  [0o020000, "a character device"],
  [0o010000, "a FIFO"],
  [0o140000, "a socket"],
]);

/** Parsed entry of a zip file. */
interface ZipEntry {
  readonly path: string;
  readonly kind: PathKind;
}

/** The path and kind of an entry of the central directory. @throws ArchiveError UNSAFE_ARCHIVE, UNSUPPORTED_FORMAT */
export function checkZipEntry(entry: Entry): ZipEntry {
  const name = zipEntryName(entry.fileNameRaw, entry.extraFields);
  const path = entryPath(name);
  if ((entry.generalPurposeBitFlag & ENCRYPTION_FLAGS) !== 0 || entry.compressionMethod === AES_METHOD) {
    throw unsafeEntry(name, "is encrypted", "compress it again without a password");
  }
  const kind = kindOf(entry, name);
  if (kind === "file" && path === "") throw unsafeEntry(name, "has no name");
  if (kind === "directory") {
    if (entry.uncompressedSize > 0) throw unsafeEntry(name, "is a directory with content");
    return { path, kind };
  }
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw new ArchiveError(
      "UNSUPPORTED_FORMAT",
      `${displayName(name)} uses unsupported zip compression method ${entry.compressionMethod}`,
      {
        hint: "compress it again with deflate",
      },
    );
  }
  return { path, kind };
}

function kindOf(entry: Entry, name: string): PathKind {
  // For any declared system: unpackers that create links use these bits.
  const type = (entry.externalFileAttributes >>> 16) & TYPE_MASK;
  if (type === TYPE_DIRECTORY || name.endsWith("/")) return "directory";
  if (type === 0 || type === TYPE_REGULAR) return "file";
  throw unsafeEntry(name, `is ${TYPE_NAMES.get(type) ?? "neither a file nor a directory"}`);
}
