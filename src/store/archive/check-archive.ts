import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ArchiveCheck } from "../contract/archive-check.ts";
import { type ArchiveLocation, archiveIn, type CollectionLocation, isFile } from "../contract/archive-location.ts";
import { checkSqliteArchive } from "../sqlite/writing/check-archive.ts";
import { copyArchive } from "./copy-archive.ts";

/**
 * Checks a whole archive: its storage, counts and sums, every posting list of the search index, and the saved
 * attachments. Reads everything once or twice. Faults of the archive itself are returned, not thrown.
 */
export async function checkArchive(location: ArchiveLocation): Promise<ArchiveCheck> {
  return isFile(location) ? checkSqliteArchive(location.file, dirname(location.file)) : checkCollection(location);
}

/** Checks a copy in a file; PostgreSQL has its own programs for its storage. Rejects like `openArchive`. */
async function checkCollection(location: CollectionLocation): Promise<ArchiveCheck> {
  const directory = mkdtempSync(join(tmpdir(), "archivetool-checked-"));
  try {
    const copy = archiveIn(directory);
    await copyArchive(location, copy);
    return checkSqliteArchive(copy.file, null);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
