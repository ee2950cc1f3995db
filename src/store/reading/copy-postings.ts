import { writePostings } from "../../search/indexing/posting-codec.ts";
import { VarintWriter } from "../../search/indexing/varint.ts";

/** Messages with a term only in their duplicates, ascending, as a posting list; null for none. */
export function copyPostings(documents: readonly number[]): Uint8Array | null {
  if (documents.length === 0) return null;
  const postings = Uint32Array.from(documents.flatMap((document) => [document, 1]));
  const list = new VarintWriter();
  writePostings(list, postings, [0, postings.length]);
  return list.bytes.subarray(0, list.length);
}
