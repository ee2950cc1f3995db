import { messageFiles } from "../../sources/maildir/message-files.ts";
import type { WorkUnit } from "../../sources/reading/source.ts";
import type { DirectoryHash } from "../../sources/reading/source-hash.ts";
import type { FileHashes } from "../staging/message-header-record.ts";

/** Adds the message files of a unit to the hash of its source. */
export function addFileHashes(directory: DirectoryHash, unit: WorkUnit, hashes: FileHashes): void {
  if (unit.kind !== "files") return;
  const files = messageFiles(unit);
  for (const [at, sha256] of hashes.entries()) if (sha256 !== null) directory.add(files[at]!.relativePath, sha256);
}
