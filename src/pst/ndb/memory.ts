import { type ByteRange, dataViewOf } from "../../properties/byte-range.ts";

/** A part of a memory without its end: the writer knows the length. */
export type MemoryPart = Omit<ByteRange, "end">;

/**
 * Blocks share pieces of this size until memory is reused: a separate piece for each costs more than decoding a small
 * block.
 */
const PIECE_BYTES = 64 << 10;
/** Alignment of parts. */
const BOUNDARY = 8;

/**
 * Reused memory for the blocks of each item: allocating and collecting memory would take a tenth of the time of
 * reading a store. Data read before the first item, such as folders and names, is in separate memory.
 */
export class ItemMemory {
  private bytes: Buffer = Buffer.alloc(0);
  private data: DataView = dataViewOf(this.bytes);
  private used = 0;

  constructor(
    /** Shared memory for items, assigned from `start` to its end; larger items get their own. */
    private readonly kept: MemoryPart,
  ) {}

  /** Earlier parts may be overwritten from now on. */
  startItem(): void {
    this.bytes = this.kept.bytes;
    this.data = this.kept.data;
    this.used = this.kept.start;
  }

  /** Reserves word-aligned bytes. */
  take(size: number): MemoryPart {
    if (this.used + size > this.bytes.length) {
      if (this.bytes === this.kept.bytes || size > PIECE_BYTES / 4) return fresh(size);
      const piece = fresh(PIECE_BYTES);
      this.bytes = piece.bytes;
      this.data = piece.data;
      this.used = 0;
    }
    const start = this.used;
    this.used = Math.ceil((start + size) / BOUNDARY) * BOUNDARY;
    return { bytes: this.bytes, data: this.data, start };
  }
}

function fresh(size: number): MemoryPart {
  const bytes = Buffer.allocUnsafeSlow(size);
  return { bytes, data: dataViewOf(bytes), start: 0 };
}
