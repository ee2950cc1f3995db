import type { Archive } from "../mail/archive.ts";
import type { ArchiveLocation } from "./archive-location.ts";
import { type ReadingMemory, WHOLE_MEMORY } from "./reading-memory.ts";
import { tellingDamage } from "./sqlite/archive-damage.ts";
import { exploreReader } from "./sqlite/explore-reader.ts";
import { openFinished } from "./sqlite/finished-archive.ts";
import { searcherOf, searchReader } from "./sqlite/search-reader.ts";

/** Opens an archive for searching alone, without loading what reads the rest of it. Throws as `openArchive`. */
export function openSearch(
  { file }: ArchiveLocation,
  memory: ReadingMemory = WHOLE_MEMORY,
): Pick<Archive, "search" | "explore" | "close"> {
  return openFinished(file, memory, ({ database }) => {
    const searcher = searcherOf(database);
    return tellingDamage(
      {
        search: searchReader(database, searcher),
        explore: exploreReader(database, searcher),
        async close() {
          database.close();
        },
      },
      file,
    );
  });
}
