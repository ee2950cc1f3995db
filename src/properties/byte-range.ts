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
 * Reads little-endian numbers from a buffer. A DataView takes one load per number, where Buffer methods combine
 * checked bytes.
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
