import { type ByteRange, dataViewOf } from "../../src/properties/byte-range.ts";
import type { ByteSource } from "../../src/pst/ndb/byte-source.ts";

/** A store completely in memory. */
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
