import type { Archive } from "../../mail/archive.ts";
import type { NotebookReader } from "../open-notebook.ts";
import type { ReadingMemory } from "../reading-memory.ts";
import { tellingDamage } from "./archive-damage.ts";
import { exploreReader } from "./explore-reader.ts";
import { openFinished } from "./finished-archive.ts";
import { searcherOf, searchReader } from "./search-reader.ts";

/** Opens an archive for searching alone. Throws as `openArchive`. */
export function openSqliteSearch(
  path: string,
  memory: ReadingMemory,
  notebook: NotebookReader,
): Pick<Archive, "search" | "explore" | "close"> {
  return openFinished(path, memory, ({ database }) => {
    const searcher = searcherOf(database, notebook);
    return tellingDamage(
      {
        search: searchReader(database, searcher),
        explore: exploreReader(database, searcher),
        async close() {
          database.close();
        },
      },
      path,
    );
  });
}
