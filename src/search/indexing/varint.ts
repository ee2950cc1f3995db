/** Initial capacity of a writer; small, since even an archive of ten messages needs one. */
const INITIAL_BYTES = 1024;

/**
 * Growing byte buffer with the two encodings of the index: raw bytes and varints (little-endian base 128, as in
 * Protocol Buffers).
 */
export class VarintWriter {
  bytes: Uint8Array = new Uint8Array(INITIAL_BYTES);
  length = 0;

  /** Reserves `count` more bytes. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  /** @param value integer from 0 to 2^32 - 1. */
  writeVarint(value: number): void {
    this.reserve(5);
    const { bytes } = this;
    let at = this.length;
    while (value > 0x7f) {
      bytes[at] = (value & 0x7f) | 0x80;
      at++;
      value >>>= 7;
    }
    bytes[at] = value;
    this.length = at + 1;
  }

  writeBytes(source: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    const { bytes, length } = this;
    // A loop is faster than `set(subarray())` for the few bytes of a term; longer posting lists use the latter.
    if (end - start > 32) bytes.set(source.subarray(start, end), length);
    else for (let i = start; i < end; i++) bytes[length + i - start] = source[i]!;
    this.length = length + end - start;
  }

  clear(): void {
    this.length = 0;
  }

  /** A copy of the written bytes. */
  copy(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }
}

/** Reads varints and bytes one after the other. Reading past the end yields zeros. */
export class VarintReader {
  at = 0;

  constructor(readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  readVarint(): number {
    const { bytes } = this;
    let byte = bytes[this.at++] ?? 0;
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[this.at++] ?? 0;
      value |= (byte & 0x7f) << shift;
    }
    return value >>> 0;
  }

  readBytes(length: number): Uint8Array {
    const bytes = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    return bytes;
  }
}

/** Orders bytes like `memcmp`, which is also SQLite's order of TEXT. */
export function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const shorter = Math.min(left.length, right.length);
  for (let i = 0; i < shorter; i++) {
    const difference = left[i]! - right[i]!;
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
