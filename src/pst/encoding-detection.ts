import { BLOCK_ENCODINGS } from "./block-encoding.ts";
import { DataStream } from "./data-stream.ts";
import { isHeapStart } from "./heap.ts";
import { allNodes, type NodeDatabase } from "./node-database.ts";

/** Nodes looked at: the first of an undamaged store is a heap, of a damaged one some of these. */
const PROBED_NODES = 32;

/**
 * Sees to it that blocks are decoded as they were encoded. The byte of the header that says how lies outside its first CRC: when with it
 * no node holds a heap, which nearly all nodes do, the encoding with which some do is taken.
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
  for (const node of allNodes(database, null)) {
    const first = new DataStream(database, node.dataBid).block(0);
    if (first !== null && isHeapStart(first)) return true;
    probed += 1;
    if (probed === PROBED_NODES) return false;
  }
  return false;
}
