import type { TermSegment } from "./term-segment.ts";

/** Maximum messages read per thread, the first ones: a digest of a thousand issues must not dominate. */
export const MAX_MESSAGES_POOLED = 30;

/** A segment and the thread of each of its messages, -1 for none. */
export interface PooledSegment {
  readonly segment: TermSegment;
  readonly threadOf: Int32Array;
}

/**
 * The terms of all messages with their threads: the input of training and of assignment. They grow with the archive, so
 * they are on disk and read in passes.
 */
export interface PooledTerms {
  /** Number of threads, including those without a message. */
  readonly threads: number;
  /** All segments in message order, from the start in each call. A segment is valid until the next one is requested. */
  segments(): Iterable<PooledSegment>;
}
