import { joinPostings } from "./posting-codec.ts";
import type { TermCursor } from "./segment.ts";
import { BlockWriter, type IndexSink } from "./term-block.ts";
import { compareBytes, VarintWriter } from "./varint.ts";

/** A cursor and its position in document order. */
interface MergeSource {
  readonly cursor: TermCursor;
  readonly ordinal: number;
}

function precedes(left: MergeSource, right: MergeSource): boolean {
  const order = compareBytes(left.cursor.term, right.cursor.term);
  return order < 0 || (order === 0 && left.ordinal < right.ordinal);
}

/** Restores the heap below `at`: the source with the least (term, ordinal) is on top. */
function sink(heap: MergeSource[], at: number): void {
  const moved = heap[at]!;
  for (;;) {
    let child = at * 2 + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && precedes(heap[child + 1]!, heap[child]!)) child++;
    if (!precedes(heap[child]!, moved)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = moved;
}

/** Advances the top source and restores the heap. */
function advanceTop(heap: MergeSource[]): void {
  if (!heap[0]!.cursor.next()) {
    const last = heap.pop()!;
    if (heap.length === 0) return;
    heap[0] = last;
  }
  sink(heap, 0);
}

/**
 * Merges sorted term streams into one index. Streams must be in ascending order of their documents without overlap; the
 * result does not depend on how they are divided. One term and its postings are in memory at a time.
 */
export function mergeSegments(cursors: readonly TermCursor[], target: IndexSink): void {
  const heap: MergeSource[] = [];
  cursors.forEach((cursor, ordinal) => {
    if (cursor.next()) heap.push({ cursor, ordinal });
  });
  for (let at = (heap.length >> 1) - 1; at >= 0; at--) sink(heap, at);
  const blocks = new BlockWriter(target);
  const joined = new VarintWriter();
  while (heap.length > 0) {
    // Copied: `slice` of a Buffer, which a cursor may read into, is a view.
    const term = new Uint8Array(heap[0]!.cursor.term);
    let documentFrequency = 0;
    let previous = 0;
    joined.clear();
    do {
      const { cursor } = heap[0]!;
      joinPostings(joined, cursor.postings, previous);
      previous = cursor.lastDocument;
      documentFrequency += cursor.documentFrequency;
      advanceTop(heap);
    } while (heap.length > 0 && compareBytes(heap[0]!.cursor.term, term) === 0);
    blocks.add(term, documentFrequency, joined.bytes.subarray(0, joined.length));
  }
  blocks.finish();
}
