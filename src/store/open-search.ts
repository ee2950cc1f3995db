import type { Archive } from "../mail/archive.ts";
import type { ArchiveLocation } from "./archive-location.ts";
import { type ReadingMemory, WHOLE_MEMORY } from "./reading-memory.ts";
import { tellingDamage } from "./sqlite/archive-damage.ts";
import { openFinished } from "./sqlite/finished-archive.ts";
import { searchReader } from "./sqlite/search-reader.ts";

/** Opens an archive for searching alone, without loading what reads the rest of it. Throws as `openArchive`. */
export function openSearch(
  { file }: ArchiveLocation,
  memory: ReadingMemory = WHOLE_MEMORY,
): Pick<Archive, "search" | "close"> {
  return openFinished(file, memory, ({ database }) =>
    tellingDamage(
      {
        search: searchReader(database),
        async close() {
          database.close();
        },
      },
      file,
    ),
  );
}
