import { constants, inflateRawSync, inflateSync } from "node:zlib";

/** Bytes of the zlib header. */
const ZLIB_HEADER_BYTES = 2;

/** Result of inflating a block. */
interface InflatedBlock {
  readonly bytes: Buffer;
  /** False if the stream is damaged: `bytes` then ends where it breaks, and may contain wrong characters. */
  readonly isWhole: boolean;
}

/** Inflates the data of a block to at most `size` bytes. Never throws: a damaged stream gives a partial result. */
export function inflateBlock(stored: Buffer, size: number): InflatedBlock {
  const maxOutputLength = Math.max(1, size);
  try {
    return { bytes: inflateSync(stored, { maxOutputLength }), isWhole: true };
  } catch {
    return { bytes: inflateStart(stored.subarray(ZLIB_HEADER_BYTES), maxOutputLength), isWhole: false };
  }
}

/**
 * Output of a damaged stream before its fault. Zlib discards the output on an error, but accepts a truncated stream;
 * and if a part contains the fault, so does every longer part. A binary search therefore finds the longest readable
 * part.
 */
function inflateStart(deflated: Buffer, maxOutputLength: number): Buffer {
  let best: Buffer = Buffer.alloc(0);
  let readable = 0;
  let broken = deflated.length + 1;
  while (readable + 1 < broken) {
    const length = readable === 0 && broken > deflated.length ? deflated.length : (readable + broken) >> 1;
    const bytes = inflatePart(deflated.subarray(0, length), maxOutputLength);
    if (bytes === null) broken = length;
    else {
      best = bytes;
      readable = length;
    }
  }
  return best;
}

/** Returns null if the part contains the fault, or inflates beyond the limit. */
function inflatePart(part: Buffer, maxOutputLength: number): Buffer | null {
  try {
    return inflateRawSync(part, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return null;
  }
}
