import type { ByteRange } from "../../properties/byte-range.ts";
import { plainBid, readId } from "./file-layout.ts";
import type { NodeDatabase } from "./node-database.ts";

/** A node inside a node ([MS-PST] 2.2.2.8.3.3): attachments, tables and large values of a message. */
export interface Subnode {
  readonly nid: number;
  readonly dataBid: number;
  /** 0 if it has no subnodes. */
  readonly subnodeBid: number;
}

/** Maximum subnodes of a node: no mail has 100,000 attachments. */
const MAX_SUBNODES = 200_000;
/** `btype` of SLBLOCK and SIBLOCK. */
const SUBNODE_BLOCK = 2;

const NO_SUBNODES: ReadonlyMap<number, Subnode> = new Map();

/**
 * All subnodes below that block, by id. A SIBLOCK (level 1) refers only to SLBLOCKs (level 0), so loops are impossible.
 */
export function readSubnodes(database: NodeDatabase, bid: number): ReadonlyMap<number, Subnode> {
  if (bid === 0) return NO_SUBNODES;
  const root = readListBlock(database, bid);
  if (root === null) return NO_SUBNODES;
  const subnodes = new Map<number, Subnode>();
  if (root.level === 0) collect(database, root.block, subnodes);
  else {
    const { idSize } = database.layout;
    const size = 2 * idSize;
    const first = root.block.start + headerSize(idSize);
    const end = endOfEntries(root.block, first, size);
    for (let offset = first; offset < end; offset += size) {
      const leaf = readListBlock(database, plainBid(readId(root.block.data, offset + idSize, idSize)));
      if (leaf === null) continue;
      if (leaf.level === 0) collect(database, leaf.block, subnodes);
      else database.log.note("structure-damaged", "a subnode list is damaged");
      if (subnodes.size >= MAX_SUBNODES) break;
    }
  }
  return subnodes;
}

function collect(database: NodeDatabase, list: ByteRange, into: Map<number, Subnode>): void {
  const { idSize } = database.layout;
  const size = 3 * idSize;
  const first = list.start + headerSize(idSize);
  const end = endOfEntries(list, first, size);
  const { data } = list;
  for (let offset = first; offset < end; offset += size) {
    if (into.size >= MAX_SUBNODES) {
      database.log.note("limit-reached", `more than ${MAX_SUBNODES} subnodes`);
      return;
    }
    const nid = data.getUint32(offset, true);
    into.set(nid, {
      nid,
      dataBid: plainBid(readId(data, offset + idSize, idSize)),
      subnodeBid: plainBid(readId(data, offset + 2 * idSize, idSize)),
    });
  }
}

/** Unicode stores pad the head of the block to 8 bytes. */
function headerSize(idSize: 4 | 8): number {
  return idSize === 8 ? 8 : 4;
}

/** @param first offset of the first entry */
function endOfEntries({ data, start, end }: ByteRange, first: number, size: number): number {
  return first + size * Math.min(data.getUint16(start + 2, true), Math.floor((end - first) / size));
}

interface ListBlock {
  readonly level: number;
  readonly block: ByteRange;
}

function readListBlock(database: NodeDatabase, bid: number): ListBlock | null {
  const block = database.readBlock(bid);
  if (block === null) return null;
  const { bytes, start, end } = block;
  const level = bytes[start + 1]!;
  if (end - start < 8 || bytes[start] !== SUBNODE_BLOCK || level > 1) {
    database.log.note("structure-damaged", "a subnode list is damaged");
    return null;
  }
  return { level, block };
}
