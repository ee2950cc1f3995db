import { QUERY_BUDGET_MS, SearchTurns } from "../../search/indexing/search-turns.ts";
import { callerSignal } from "../contract/caller-signal.ts";
import type { SearchedArchive } from "../contract/searched-archive.ts";
import { type ArchiveCall, callArchive, withSearchCalls } from "../threads/search-calls.ts";

/** The queries of this thread. */
export const TURNS = new SearchTurns({ processor: processorTime, elapsed: elapsedTime });
const NEVER = new AbortController().signal;

/** Milliseconds of processor time, of all threads of the process: Node.js 20 has no other. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Monotonic milliseconds. `performance` would load a module first, in 3 ms. */
function elapsedTime(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** Maximum processor time of a call in milliseconds: a report of several queries has that of each. */
export function budgetOf({ name, given: [queries] }: Pick<ArchiveCall, "name" | "given">): number {
  return name === "hits" && Array.isArray(queries) ? QUERY_BUDGET_MS * Math.max(1, queries.length) : QUERY_BUDGET_MS;
}

/** Calls that read all messages, for commands without a limit of time. */
const UNBOUNDED: readonly string[] = ["attachmentCounts", "mentions"];

/**
 * Returns the archive with limited queries: they share the thread, end when the caller disconnects, and reject with
 * QUERY_TOO_EXPENSIVE when their budget is used up.
 */
export function withBoundedSearch<Opened extends SearchedArchive>(archive: Opened): Opened {
  return withSearchCalls(archive, (call) => {
    const work = (): Promise<unknown> => callArchive(archive, call);
    return UNBOUNDED.includes(call.name) ? work() : TURNS.run(work, callerSignal() ?? NEVER, budgetOf(call));
  });
}
