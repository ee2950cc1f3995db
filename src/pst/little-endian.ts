/** A buffer to read numbers from, for those who read many: the engine makes one load of each. */
export function dataViewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/**
 * Numbers as stores keep them, read byte by byte: within pages and blocks already measured nothing has to be checked, and these are read
 * some hundred times for every message. The methods of Buffer check each call.
 */
export function uint16At(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8);
}

export function uint32At(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}
