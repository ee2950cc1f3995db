import type { Archive } from "../../mail/archive.ts";
import { type ArchiveLocation, isFile } from "../contract/archive-location.ts";
import { RANDOM_READ_CACHE, type ReadingMemory } from "../contract/reading-memory.ts";
import { notebookReader } from "../notebook/open-notebook.ts";
import { openSqliteArchive } from "../sqlite/search/open-archive.ts";
import { withBoundedSearch } from "./bounded-search.ts";

/**
 * Opens an archive for reading. It may be open several times, and may be replaced while it is open. Rejects with
 * NOT_AN_ARCHIVE, ARCHIVE_VERSION, ARCHIVE_DAMAGED, SOURCE_NOT_FOUND, SOURCE_UNREADABLE or STORE_UNREACHABLE.
 */
export async function openArchive(
  location: ArchiveLocation,
  memory: ReadingMemory = RANDOM_READ_CACHE,
): Promise<Archive> {
  if (isFile(location)) return withBoundedSearch(openSqliteArchive(location, memory, notebookReader(location)));
  const { openPostgresArchive } = await import("../postgres/reading/open-archive.ts");
  return withBoundedSearch(await openPostgresArchive(location));
}
