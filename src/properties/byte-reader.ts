/** Reads little-endian fields one after the other; beyond the end every field is 0 and `isCut` is set. */
export class ByteReader {
  isCut = false;
  private at: number;

  constructor(
    private readonly bytes: Buffer,
    start = 0,
  ) {
    this.at = start;
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  uint8(): number {
    return this.take(1)?.[0] ?? 0;
  }

  uint16(): number {
    return this.take(2)?.readUInt16LE(0) ?? 0;
  }

  uint32(): number {
    return this.take(4)?.readUInt32LE(0) ?? 0;
  }

  int32(): number {
    return this.take(4)?.readInt32LE(0) ?? 0;
  }

  /** A view; empty if fewer bytes are left. */
  view(length: number): Buffer {
    return this.take(length) ?? Buffer.alloc(0);
  }

  skip(length: number): void {
    this.take(length);
  }

  private take(length: number): Buffer | null {
    if (length < 0 || this.at + length > this.bytes.length) {
      this.isCut = true;
      return null;
    }
    const view = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    return view;
  }
}
