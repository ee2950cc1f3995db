import { type ByteSource, bytesAt } from "./byte-source.ts";
import { pstCrc } from "./checksum.ts";
import { type FileLayout, readId } from "./file-layout.ts";
import { uint16At, uint32At } from "./little-endian.ts";

/** `ptype` of the two trees' pages ([MS-PST] 2.2.2.7.1). */
export const BLOCK_TREE_PAGE = 0x80;
export const NODE_TREE_PAGE = 0x81;
export type TreePageType = typeof BLOCK_TREE_PAGE | typeof NODE_TREE_PAGE;

/** One page of the node or block tree. */
export interface TreePage {
  /** A copy of its own, in memory of the caller's when that was given. */
  readonly bytes: Buffer;
  readonly count: number;
  readonly entrySize: number;
  readonly level: number;
  /** Grows with every page written: of two copies the larger is the newer. */
  readonly bid: number;
  /** False when its CRC does not fit. Its entries are then only believed where what they point to agrees. */
  readonly isIntact: boolean;
}

/** Deeper trees cannot be: 20 entries a page and 8 levels hold 25 thousand million blocks. */
export const MAX_TREE_LEVEL = 8;

/**
 * Reads the page at that offset; null when what lies there is no page of that type, or its counts cannot be true.
 * @param place with `copyTo`, room for one page, to have the page there.
 */
export function readTreePage(
  source: ByteSource,
  layout: FileLayout,
  place: { readonly offset: number; readonly type: TreePageType; readonly copyTo: Buffer | null },
): TreePage | null {
  const { page } = layout;
  const { offset, type } = place;
  if (offset < 0 || offset + page.size > source.size) return null;
  const view = bytesAt(source, offset, page.size);
  if (view.length < page.size) return null;
  const fitting = (view[page.trailer] === type ? 1 : 0) + (view[page.trailer + 1] === type ? 1 : 0);
  const isIntact = pstCrc(view.subarray(0, page.trailer)) === uint32At(view, page.trailer + page.crc);
  // One of the two marks must hold: a flipped bit in either is survived, a page of something else is not taken for a tree.
  if (fitting < (isIntact ? 1 : 2)) return null;
  const count = page.countSize === 2 ? uint16At(view, page.count) : view[page.count]!;
  const entrySize = view[page.entrySize]!;
  const level = view[page.level]!;
  if (level > MAX_TREE_LEVEL || entrySize < minimumEntrySize(layout, type, level) || count * entrySize > page.entriesEnd) return null;
  const bytes = place.copyTo ?? Buffer.allocUnsafe(page.size);
  bytes.set(view);
  return { bytes, count, entrySize, level, bid: readId(view, page.trailer + page.bid, layout.idSize), isIntact };
}

/** Size of the smallest entry a page of that type and level can have. */
function minimumEntrySize(layout: FileLayout, type: TreePageType, level: number): number {
  return level > 0 ? layout.page.innerEntry : layout.page.leafEntries[type - BLOCK_TREE_PAGE]!;
}
