import { constants, deflateRawSync } from "node:zlib";

/** Bytes of zeros in one compressed block of the bomb; the block has about ten kilobytes. */
const BLOCK_BYTES = 10 * 2 ** 20;

/**
 * Deflate data that unpacks to a head and the given number of 10 MiB blocks of zeros: 10 GB from 10 MB.
 */
export function deflateBomb(head: Buffer, blocks: number): { readonly packed: Buffer; readonly expandedBytes: number } {
  // A full flush ends on a byte boundary and resets the dictionary, so that blocks can be concatenated.
  const flushed = { finishFlush: constants.Z_FULL_FLUSH, level: 9 };
  const first = deflateRawSync(head, flushed);
  const block = deflateRawSync(Buffer.alloc(BLOCK_BYTES), flushed);
  const last = deflateRawSync(Buffer.alloc(0));
  const packed = Buffer.concat([first, ...Array.from({ length: blocks }, () => block), last]);
  return { packed, expandedBytes: head.length + blocks * BLOCK_BYTES };
}

/** The same data as a gzip file. Its checksum is wrong, because no reader gets that far. */
export function gzipOf(packed: Buffer): Buffer {
  return Buffer.concat([Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3), packed, Buffer.alloc(8)]);
}
