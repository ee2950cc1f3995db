import { messageFiles } from "../../sources/message-files.ts";
import type { WorkUnit } from "../../sources/source.ts";
import type { DirectoryHash } from "../../sources/source-hash.ts";

/** SHA-256 (hex) of each file of a unit, in order; null for one that is no message. Empty for units of a source that is one file. */
export type FileHashes = readonly (string | null)[];

/** Adds the message files of a unit to the hash of its source. */
export function addFileHashes(directory: DirectoryHash, unit: WorkUnit, hashes: FileHashes): void {
  if (unit.kind !== "files") return;
  const files = messageFiles(unit);
  for (const [at, sha256] of hashes.entries()) if (sha256 !== null) directory.add(files[at]!.relativePath, sha256);
}
