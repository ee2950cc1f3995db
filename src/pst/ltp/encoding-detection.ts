import { BLOCK_ENCODINGS } from "../ndb/block-encoding.ts";
import { DataStream } from "../ndb/data-stream.ts";
import { allNodes, type NodeDatabase } from "../ndb/node-database.ts";
import { isHeapStart } from "./heap.ts";

/** Blocks examined: in an undamaged store, the data of the first node is a heap; in a damaged one, that of some. */
const PROBED_BLOCKS = 64;

/**
 * Determines the encoding of blocks. The first CRC does not cover its header byte: if no node has a heap with that
 * encoding, although nearly all nodes should, another encoding with which some do is used.
 */
export function settleEncoding(database: NodeDatabase): void {
  const stated = database.encoding;
  for (const encoding of [stated, ...BLOCK_ENCODINGS]) {
    database.encoding = encoding;
    if (holdsHeaps(database)) return;
  }
  database.encoding = stated;
}

function holdsHeaps(database: NodeDatabase): boolean {
  let probed = 0;
  for (const bid of dataBlocks(database)) {
    const first = new DataStream(database, bid).block(0);
    if (first !== null && isHeapStart(first)) return true;
    probed++;
    if (probed === PROBED_BLOCKS) return false;
  }
  return false;
}

/** Data of nodes; for a store without readable nodes, all blocks. */
function* dataBlocks(database: NodeDatabase): Generator<number> {
  for (const node of allNodes(database, null)) yield node.dataBid;
  if (database.isDamaged) for (const { bid } of database.recover().blocks()) yield bid;
}
