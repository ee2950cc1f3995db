import { dataViewOf } from "../../properties/byte-range.ts";
import { mapiCrc } from "../../properties/crc.ts";
import { type ByteSource, bytesAt } from "./byte-source.ts";
import { type FileLayout, plainBid, pstSignature, readId } from "./file-layout.ts";
import type { BlockEntry } from "./node-entry.ts";

/** Bytes scanned at a time. */
const STEP_BYTES = 1 << 20;
/** No block precedes the first allocation map ([MS-PST] 2.2.2.7.2). */
const FIRST_BLOCK = 0x4400;

/** The content of a block trailer, and its offset. */
interface TrailerClaim {
  readonly offset: number;
  readonly bid: number;
  readonly signature: number;
}

/** True if the signature of a block matches its offset. */
export function isSignedForItsPlace({ offset, bid, signature }: TrailerClaim): boolean {
  return pstSignature(offset, bid) === signature;
}

/**
 * Visits every block of a file with a valid CRC and a wanted trailer. Blocks end at aligned offsets, with a trailer
 * that repeats their id and has a signature of offset and id. Reads the file once.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the tests of a candidate, the cheapest first, at every place of a file
export function scanTrailers(
  source: ByteSource,
  layout: FileLayout,
  isWanted: (claim: TrailerClaim) => boolean,
  found: (entry: BlockEntry) => void,
): void {
  const { trailerSize, alignment, maxStored, crc, bid: bidOffset, inflatedSize } = layout.block;
  const reach = Math.ceil((maxStored + trailerSize) / alignment) * alignment;
  for (let base = FIRST_BLOCK - (FIRST_BLOCK % alignment); base < source.size; base += STEP_BYTES) {
    const start = Math.max(0, base - reach);
    const view = bytesAt(source, start, base - start + STEP_BYTES);
    const data = dataViewOf(view);
    for (let end = base - start + alignment; end <= view.length; end += alignment) {
      const trailer = end - trailerSize;
      const storedSize = view.readUInt16LE(trailer);
      if (storedSize === 0 || storedSize > maxStored) continue;
      const from = end - Math.ceil((storedSize + trailerSize) / alignment) * alignment;
      if (from < 0) continue;
      const bid = readId(data, trailer + bidOffset, layout.idSize);
      if (bid === 0 || !isWanted({ offset: start + from, bid, signature: view.readUInt16LE(trailer + 2) })) continue;
      if (mapiCrc(view.subarray(from, from + storedSize)) !== view.readUInt32LE(trailer + crc)) continue;
      const size = inflatedSize === null ? storedSize : view.readUInt16LE(trailer + inflatedSize);
      found({ bid: plainBid(bid), offset: start + from, storedSize, size });
    }
  }
}
