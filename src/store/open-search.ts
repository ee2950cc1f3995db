import { type ArchiveLocation, isFile } from "./archive-location.ts";
import { withBoundedSearch } from "./bounded-search.ts";
import { notebookReader } from "./open-notebook.ts";
import { type ReadingMemory, WHOLE_MEMORY } from "./reading-memory.ts";
import type { SearchedArchive } from "./searched-archive.ts";
import { openSqliteSearch } from "./sqlite/open-search.ts";

/** Opens an archive for searching only, without loading what reads the rest of it. Rejects as `openArchive`. */
export async function openSearch(
  location: ArchiveLocation,
  memory: ReadingMemory = WHOLE_MEMORY,
): Promise<SearchedArchive> {
  if (isFile(location)) return withBoundedSearch(openSqliteSearch(location, memory, notebookReader(location)));
  const { openPostgresSearch } = await import("./postgres/open-archive.ts");
  return withBoundedSearch(await openPostgresSearch(location));
}
