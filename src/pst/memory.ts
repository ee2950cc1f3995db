/** A piece of memory seen as bytes and as 32-bit words: what a store keeps encoded is decoded word by word. */
export interface Memory {
  readonly bytes: Buffer;
  readonly words: Int32Array;
}

/** A part of some memory, and where in it the part begins. */
export interface MemoryPart {
  readonly memory: Memory;
  readonly start: number;
}

const WORD_BYTES = 4;

/** Memory whose bytes are whatever was there before. */
export function allocateMemory(size: number): Memory {
  const bytes = Buffer.allocUnsafeSlow(Math.ceil(size / WORD_BYTES) * WORD_BYTES);
  return { bytes, words: new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / WORD_BYTES) };
}

/** Blocks share pieces of this size while memory is not used again: a piece for each costs more than decoding a small block. */
const PIECE_BYTES = 64 << 10;
/** Memory kept from item to item at first, and at most; what does not fit has memory of its own. */
const FIRST_KEPT_BYTES = 256 << 10;
const MAX_KEPT_BYTES = 4 << 20;
/** Parts begin at multiples of this, so that decoding goes by words. */
const BOUNDARY = 8;

/**
 * Memory for the blocks of one item after the other. Fresh memory has to be found, cleared and collected again, a tenth of the time of
 * reading a store; so once items are read, each is given the memory of the one before. Until the first item everything is fresh: what is
 * read of folders and names lives side by side.
 */
export class ItemMemory {
  private piece: Memory = allocateMemory(0);
  private used = 0;
  /** Bytes the item was given beyond the piece. */
  private beyond = 0;
  private isReused = false;

  /** What was given out before may be written over from now on. */
  startItem(): void {
    if (!this.isReused) this.piece = allocateMemory(FIRST_KEPT_BYTES);
    else if (this.beyond > 0 && this.piece.bytes.length < MAX_KEPT_BYTES) {
      const wanted = 2 ** Math.ceil(Math.log2(this.used + this.beyond));
      this.piece = allocateMemory(Math.min(MAX_KEPT_BYTES, wanted));
    }
    this.isReused = true;
    this.used = 0;
    this.beyond = 0;
  }

  /** Room for so many bytes, on a boundary of words. */
  take(size: number): MemoryPart {
    if (this.used + size > this.piece.bytes.length) {
      if (this.isReused) {
        this.beyond += size;
        return { memory: allocateMemory(size), start: 0 };
      }
      if (size > PIECE_BYTES / 4) return { memory: allocateMemory(size), start: 0 };
      this.piece = allocateMemory(PIECE_BYTES);
      this.used = 0;
    }
    const start = this.used;
    this.used = Math.ceil((start + size) / BOUNDARY) * BOUNDARY;
    return { memory: this.piece, start };
  }
}
