import type { Archive } from "../mail/archive.ts";
import { type ArchiveLocation, isFile } from "./archive-location.ts";
import { withBoundedSearch } from "./bounded-search.ts";
import { notebookReader } from "./open-notebook.ts";
import { type ReadingMemory, WHOLE_MEMORY } from "./reading-memory.ts";
import { openSqliteArchive } from "./sqlite/open-archive.ts";

/**
 * Opens an archive for reading; it may be open any number of times, and another may be published in its place while it
 * is. Rejects with NOT_AN_ARCHIVE, ARCHIVE_VERSION, ARCHIVE_DAMAGED, SOURCE_NOT_FOUND, SOURCE_UNREADABLE or
 * STORE_UNREACHABLE.
 */
export async function openArchive(location: ArchiveLocation, memory: ReadingMemory = WHOLE_MEMORY): Promise<Archive> {
  if (isFile(location)) return withBoundedSearch(openSqliteArchive(location, memory, notebookReader(location)));
  const { openPostgresArchive } = await import("./postgres/open-archive.ts");
  return withBoundedSearch(await openPostgresArchive(location));
}
