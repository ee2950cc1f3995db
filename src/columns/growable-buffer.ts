import { ArchiveError } from "../errors.ts";

/** Addresses reserved initially; they cost nothing until they are used. */
const FIRST_RESERVE_BYTES = 1 << 20;
/**
 * Factor by which the reservation grows when it is used up: a process may not be allowed to reserve the maximum at
 * once.
 */
const RESERVE_GROWTH = 16;
/** 32-bit maximum: offsets in such memory have that width. */
const MAX_BYTES = 2 ** 32 - 1;

/**
 * Memory that grows in place. It consists of system pages instead of the C heap, and shrinking frees it at once.
 * Buffers of changing sizes would fragment that heap.
 */
export class GrowableBuffer {
  /** Replaced by some resizes; the earlier buffer keeps its contents. */
  buffer: ArrayBuffer;

  constructor(byteLength: number) {
    this.buffer = new ArrayBuffer(byteLength, { maxByteLength: Math.max(byteLength, FIRST_RESERVE_BYTES) });
  }

  /** New bytes are 0. Throws ARCHIVE_FULL beyond 4 GB, and RangeError if there is no memory. */
  resize(byteLength: number): void {
    if (byteLength > MAX_BYTES)
      throw new ArchiveError("ARCHIVE_FULL", `a run can store at most ${MAX_BYTES} bytes of one kind in memory`);
    let reserve = this.buffer.maxByteLength;
    if (byteLength <= reserve) {
      this.buffer.resize(byteLength);
      return;
    }
    while (reserve < byteLength && reserve < MAX_BYTES) reserve = Math.min(reserve * RESERVE_GROWTH, MAX_BYTES);
    const roomier = new ArrayBuffer(byteLength, { maxByteLength: reserve });
    new Uint8Array(roomier).set(new Uint8Array(this.buffer));
    this.buffer = roomier;
  }
}
