import { dataViewOf } from "../../properties/byte-range.ts";
import { type BlockEncoding, cyclic, ROTOR_I } from "./block-encoding.ts";
import type { MemoryPart } from "./memory.ts";
import { type SubstitutionMemory, substitutionMemory } from "./substitution-memory.ts";

/** Buffer for the largest block of any layout, for blocks decoded to other memory. */
const LARGEST_BLOCK_BYTES = 64 << 10;
/** Memory for decoded data of nearly every item; untouched pages cost nothing. */
const ROOM_BYTES = 4 << 20;

/** Pool of decoders for the next stores: a thread has one or two open at a time. */
const MAX_IDLE = 2;
const idle: BlockDecoder[] = [];

/**
 * A decoder for one store, returned to the pool when the store is closed. Allocating memory for each store costs more
 * than reading a small one, because every allocated megabyte triggers garbage collection.
 */
export function acquireDecoder(): BlockDecoder {
  return idle.pop() ?? new BlockDecoder();
}

/** Returns a decoder; its decoded blocks must no longer be used. */
export function releaseDecoder(decoder: BlockDecoder): void {
  if (idle.length < MAX_IDLE) idle.push(decoder);
}

/** Decodes blocks, and owns the memory if decoding needs no copies. */
class BlockDecoder {
  /** Destination of decoded blocks: from `start` to the end of the bytes. */
  readonly room: MemoryPart;
  private readonly memory: SubstitutionMemory;

  constructor() {
    this.memory = substitutionMemory(ROTOR_I, LARGEST_BLOCK_BYTES + ROOM_BYTES);
    this.room = {
      bytes: this.memory.bytes,
      data: dataViewOf(this.memory.bytes),
      start: this.memory.start + LARGEST_BLOCK_BYTES,
    };
  }

  /**
   * Decodes `length` bytes from one position to another, which may be earlier in the same memory.
   * @param block its encoding, and its id, where the cyclic walk starts.
   */
  decode(
    from: MemoryPart,
    to: MemoryPart,
    block: { readonly encoding: BlockEncoding; readonly bid: number; readonly length: number },
  ): void {
    const { length } = block;
    if (block.encoding === "permute") this.permute(from, to, length);
    else {
      from.bytes.copy(to.bytes, to.start, from.start, from.start + length);
      if (block.encoding === "cyclic") cyclic(to.bytes.subarray(to.start, to.start + length), block.bid);
    }
  }

  private permute(from: MemoryPart, to: MemoryPart, length: number): void {
    const { bytes, start } = this.memory;
    const target = to.bytes === bytes ? to.start : start;
    let source = from.start;
    if (from.bytes !== bytes) {
      from.bytes.copy(bytes, target, source, source + length);
      source = target;
    }
    this.memory.substitute(source, target, source + length);
    if (to.bytes !== bytes) bytes.copy(to.bytes, to.start, target, target + length);
  }
}
