import { parentPort, workerData } from "node:worker_threads";
import { ArchiveError } from "../errors.ts";
import type { SearchCall, SearchEnd, SearchReply } from "./archive-thread.ts";
import { openSearch } from "./open-search.ts";
import type { ReadingMemory } from "./sqlite/database.ts";

type SearchedArchive = ReturnType<typeof openSearch>;

/** Entry of the search thread: one query in, one reply out, in order. Archives are opened by their first query. */
const archives = new Map<string, SearchedArchive>();

parentPort?.on("message", async (message: SearchCall | SearchEnd) => {
  if ("forget" in message) await forget(message.forget);
  else parentPort?.postMessage(await replyTo(message));
});

async function replyTo({ call, path, query, limit, filter }: SearchCall): Promise<SearchReply> {
  try {
    return { call, hits: await archiveOf(path).search.search(query, limit, filter) };
  } catch (error) {
    const fault = error instanceof Error ? error : new Error(String(error));
    const code = fault instanceof ArchiveError ? fault.code : "INTERNAL_ERROR";
    return { call, fault: { code, message: fault.message, stack: fault.stack ?? "" } };
  }
}

function archiveOf(path: string): SearchedArchive {
  const archive = archives.get(path) ?? openSearch(path, { ...(workerData as ReadingMemory), isChecked: true });
  archives.set(path, archive);
  return archive;
}

async function forget(path: string): Promise<void> {
  const archive = archives.get(path);
  archives.delete(path);
  await archive?.close();
}
