import { Float64Column } from "../../columns/column.ts";
import { BlockIdSet, blockReferences, isSubnodeList } from "../ndb/block-references.ts";
import { DataStream } from "../ndb/data-stream.ts";
import { isInternalBid } from "../ndb/file-layout.ts";
import { allNodes, type NodeDatabase } from "../ndb/node-database.ts";
import { isImpossibleNode } from "../ndb/node-entry.ts";
import { isPropertyHeapStart } from "./heap.ts";

/** Unreferenced blocks, by ascending id. */
interface UnnamedBlocks {
  /** Starts of the properties of objects. */
  readonly objects: readonly number[];
  /** Lists of subnodes. */
  readonly subnodeLists: readonly number[];
}

/**
 * Finds them in a store with a damaged node tree. Reads every block of the file once, and only accepts blocks with a
 * valid CRC.
 */
export function findUnnamedBlocks(database: NodeDatabase): UnnamedBlocks {
  const named = namedBlocks(database);
  const objects: number[] = [];
  const subnodeLists: number[] = [];
  for (const { bid } of database.recover().blocks()) {
    if (named.has(bid) || !database.isIntact(bid)) continue;
    const block = isInternalBid(bid) ? database.readBlock(bid) : null;
    if (block !== null && isSubnodeList(block)) {
      subnodeLists.push(bid);
      continue;
    }
    const first = new DataStream(database, bid).block(0);
    if (first !== null && isPropertyHeapStart(first)) objects.push(bid);
  }
  return { objects, subnodeLists };
}

function namedBlocks(database: NodeDatabase): BlockIdSet {
  const named = new Float64Column();
  for (const node of allNodes(database, null)) {
    if (isImpossibleNode(node.nid)) continue;
    named.push(node.dataBid);
    named.push(node.subnodeBid);
  }
  for (const { bid } of database.recover().blocks()) {
    const block = isInternalBid(bid) && database.isIntact(bid) ? database.readBlock(bid) : null;
    if (block !== null) for (const reference of blockReferences(block, database.layout)) named.push(reference);
  }
  return new BlockIdSet(named.view());
}
