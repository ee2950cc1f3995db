import type { Heap } from "./heap.ts";

/** `bType` of a tree on a heap ([MS-PST] 2.3.2.1). */
const TREE_SIGNATURE = 0xb5;
/** A page holds hundreds of keys: eight levels are more than any store can fill. */
const MAX_LEVELS = 8;
/** Records of one tree: rows of a folder are the largest use. */
const MAX_RECORDS = 50_000_000;

/** A run of leaf records of equal size. */
export interface LeafRecords {
  readonly bytes: Buffer;
  readonly keySize: number;
  readonly recordSize: number;
  readonly count: number;
}

/**
 * Leaf pages of the tree from left to right ([MS-PST] 2.3.2). Property contexts of more than some 447 properties and all large
 * tables have inner levels. Iterative; a heap item used twice is a loop and is left out.
 */
export function* readHeapTree(heap: Heap, headerId: number): Generator<LeafRecords> {
  const header = heap.item(headerId);
  if (header === null || header.length < 8 || header[0] !== TREE_SIGNATURE) return;
  const keySize = header[1]!;
  const dataSize = header[2]!;
  const levels = header[3]!;
  if (keySize === 0 || dataSize === 0 || levels > MAX_LEVELS) return;
  const visited = new Set<number>();
  const stack = [{ id: header.readUInt32LE(4), level: levels }];
  let records = 0;
  while (stack.length > 0 && records < MAX_RECORDS) {
    const top = stack.pop()!;
    if (top.id === 0 || visited.has(top.id)) continue;
    visited.add(top.id);
    const page = heap.item(top.id);
    if (page === null) continue;
    if (top.level === 0) {
      const count = Math.floor(page.length / (keySize + dataSize));
      records += count;
      yield { bytes: page, keySize, recordSize: keySize + dataSize, count };
      continue;
    }
    const size = keySize + 4;
    for (let offset = (Math.floor(page.length / size) - 1) * size; offset >= 0; offset -= size) {
      stack.push({ id: page.readUInt32LE(offset + keySize), level: top.level - 1 });
    }
  }
}
