import type { ArchiveLocation } from "./archive-location.ts";
import { notebookReader } from "./open-notebook.ts";
import { type ReadingMemory, WHOLE_MEMORY } from "./reading-memory.ts";
import type { SearchedArchive } from "./searched-archive.ts";
import { openSqliteSearch } from "./sqlite/open-search.ts";

/** Opens an archive for searching alone, without loading what reads the rest of it. Rejects as `openArchive`. */
export async function openSearch(
  location: ArchiveLocation,
  memory: ReadingMemory = WHOLE_MEMORY,
): Promise<SearchedArchive> {
  return openSqliteSearch(location.file, memory, notebookReader(location));
}
