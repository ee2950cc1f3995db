import { dataViewOf } from "./little-endian.ts";

/**
 * Bytes [start, end) of some memory: a block or a value where it lies. Most are a few bytes, and a view for each costs
 * more than to read it.
 */
export interface ByteRange {
  readonly bytes: Buffer;
  /** The same memory, to read numbers from. */
  readonly data: DataView;
  readonly start: number;
  readonly end: number;
}

export function wholeRange(bytes: Buffer): ByteRange {
  return { bytes, data: dataViewOf(bytes), start: 0, end: bytes.length };
}

export function bufferOf({ bytes, start, end }: ByteRange): Buffer {
  return bytes.subarray(start, end);
}

/** A value of no bytes. */
export const EMPTY_RANGE: ByteRange = wholeRange(Buffer.alloc(0));
