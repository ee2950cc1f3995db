import type { FileLocation } from "../../contract/archive-location.ts";
import type { NotebookReader } from "../../contract/notebook-location.ts";
import type { ReadingMemory } from "../../contract/reading-memory.ts";
import type { SearchedArchive } from "../../contract/searched-archive.ts";
import { recordReaders } from "../../lists/record-readers.ts";
import { closeRanges } from "../../threads/range-threads.ts";
import { withCorruptionErrors } from "../files/archive-damage.ts";
import { archiveRows } from "../reading/archive-rows.ts";
import { sqliteExploreReader } from "../reading/explore-reader.ts";
import { openFinished, stateOfArchive } from "../reading/finished-archive.ts";
import { rangeOpener, searcherOf, sqliteSearchReader } from "./search-reader.ts";

/** Opens an archive for searching only. Throws like `openArchive`. */
export function openSqliteSearch(
  location: FileLocation,
  memory: ReadingMemory,
  notebook: NotebookReader,
): SearchedArchive {
  const path = location.file;
  return openFinished(path, memory, (finished) => {
    const { database } = finished;
    const rows = archiveRows(database);
    const searched = { database, location, state: stateOfArchive(finished) };
    const searcher = searcherOf(searched, notebook);
    return withCorruptionErrors(
      {
        search: sqliteSearchReader(database, searcher),
        explore: sqliteExploreReader(database, rows, searcher),
        ...recordReaders(rows),
        range: rangeOpener(searched, notebook),
        async close() {
          closeRanges(location, searched.state);
          database.close();
        },
      },
      path,
    );
  });
}
