import { crc32 } from "node:zlib";

/** The CRC of [MS-PST] 5.3: the polynomial of zlib without its inversions before and after. */
export function pstCrc(bytes: Uint8Array): number {
  return ~crc32(bytes, 0xffff_ffff) >>> 0;
}

/** `wSig` of pages and blocks ([MS-PST] 5.5): the low halves of place and id folded together. */
export function pstSignature(offset: number, bid: number): number {
  const folded = (offset % 0x1_0000_0000) ^ (bid % 0x1_0000_0000);
  return (folded >>> 16) ^ (folded & 0xffff);
}
