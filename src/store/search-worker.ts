import { parentPort, workerData } from "node:worker_threads";
import { ArchiveError } from "../errors.ts";
import type { SearchCall, SearchReply, SearchThreadData } from "./archive-thread.ts";
import { openArchive } from "./open-archive.ts";

/** Entry of the search thread: one query in, one reply out, in order. */
const { path, memory } = workerData as SearchThreadData;
const archive = openArchive(path, memory);

parentPort?.on("message", async (call: SearchCall) => {
  parentPort?.postMessage(await replyTo(call));
});

async function replyTo({ call, query, limit, filter }: SearchCall): Promise<SearchReply> {
  try {
    return { call, hits: await archive.search.search(query, limit, filter) };
  } catch (error) {
    const fault = error instanceof Error ? error : new Error(String(error));
    const code = fault instanceof ArchiveError ? fault.code : "INTERNAL_ERROR";
    return { call, fault: { code, message: fault.message, stack: fault.stack ?? "" } };
  }
}
