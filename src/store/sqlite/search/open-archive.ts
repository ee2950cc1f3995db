import type { Archive } from "../../../mail/archive.ts";
import type { NotebookState } from "../../../mail/notebook.ts";
import type { FileLocation } from "../../contract/archive-location.ts";
import type { NotebookReader } from "../../contract/notebook-location.ts";
import type { ReadingMemory } from "../../contract/reading-memory.ts";
import { archiveLists, publishesContentKeys } from "../../lists/archive-lists.ts";
import { notebookState } from "../../reading/marked-entries.ts";
import { closeRanges } from "../../threads/range-threads.ts";
import { withCorruptionErrors } from "../files/archive-damage.ts";
import { archiveRows } from "../reading/archive-rows.ts";
import { sqliteExploreReader } from "../reading/explore-reader.ts";
import { type FinishedArchive, openFinished, stateOfArchive } from "../reading/finished-archive.ts";
import { messageFetch } from "../reading/message-fetch.ts";
import { sqliteMessageReader } from "../reading/message-reader.ts";
import { searcherOf, sqliteSearchReader } from "./search-reader.ts";

/** Opens an archive file for reading; it may be replaced by a rename while it is open. Throws like `openArchive`. */
export function openSqliteArchive(location: FileLocation, memory: ReadingMemory, notebook: NotebookReader): Archive {
  const path = location.file;
  return openFinished(path, memory, (finished) =>
    withCorruptionErrors(archiveOver(finished, location, notebook), path),
  );
}

/** State of a notebook, read again after every write. */
function notebookStates(notebook: NotebookReader): Archive["notebook"] {
  let state: NotebookState = { revision: 0, searches: [], notes: [] };
  return async () => {
    const read = notebook(state.revision);
    if (read === null) return state;
    return (state = notebookState(read));
  };
}

function archiveOver(finished: FinishedArchive, location: FileLocation, notebook: NotebookReader): Archive {
  const { database, meta, counters, record } = finished;
  const state = stateOfArchive(finished);
  const facts = { meta: meta.get, counters, record };
  const rows = archiveRows(database);
  const fetch = messageFetch(database, publishesContentKeys(facts));
  const searcher = searcherOf({ database, location, state }, notebook);
  return {
    ...archiveLists(rows, facts, fetch),
    messages: sqliteMessageReader(database, rows, { fetch, counters }),
    search: sqliteSearchReader(database, searcher),
    explore: sqliteExploreReader(database, rows, searcher),
    notebook: notebookStates(notebook),
    async close() {
      closeRanges(location, state);
      database.close();
    },
  };
}
