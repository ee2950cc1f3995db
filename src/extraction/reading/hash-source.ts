import type { OpenedSource } from "../../sources/reading/source.ts";
import { DirectoryHash, hashFile } from "../../sources/reading/source-hash.ts";
import { addFileHashes } from "./file-hashes.ts";
import { hashUnit } from "./parse-unit.ts";

/** The SHA-256 (hex) that an extraction will record of a source: of a directory, over its message files. */
export async function hashSource(source: OpenedSource): Promise<string> {
  if (source.isFile) return (await hashFile(source.path, source.sizeBytes)).sha256;
  const hash = new DirectoryHash();
  for (const unit of source.units()) {
    addFileHashes(hash, unit, await hashUnit(unit));
    // Lets Ctrl-C be handled between two units.
    await new Promise(setImmediate);
  }
  return hash.digest();
}
