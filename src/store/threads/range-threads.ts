import { availableParallelism } from "node:os";
import { rangeBy } from "../../search/ranges/range-calls.ts";
import type { SearchedRange } from "../../search/ranges/searched-range.ts";
import type { FileLocation } from "../contract/archive-location.ts";
import type { RangeLocation } from "../contract/range-location.ts";
import { SHARED_MEMORY } from "../contract/reading-memory.ts";
import { SearchThread } from "./search-thread.ts";

/** The threads that search ranges of all archives of this process, one per processor; the first call starts each. */
const POOL: readonly SearchThread[] = Array.from(
  { length: availableParallelism() },
  () => new SearchThread(SHARED_MEMORY),
);

/** The ranges of an index, each searched in a thread of the pool. */
export function rangesInThreads(location: FileLocation, places: readonly RangeLocation[]): readonly SearchedRange[] {
  return places.map((place, at) => {
    const thread = POOL[at % POOL.length]!;
    return rangeBy((name, given) => thread.ask(location, { place, name, given }));
  });
}

/** Closes the search threads' handles for a state of an archive. */
export function closeRanges(location: FileLocation, state: string): void {
  for (const thread of POOL) thread.forget(location, state);
}

/** Ends all threads; the next call of each starts it again. */
export async function stopThreads(): Promise<void> {
  for (const thread of POOL) await thread.close();
}
