import type { ArchiveCheck } from "./archive-check.ts";
import type { ArchiveLocation } from "./archive-location.ts";
import { checkSqliteArchive } from "./sqlite/check-archive.ts";

/**
 * Looks through the whole of an archive: what it is kept in, counts and sums, every posting list of the search index,
 * and the attachments that were saved beside it. Reads all of it once or twice. Throws nothing of what is wrong with
 * the archive itself.
 */
export async function checkArchive({ file }: ArchiveLocation): Promise<ArchiveCheck> {
  return checkSqliteArchive(file);
}
