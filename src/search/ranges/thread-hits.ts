import type { Instant } from "../../mail/dates/instant.ts";
import type { ConversationSort } from "../../mail/exploration.ts";
import type { DocumentSet } from "../indexing/document-set.ts";
import { TopDocuments } from "../ranking/top-documents.ts";

/** A thread with messages that match a query, and their date range. */
interface FoundThread {
  readonly thread: number;
  readonly hits: number;
  readonly first: Instant | null;
  readonly last: Instant | null;
}

export interface ThreadPage {
  readonly total: number;
  readonly threads: readonly FoundThread[];
}

/**
 * The threads of a result, by thread, in flat arrays: a result may be every message, and 190,000 objects took 80 MB.
 */
export class ThreadsOfResult {
  private readonly hits: Uint32Array;
  private readonly firsts: Float64Array;
  private readonly lasts: Float64Array;

  constructor(set: DocumentSet, threads: Uint32Array, sentAt: Float64Array) {
    const count = threadsIn(threads);
    this.hits = new Uint32Array(count);
    this.firsts = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    this.lasts = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
    for (let document = 0; document < set.length; document++) {
      if (set[document] === 0) continue;
      const [thread, date] = [threads[document]!, sentAt[document]!];
      this.hits[thread]!++;
      if (date === Number.NEGATIVE_INFINITY) continue;
      if (date < this.firsts[thread]!) this.firsts[thread] = date;
      if (date > this.lasts[thread]!) this.lasts[thread] = date;
    }
  }

  /** The first `limit` of an order; ties in thread order. */
  best(sort: Exclude<ConversationSort, "relevance" | "largest">, limit: number): Uint32Array {
    const { hits } = this;
    // Ties are sorted by number.
    const top = new TopDocuments(limit, new Float64Array(hits.length));
    for (let thread = 0; thread < hits.length; thread++)
      if (hits[thread]! > 0) top.offer(thread, this.keyOf(sort, thread));
    return top.numbers();
  }

  /** Sort key of threads, descending. Undated threads come last in both directions. */
  keyOf(sort: Exclude<ConversationSort, "relevance" | "largest">, thread: number): number {
    return sort === "newest" ? this.lasts[thread]! : -this.firsts[thread]!;
  }

  /** Infinity and -Infinity if no message matches, or none has a date. */
  datesOf(thread: number): readonly [first: number, last: number] {
    return [this.firsts[thread] ?? Number.POSITIVE_INFINITY, this.lasts[thread] ?? Number.NEGATIVE_INFINITY];
  }
}

export function threadHit(
  thread: number,
  hits: number,
  [first, last]: readonly [first: number, last: number],
): FoundThread {
  const isDated = last !== Number.NEGATIVE_INFINITY;
  return { thread, hits, first: isDated ? first : null, last: isDated ? last : null };
}

/** The first `limit` different threads of messages in order. */
export function firstThreads(threads: Uint32Array, limit: number): Uint32Array {
  const isTaken = new Uint8Array(threadsIn(threads));
  const found = new Uint32Array(Math.min(limit, isTaken.length));
  let count = 0;
  for (let at = 0; at < threads.length && count < found.length; at++) {
    const thread = threads[at]!;
    if (isTaken[thread] === 1) continue;
    isTaken[thread] = 1;
    found[count++] = thread;
  }
  return found.subarray(0, count);
}

/** Counts messages of a set by thread: flat, since a result may contain every message. */
export function countThreads(
  set: DocumentSet,
  threads: Uint32Array,
): { readonly threads: Uint32Array; readonly hits: Uint32Array } {
  const messages = new Uint32Array(threadsIn(threads));
  let found = 0;
  for (let document = 0; document < set.length; document++)
    if (set[document] === 1 && messages[threads[document]!]!++ === 0) found++;
  const hits = { threads: new Uint32Array(found), hits: new Uint32Array(found) };
  for (let thread = 0, at = 0; at < found; thread++) {
    if (messages[thread] === 0) continue;
    hits.threads[at] = thread;
    hits.hits[at++] = messages[thread]!;
  }
  return hits;
}

/** Number of messages per thread, and of threads with any: flat, since a result may contain every message. */
export interface ThreadCounts {
  readonly messages: Uint32Array;
  readonly threads: number;
}

/** Merges the counts of ranges. */
export function mergeThreads(
  parts: readonly { readonly threads: Uint32Array; readonly hits: Uint32Array }[],
): ThreadCounts {
  const end = parts.reduce((most, { threads }) => Math.max(most, (threads.at(-1) ?? -1) + 1), 0);
  const messages = new Uint32Array(end);
  let found = 0;
  for (const { threads, hits } of parts)
    for (let at = 0; at < threads.length; at++) {
      const thread = threads[at]!;
      if (messages[thread] === 0) found++;
      messages[thread]! += hits[at]!;
    }
  return { messages, threads: found };
}

/** The largest thread number plus one. */
function threadsIn(threads: Uint32Array): number {
  let largest = 0;
  for (let document = 0; document < threads.length; document++) largest = Math.max(largest, threads[document]!);
  return largest + 1;
}

/** The dates of the messages of a set. */
export function datesOf(set: DocumentSet, sentAt: Float64Array): Float64Array {
  const dates = new Float64Array(set.length);
  let found = 0;
  for (let document = 0; document < set.length; document++) if (set[document] === 1) dates[found++] = sentAt[document]!;
  return dates.subarray(0, found);
}
