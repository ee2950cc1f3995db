/** First capacity in bytes: most files of a vault are smaller than this. */
const FIRST_BYTES = 16 * 1024;
/** UTF-8 of one UTF-16 unit is at most this long. */
const BYTES_PER_UNIT = 3;

/**
 * Text for a file, as UTF-8 in a growing buffer. Mail text is stored and written as UTF-8, so it is copied without
 * decoding, joining and encoding a string.
 */
export class Utf8Buffer {
  length = 0;

  constructor(public bytes: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)) {}

  /** Reserves `count` more bytes after `length`; the writer then increases `length`. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.length + count));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }

  text(text: string): void {
    this.reserve(text.length * BYTES_PER_UNIT);
    this.length += this.bytes.write(text, this.length);
  }

  append(utf8: Uint8Array): void {
    this.reserve(utf8.length);
    this.bytes.set(utf8, this.length);
    this.length += utf8.length;
  }

  /** The written bytes, valid until the next write. */
  view(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }
}
