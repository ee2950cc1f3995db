import type { OrdinalRange } from "../mail/archive.ts";

/** Messages of a part. */
const PART_MESSAGES = 4_096;
/** Messages from which threads pay off: each compiles its code itself, which takes as long as some thousand messages. */
export const MANY_MESSAGES = 32_768;
/** Maximum parts: each has open files until the pages are written. */
const MAX_PARTS = 64;
/** Messages per part. */
export function partSize(total: number): number {
  return Math.max(PART_MESSAGES, Math.ceil(total / MAX_PARTS));
}

/** Divides the messages of an archive without gaps, into at least one part per thread. */
export function partRanges(total: number, jobs: number): readonly OrdinalRange[] {
  const size = Math.min(partSize(total), Math.ceil(total / jobs));
  return Array.from({ length: Math.ceil(total / size) }, (_, index) => ({
    first: index * size,
    last: (index + 1) * size - 1,
  }));
}
