import { hash } from "node:crypto";
import type { OpenedSource, WorkUnit } from "../../sources/reading/source.ts";
import { DirectoryHash, hashFile } from "../../sources/reading/source-hash.ts";
import { readUnit } from "../../sources/work-units.ts";
import type { FileHashes } from "../staging/message-header-record.ts";
import { addFileHashes } from "./file-hashes.ts";

/** The SHA-256 (hex) that an extraction will record of a source: of a directory, over its message files. */
export async function hashSource(source: OpenedSource): Promise<string> {
  if (source.isFile) return (await hashFile(source.path, source.sizeBytes)).sha256;
  const directory = new DirectoryHash();
  for (const unit of source.units()) {
    addFileHashes(directory, unit, await hashUnit(unit));
    // Lets Ctrl-C be handled between two units.
    await new Promise(setImmediate);
  }
  return directory.digest();
}

/**
 * Only hashes the message files of a unit: files excluded by `--max-messages` still belong to the hash of the source.
 */
export async function hashUnit(unit: WorkUnit): Promise<FileHashes> {
  const hashes: (string | null)[] = [];
  for (const item of await readUnit(unit)) {
    if (item.kind === "file-end") hashes.push(item.sha256);
    else if (item.kind === "rfc5322" && item.isWholeFile === true) hashes.push(hash("sha256", item.bytes));
  }
  return hashes;
}
