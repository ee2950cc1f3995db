import type { NotebookReader } from "../open-notebook.ts";
import type { ReadingMemory } from "../reading-memory.ts";
import type { SearchedArchive } from "../searched-archive.ts";
import { tellingDamage } from "./archive-damage.ts";
import { exploreReader } from "./explore-reader.ts";
import { openFinished } from "./finished-archive.ts";
import { recordReaders } from "./record-store.ts";
import { searcherOf, searchReader } from "./search-reader.ts";

/** Opens an archive for searching alone. Throws as `openArchive`. */
export function openSqliteSearch(path: string, memory: ReadingMemory, notebook: NotebookReader): SearchedArchive {
  return openFinished(path, memory, ({ database }) => {
    const searcher = searcherOf(database, notebook);
    return tellingDamage(
      {
        search: searchReader(database, searcher),
        explore: exploreReader(database, searcher),
        ...recordReaders(database),
        async close() {
          database.close();
        },
      },
      path,
    );
  });
}
