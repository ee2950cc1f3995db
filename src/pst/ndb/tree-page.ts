import { dataViewOf } from "../../properties/byte-range.ts";
import { mapiCrc } from "../../properties/crc.ts";
import type { ByteSource } from "./byte-source.ts";
import { type FileLayout, pstSignature, readId } from "./file-layout.ts";

/** `ptype` of the two trees' pages ([MS-PST] 2.2.2.7.1). */
export const BLOCK_TREE_PAGE = 0x80;
export const NODE_TREE_PAGE = 0x81;
/** Offset of `wSig` from the start of the trailer, in every layout. */
const SIGNATURE = 2;
export type TreePageType = typeof BLOCK_TREE_PAGE | typeof NODE_TREE_PAGE;

/** A page of the node or block tree. */
export interface TreePage {
  /** Buffer and offset of its entries: the caller's memory, or the read buffer, which is valid until the next read. */
  readonly data: DataView;
  readonly start: number;
  readonly count: number;
  readonly entrySize: number;
  readonly level: number;
  /** False if its CRC does not match. Its entries are then only trusted if their targets confirm them. */
  readonly isIntact: boolean;
}

/** Memory for a page, as far as its trailer. */
export interface PageBuffer {
  readonly bytes: Buffer;
  readonly data: DataView;
}

export function allocatePage({ page }: FileLayout): PageBuffer {
  const bytes = Buffer.allocUnsafe(page.trailer);
  return { bytes, data: dataViewOf(bytes) };
}

/** Maximum depth: 20 entries per page and 8 levels are 25 billion blocks. */
const MAX_TREE_LEVEL = 8;

/**
 * Reads the page at that offset; null if it is not a page of that type, or its counts are impossible. @param place
 * with `copyTo` to copy the page there; null to view it in place
 */
export function readTreePage(
  source: ByteSource,
  layout: FileLayout,
  place: { readonly offset: number; readonly type: TreePageType; readonly copyTo: PageBuffer | null },
): TreePage | null {
  const { page } = layout;
  const { offset, type, copyTo } = place;
  if (offset < 0 || offset + page.size > source.size) return null;
  const { bytes, data, start, end } = source.view(offset, page.size);
  if (end - start < page.size) return null;
  const trailer = start + page.trailer;
  const entries = bytes.subarray(start, trailer);
  const marks = (bytes[trailer] === type ? 1 : 0) + (bytes[trailer + 1] === type ? 1 : 0);
  const bid = readId(data, trailer + page.bid, layout.idSize);
  const isSigned = pstSignature(offset, bid) === data.getUint16(trailer + SIGNATURE, true);
  const isIntact = mapiCrc(entries) === data.getUint32(trailer + page.crc, true);
  // Requires one of the two marks, and for a damaged page also the other or the signature of its location: tolerates
  // flipped bits, but no other content.
  if (marks === 0 || (!isIntact && marks + (isSigned ? 1 : 0) < 2)) return null;
  const count = page.countSize === 2 ? data.getUint16(start + page.count, true) : data.getUint8(start + page.count);
  const entrySize = data.getUint8(start + page.entrySize);
  const level = data.getUint8(start + page.level);
  if (
    level > MAX_TREE_LEVEL ||
    entrySize < minimumEntrySize(layout, type, level) ||
    count * entrySize > page.entriesEnd
  )
    return null;
  if (copyTo === null) return { data, start, count, entrySize, level, isIntact };
  copyTo.bytes.set(entries);
  return { data: copyTo.data, start: 0, count, entrySize, level, isIntact };
}

/** Size of the smallest entry a page of that type and level can have. */
function minimumEntrySize(layout: FileLayout, type: TreePageType, level: number): number {
  return level > 0 ? layout.page.innerEntry : layout.page.leafEntries[type - BLOCK_TREE_PAGE]!;
}
