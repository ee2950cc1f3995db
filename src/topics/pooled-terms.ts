import type { TermSegment } from "./term-segment.ts";

/** Messages of a thread that are read, the first ones: a digest of a thousand issues must not dominate. */
export const MAX_MESSAGES_POOLED = 30;

/** A segment and the thread of each of its messages, -1 for none. */
export interface PooledSegment {
  readonly segment: TermSegment;
  readonly threadOf: Int32Array;
}

/**
 * The terms of all messages with their threads: the input of training and of assignment. They lie outside of the memory
 * and are read in passes, for they grow with the archive.
 */
export interface PooledTerms {
  /** Number of threads; those without a message count as well. */
  readonly threads: number;
  /**
   * All segments in the order of their messages, anew with each call. A segment is good until the next one is asked
   * for.
   */
  segments(): Iterable<PooledSegment>;
}
