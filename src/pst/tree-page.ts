import type { ByteSource } from "./byte-source.ts";
import { pstCrc } from "./checksum.ts";
import type { FileLayout } from "./file-layout.ts";
import { uint16At, uint32At } from "./little-endian.ts";

/** `ptype` of the two trees' pages ([MS-PST] 2.2.2.7.1). */
export const BLOCK_TREE_PAGE = 0x80;
export const NODE_TREE_PAGE = 0x81;
export type TreePageType = typeof BLOCK_TREE_PAGE | typeof NODE_TREE_PAGE;

/** One page of the node or block tree. */
export interface TreePage {
  /** What lies before its trailer: a copy in memory of the caller's, or where it was read, which is valid until the source is asked again. */
  readonly bytes: Buffer;
  readonly count: number;
  readonly entrySize: number;
  readonly level: number;
  /** False when its CRC does not fit. Its entries are then only believed where what they point to agrees. */
  readonly isIntact: boolean;
}

/** Deeper trees cannot be: 20 entries a page and 8 levels hold 25 thousand million blocks. */
export const MAX_TREE_LEVEL = 8;

/**
 * Reads the page at that offset; null when what lies there is no page of that type, or its counts cannot be true.
 * @param place with `copyTo`, room for one page, to have it there; null to see it where it was read.
 */
export function readTreePage(
  source: ByteSource,
  layout: FileLayout,
  place: { readonly offset: number; readonly type: TreePageType; readonly copyTo: Buffer | null },
): TreePage | null {
  const { page } = layout;
  const { offset, type, copyTo } = place;
  if (offset < 0 || offset + page.size > source.size) return null;
  const { bytes, start, length } = source.view(offset, page.size);
  if (length < page.size) return null;
  const trailer = start + page.trailer;
  const entries = bytes.subarray(start, trailer);
  const fitting = (bytes[trailer] === type ? 1 : 0) + (bytes[trailer + 1] === type ? 1 : 0);
  const isIntact = pstCrc(entries) === uint32At(bytes, trailer + page.crc);
  // One of the two marks must hold: a flipped bit in either is survived, a page of something else is not taken for a tree.
  if (fitting < (isIntact ? 1 : 2)) return null;
  const count = page.countSize === 2 ? uint16At(entries, page.count) : entries[page.count]!;
  const entrySize = entries[page.entrySize]!;
  const level = entries[page.level]!;
  if (level > MAX_TREE_LEVEL || entrySize < minimumEntrySize(layout, type, level) || count * entrySize > page.entriesEnd) return null;
  copyTo?.set(entries);
  return { bytes: copyTo ?? entries, count, entrySize, level, isIntact };
}

/** Size of the smallest entry a page of that type and level can have. */
function minimumEntrySize(layout: FileLayout, type: TreePageType, level: number): number {
  return level > 0 ? layout.page.innerEntry : layout.page.leafEntries[type - BLOCK_TREE_PAGE]!;
}
