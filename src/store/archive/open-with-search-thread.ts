import type { Archive } from "../../mail/archive.ts";
import type { ArchiveLocation } from "../contract/archive-location.ts";
import { RANDOM_READ_CACHE } from "../contract/reading-memory.ts";
import { withSearchCalls } from "../threads/search-calls.ts";
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
    ...withSearchCalls(archive, (call) => thread.ask(location, call)),
    async close() {
      thread.forget(location);
      await archive.close();
    },
  };
}
