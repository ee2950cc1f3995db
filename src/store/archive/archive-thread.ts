import type { Archive } from "../../mail/archive.ts";
import type { ArchiveLocation } from "../contract/archive-location.ts";
import { RANDOM_READ_CACHE } from "../contract/reading-memory.ts";
import { SearchThread } from "../threads/search-thread.ts";
import { openArchive } from "./open-archive.ts";

/**
 * Opens an archive whose queries run in a separate thread, so that no other request waits for a slow one. Queries
 * share the thread by `SearchTurns`; a query ends when its caller disconnects. Rejects like `openArchive`.
 */
export async function openArchiveWithSearchThread(location: ArchiveLocation): Promise<Archive> {
  const thread = new SearchThread(RANDOM_READ_CACHE);
  const archive = await openSearchedArchive(location, thread);
  return {
    ...archive,
    async close() {
      await thread.close();
      await archive.close();
    },
  };
}

/**
 * Like `openArchiveWithSearchThread`, for several archives that share a thread. Closing one does not end the thread.
 */
export async function openSearchedArchive(location: ArchiveLocation, thread: SearchThread): Promise<Archive> {
  const archive = await openArchive(location, thread.memory);
  return {
    ...archive,
    search: {
      search: (query, limit, filter = {}, match = "auto") =>
        thread.ask(location, { ask: "search", query, limit, filter, match }),
      matching: (query, filter = {}, match = "all") => thread.ask(location, { ask: "matching", query, filter, match }),
    },
    explore: {
      page: (request) => thread.ask(location, { ask: "page", request }),
      facets: (request) => thread.ask(location, { ask: "facets", request }),
      timeline: (request) => thread.ask(location, { ask: "timeline", request }),
      hits: (queries) => thread.ask(location, { ask: "hits", queries }),
      attachmentCounts: () => thread.ask(location, { ask: "attachment-counts" }),
      mentions: (kind) => thread.ask(location, { ask: "mentions", kind }),
      conversations: (request) => thread.ask(location, { ask: "conversations", request }),
      files: (request) => thread.ask(location, { ask: "files", request }),
    },
    events: { ...archive.events, page: (request) => thread.ask(location, { ask: "events", request }) },
    items: { ...archive.items, page: (request) => thread.ask(location, { ask: "items", request }) },
    async close() {
      thread.forget(location);
      await archive.close();
    },
  };
}
