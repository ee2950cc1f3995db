import { plainBid, readId } from "./file-layout.ts";
import { dataViewOf } from "./little-endian.ts";
import type { NodeDatabase } from "./node-database.ts";

/** A node inside a node ([MS-PST] 2.2.2.8.3.3): attachments, tables and large values of a message. */
export interface Subnode {
  readonly nid: number;
  readonly dataBid: number;
  /** 0 when it has no subnodes of its own. */
  readonly subnodeBid: number;
}

/** Subnodes of one node: 100,000 attachments are no mail. */
const MAX_SUBNODES = 200_000;
/** `btype` of SLBLOCK and SIBLOCK. */
const SUBNODE_BLOCK = 2;

const NO_SUBNODES: ReadonlyMap<number, Subnode> = new Map();

/** All subnodes below that block, by id. A SIBLOCK (level 1) names SLBLOCKs (level 0) and nothing deeper, so nothing can loop. */
export function readSubnodes(database: NodeDatabase, bid: number): ReadonlyMap<number, Subnode> {
  if (bid === 0) return NO_SUBNODES;
  const root = readListBlock(database, bid);
  if (root === null) return NO_SUBNODES;
  const subnodes = new Map<number, Subnode>();
  if (root.level === 0) collect(database, root, subnodes);
  else {
    const { idSize } = database.layout;
    const size = 2 * idSize;
    const end = endOfEntries(root, headerSize(idSize), size);
    for (let offset = headerSize(idSize); offset < end; offset += size) {
      const leaf = readListBlock(database, plainBid(readId(root.data, offset + idSize, idSize)));
      if (leaf === null) continue;
      if (leaf.level === 0) collect(database, leaf, subnodes);
      else database.log.note("structure-damaged", "a subnode list is damaged");
      if (subnodes.size >= MAX_SUBNODES) break;
    }
  }
  return subnodes;
}

function collect(database: NodeDatabase, list: ListBlock, into: Map<number, Subnode>): void {
  const { idSize } = database.layout;
  const size = 3 * idSize;
  const end = endOfEntries(list, headerSize(idSize), size);
  const { data } = list;
  for (let offset = headerSize(idSize); offset < end; offset += size) {
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

function endOfEntries({ data }: ListBlock, start: number, size: number): number {
  return start + size * Math.min(data.getUint16(2, true), Math.floor((data.byteLength - start) / size));
}

interface ListBlock {
  readonly level: number;
  readonly data: DataView;
}

function readListBlock(database: NodeDatabase, bid: number): ListBlock | null {
  const bytes = database.readBlock(bid);
  if (bytes === null) return null;
  const level = bytes[1] ?? 0xff;
  if (bytes.length < 8 || bytes[0] !== SUBNODE_BLOCK || level > 1) {
    database.log.note("structure-damaged", "a subnode list is damaged");
    return null;
  }
  return { level, data: dataViewOf(bytes) };
}
