import type { Archive } from "../mail/archive.ts";
import { tellingDamage } from "./sqlite/archive-damage.ts";
import { type ReadingMemory, WHOLE_MEMORY } from "./sqlite/database.ts";
import { openFinished } from "./sqlite/finished-archive.ts";
import { searchReader } from "./sqlite/search-reader.ts";

/** Opens an archive for searching alone, without loading what reads the rest of it. Throws as `openArchive`. */
export function openSearch(path: string, memory: ReadingMemory = WHOLE_MEMORY): Pick<Archive, "search" | "close"> {
  return openFinished(path, memory, ({ database }) =>
    tellingDamage(
      {
        search: searchReader(database),
        async close() {
          database.close();
        },
      },
      path,
    ),
  );
}
