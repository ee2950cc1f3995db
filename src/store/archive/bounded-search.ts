import { QUERY_BUDGET_MS, SearchTurns } from "../../search/indexing/search-turns.ts";
import { callerSignal } from "../contract/caller-signal.ts";
import type { SearchedArchive } from "../contract/searched-archive.ts";

/** The queries of this thread. */
export const TURNS = new SearchTurns({ processor: processorTime, elapsed: () => performance.now() });
const NEVER = new AbortController().signal;

/** Milliseconds of processor time, of all threads of the process: Node.js 20 has no other. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Processor time of a report of several queries, in milliseconds. */
export function budgetOfHits(queries: readonly unknown[]): number {
  return QUERY_BUDGET_MS * Math.max(1, queries.length);
}

/**
 * Returns the archive with limited queries: they share the thread, end when the caller disconnects, and reject with
 * QUERY_TOO_EXPENSIVE when their budget is used up.
 */
export function withBoundedSearch<Opened extends SearchedArchive>(archive: Opened): Opened {
  const { search, explore, events, items } = archive;
  const bounded = <T>(work: () => Promise<T>, budget?: number): Promise<T> =>
    TURNS.run(work, callerSignal() ?? NEVER, budget);
  return {
    ...archive,
    search: {
      search: (...asked) => bounded(() => search.search(...asked)),
      matching: (...asked) => bounded(() => search.matching(...asked)),
    },
    explore: {
      ...explore,
      page: (request) => bounded(() => explore.page(request)),
      facets: (request) => bounded(() => explore.facets(request)),
      timeline: (request) => bounded(() => explore.timeline(request)),
      conversations: (request) => bounded(() => explore.conversations(request)),
      files: (request) => bounded(() => explore.files(request)),
      hits: (queries) => bounded(() => explore.hits(queries), budgetOfHits(queries)),
    },
    events: { ...events, page: (request) => bounded(() => events.page(request)) },
    items: { ...items, page: (request) => bounded(() => items.page(request)) },
  };
}
