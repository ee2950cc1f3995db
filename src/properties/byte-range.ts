/**
 * Bytes [start, end) of a buffer: a block or a value in place. Most are a few bytes long, for which creating a view
 * costs more than reading them.
 */
export interface ByteRange {
  readonly bytes: Buffer;
  /** The same memory, to read numbers from. */
  readonly data: DataView;
  readonly start: number;
  readonly end: number;
}

/**
 * A buffer to read numbers from, all of them little-endian in stores. Those who read many do it here: the engine makes
 * one load of each, where the bytes of a buffer are put together one by one, each checked.
 */
export function dataViewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

export function fullRange(bytes: Buffer): ByteRange {
  return { bytes, data: dataViewOf(bytes), start: 0, end: bytes.length };
}

export function bufferOf({ bytes, start, end }: ByteRange): Buffer {
  return bytes.subarray(start, end);
}

/** A value of no bytes. */
export const EMPTY_RANGE: ByteRange = fullRange(Buffer.alloc(0));
