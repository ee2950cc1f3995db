import type { Archive } from "../../../mail/archive.ts";
import type { NotebookState } from "../../../mail/notebook.ts";
import type { Provenance } from "../../../mail/records/provenance.ts";
import type { FileLocation } from "../../contract/archive-location.ts";
import { META } from "../../contract/archive-meta.ts";
import type { NotebookReader } from "../../contract/notebook-location.ts";
import type { ReadingMemory } from "../../contract/reading-memory.ts";
import { contactReader } from "../../lists/contact-reader.ts";
import { recordReaders } from "../../lists/record-readers.ts";
import { threadReader } from "../../lists/thread-reader.ts";
import { topicReader } from "../../lists/topic-reader.ts";
import { notebookState } from "../../reading/marked-entries.ts";
import { toStatistics } from "../../reading/provenance-mapper.ts";
import { forgetRanges } from "../../threads/range-threads.ts";
import { withCorruptionErrors } from "../files/archive-damage.ts";
import { archiveRows } from "../reading/archive-rows.ts";
import { exploreReader } from "../reading/explore-reader.ts";
import { type FinishedArchive, openFinished, stateOfArchive } from "../reading/finished-archive.ts";
import { messageFetch } from "../reading/message-fetch.ts";
import { messageReader } from "../reading/message-reader.ts";
import { readProvenance } from "../reading/provenance-reader.ts";
import { searcherOf, searchReader } from "./search-reader.ts";

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
  // Keys of redacted messages would let a reader test guesses about the redacted text. Documents do not record whether
  // duplicates were kept.
  const tellsKeys =
    record.options.redact.length === 0 && !record.options.keepCopies && meta.get(META.unknownKeys) === null;
  const rows = archiveRows(database);
  const fetch = messageFetch(database, tellsKeys);
  const searcher = searcherOf({ database, location, state }, notebook);
  const statistics = toStatistics(meta.get, counters, record);
  let told: Provenance | null = null;
  return {
    contacts: contactReader(rows, counters),
    messages: messageReader(database, fetch, counters),
    threads: threadReader(rows, fetch, counters),
    topics: topicReader(rows, counters),
    ...recordReaders(rows),
    search: searchReader(database, searcher),
    explore: exploreReader(database, searcher),
    async stats() {
      return statistics;
    },
    async provenance() {
      return (told ??= readProvenance(database, record, statistics));
    },
    notebook: notebookStates(notebook),
    async close() {
      forgetRanges(location, state);
      database.close();
    },
  };
}
