import type { ConversationSort } from "../mail/exploration.ts";
import type { Instant } from "../mail/instant.ts";
import type { DocumentSet } from "./clause-sets.ts";

/** A thread with messages that a query finds, and the time these are from. */
export interface FoundThread {
  readonly thread: number;
  readonly hits: number;
  readonly first: Instant | null;
  readonly last: Instant | null;
}

export interface ThreadPage {
  readonly total: number;
  readonly threads: readonly FoundThread[];
}

/** The threads of the messages of a set. */
export function foundThreads(set: DocumentSet, threads: Uint32Array, sentAt: Float64Array): FoundThread[] {
  const found = new Map<number, { thread: number; hits: number; first: Instant | null; last: Instant | null }>();
  for (let document = 0; document < set.length; document++) {
    if (set[document] === 0) continue;
    const [thread, date] = [threads[document]!, sentAt[document]!];
    let row = found.get(thread);
    if (row === undefined) found.set(thread, (row = { thread, hits: 0, first: null, last: null }));
    row.hits++;
    if (date === Number.NEGATIVE_INFINITY) continue;
    if (row.first === null || date < row.first) row.first = date;
    if (row.last === null || date > row.last) row.last = date;
  }
  return Array.from(found.values());
}

type Order = (left: FoundThread, right: FoundThread) => number;

const latest = ({ last }: FoundThread): number => last ?? Number.NEGATIVE_INFINITY;
// What has no date comes last in either direction.
const earliest = ({ first }: FoundThread): number => (first === null ? Number.NEGATIVE_INFINITY : -first);
const largest = ({ hits }: FoundThread): number => hits;

/** The greater comes first; equals in the order of threads. */
function descending(key: (found: FoundThread) => number): Order {
  return (left, right) => {
    const [first, second] = [key(left), key(right)];
    return first === second ? left.thread - right.thread : first < second ? 1 : -1;
  };
}

const THREAD_ORDERS: Readonly<Record<Exclude<ConversationSort, "relevance">, Order>> = {
  newest: descending(latest),
  oldest: descending(earliest),
  largest: descending(largest),
};

/** Threads in an order. @param ranked the messages found, best first; empty for what is sorted by anything else */
export function sortedThreads(
  found: readonly FoundThread[],
  sort: ConversationSort,
  ranked: Uint32Array,
  threads: Uint32Array,
): readonly FoundThread[] {
  if (sort !== "relevance") return found.toSorted(THREAD_ORDERS[sort]);
  // A thread stands where its best message does.
  const rows = new Map(found.map((row) => [row.thread, row]));
  const best = new Set(Array.from(ranked, (document) => threads[document]!));
  return Array.from(best, (thread) => rows.get(thread)).filter((row) => row !== undefined);
}

/** The earliest and the latest of some dates; those that are none are -Infinity. */
export function datesBetween(dates: Float64Array): { readonly first: Instant | null; readonly last: Instant | null } {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const date of dates) {
    if (date === Number.NEGATIVE_INFINITY) continue;
    if (date < first) first = date;
    if (date > last) last = date;
  }
  return last === Number.NEGATIVE_INFINITY ? { first: null, last: null } : { first, last };
}

/** Messages of each thread, and how many threads have any: flat, for a result may hold every message. */
export interface ThreadCounts {
  readonly messages: Uint32Array;
  readonly threads: number;
}

export function countThreads(set: DocumentSet, threads: Uint32Array): ThreadCounts {
  let largest = 0;
  for (let document = 0; document < threads.length; document++) largest = Math.max(largest, threads[document]!);
  const messages = new Uint32Array(largest + 1);
  let found = 0;
  for (let document = 0; document < set.length; document++)
    if (set[document] === 1 && messages[threads[document]!]!++ === 0) found++;
  return { messages, threads: found };
}
