import type { ByteRange } from "../../properties/byte-range.ts";
import { type FileLayout, plainBid, readId } from "./file-layout.ts";

/** `btype` of blocks that list blocks ([MS-PST] 2.2.2.8.3.2), and of those that list subnodes (2.2.2.8.3.3). */
const BLOCK_LIST = 1;
const SUBNODE_LIST = 2;
/**
 * Ids of a subnode: its own, then those of its two blocks; of a list of lists: the first id in it, then that of the
 * list.
 */
const IDS_OF_SUBNODE = 3;
const IDS_OF_LIST = 2;

/** True for the first bytes of a block that lists subnodes. */
export function isSubnodeList({ bytes, start, end }: ByteRange): boolean {
  return end > start && bytes[start] === SUBNODE_LIST;
}

/** Block ids in an internal block; none if it is not a list. */
export function* blockReferences(block: ByteRange, layout: FileLayout): Generator<number> {
  const { bytes, data, end } = block;
  if (end - block.start < 8) return;
  const { idSize } = layout;
  const isSubnodes = isSubnodeList(block);
  if (!isSubnodes && bytes[block.start] !== BLOCK_LIST) return;
  const level = bytes[block.start + 1]!;
  const width = isSubnodes ? (level === 0 ? IDS_OF_SUBNODE : IDS_OF_LIST) : 1;
  const first = block.start + (isSubnodes && idSize === 4 ? 4 : 8);
  const count = Math.min(data.getUint16(block.start + 2, true), Math.floor((end - first) / (width * idSize)));
  for (let index = 0; index < count; index++) {
    const entry = first + index * width * idSize;
    if (width === 1) yield plainBid(readId(data, entry, idSize));
    for (let id = 1; id < width; id++) yield plainBid(readId(data, entry + id * idSize, idSize));
  }
}

/** A set of block ids at 8 bytes each. Add all ids before lookups. */
export class BlockIdSet {
  private readonly ids: Float64Array;

  constructor(ids: Float64Array) {
    this.ids = ids.slice().sort();
  }

  has(bid: number): boolean {
    let low = 0;
    let high = this.ids.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ids[middle]! < bid) low = middle + 1;
      else high = middle;
    }
    return this.ids[low] === bid;
  }
}

/** Blocks are numbered by ids without the low bits: consecutively written ones differ by one. */
export function blockNumber(bid: number): number {
  return Math.floor(bid / 4);
}
