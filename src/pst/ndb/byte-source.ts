import { type ByteRange, bufferOf, dataViewOf } from "../../properties/byte-range.ts";

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

/** A store completely in memory, for tests and small inputs. */
export function bytesInMemory(bytes: Buffer): ByteSource {
  const data = dataViewOf(bytes);
  const view = (position: number, length: number): ByteRange => {
    const start = Math.min(Math.max(position, 0), bytes.length);
    return { bytes, data, start, end: Math.min(start + length, bytes.length) };
  };
  return {
    size: bytes.length,
    view,
    readInto: (target, start, { position, length }) => {
      const found = view(position, length);
      return bytes.copy(target, start, found.start, found.end);
    },
  };
}
