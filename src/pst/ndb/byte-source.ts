import { type ByteRange, bufferOf } from "../../properties/byte-range.ts";

/** Random access to the bytes of a store. The file reader is in a higher layer; this layer only requests ranges. */
export interface ByteSource {
  readonly size: number;
  /**
   * Bytes [position, position + length), up to the end of the file. Valid only until the next call: sources reuse
   * their windows and views.
   */
  view(position: number, length: number): ByteRange;
  /** The same bytes, copied to the caller's memory from `start` on. @returns number of bytes */
  readInto(memory: Buffer, start: number, range: { readonly position: number; readonly length: number }): number;
}

/** The bytes of a range as a buffer, valid as long as the view is. */
export function bytesAt(source: ByteSource, position: number, length: number): Buffer {
  return bufferOf(source.view(position, length));
}
