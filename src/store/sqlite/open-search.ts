import type { FileLocation } from "../archive-location.ts";
import type { NotebookReader } from "../open-notebook.ts";
import { forgetRanges } from "../range-threads.ts";
import type { ReadingMemory } from "../reading-memory.ts";
import type { SearchedArchive } from "../searched-archive.ts";
import { tellingDamage } from "./archive-damage.ts";
import { exploreReader } from "./explore-reader.ts";
import { openFinished, stateOfArchive } from "./finished-archive.ts";
import { recordReaders } from "./record-store.ts";
import { rangeOpener, searcherOf, searchReader } from "./search-reader.ts";

/** Opens an archive for searching alone. Throws as `openArchive`. */
export function openSqliteSearch(
  location: FileLocation,
  memory: ReadingMemory,
  notebook: NotebookReader,
): SearchedArchive {
  const path = location.file;
  return openFinished(path, memory, (finished) => {
    const { database } = finished;
    const searched = { database, location, state: stateOfArchive(finished) };
    const searcher = searcherOf(searched, notebook);
    return tellingDamage(
      {
        search: searchReader(database, searcher),
        explore: exploreReader(database, searcher),
        ...recordReaders(database),
        range: rangeOpener(searched, notebook),
        async close() {
          forgetRanges(location, searched.state);
          database.close();
        },
      },
      path,
    );
  });
}
