import { crc32 } from "node:zlib";

/**
 * The CRC of stores and of compressed RTF ([MS-PST] 5.3, [MS-OXRTFCP] 2.1.3.2): the polynomial of zlib without its
 * inversions before and after.
 */
export function mapiCrc(bytes: Uint8Array): number {
  return ~crc32(bytes, 0xffff_ffff) >>> 0;
}
