import { type ArchiveLocation, isFile } from "../contract/archive-location.ts";
import { RANDOM_READ_CACHE, type ReadingMemory } from "../contract/reading-memory.ts";
import type { SearchedArchive } from "../contract/searched-archive.ts";
import { notebookReader } from "../notebook/open-notebook.ts";
import { openSqliteSearch } from "../sqlite/search/open-search.ts";
import { withBoundedSearch } from "./bounded-search.ts";

/** Opens an archive for searching only, without loading the code of the other readers. Rejects like `openArchive`. */
export async function openSearch(
  location: ArchiveLocation,
  memory: ReadingMemory = RANDOM_READ_CACHE,
): Promise<SearchedArchive> {
  if (isFile(location)) return withBoundedSearch(openSqliteSearch(location, memory, notebookReader(location)));
  const { openPostgresSearch } = await import("../postgres/reading/open-archive.ts");
  return withBoundedSearch(await openPostgresSearch(location));
}
