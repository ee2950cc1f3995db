import type { ByteRange } from "../../properties/byte-range.ts";
import type { Heap } from "./heap.ts";

/** `bType` of a tree on a heap ([MS-PST] 2.3.2.1). */
const TREE_SIGNATURE = 0xb5;
/** Maximum levels: a page has hundreds of keys, so eight levels are more than any store can fill. */
const MAX_LEVELS = 8;
/** Maximum records of one tree; the rows of a folder are the largest use. */
const MAX_RECORDS = 50_000_000;

/**
 * Leaf pages of the tree from left to right ([MS-PST] 2.3.2). Property contexts with more than about 447 properties and
 * all large tables have inner levels. Iterative; a heap item used twice is a loop and skipped.
 */
export class HeapLeaves {
  /** 0 if there is no tree. */
  readonly keySize: number;
  readonly recordSize: number;
  /** Pages to visit, the next one last, and the level of each. */
  private readonly ids: number[] = [];
  private readonly levels: number[] = [];
  /** Null for a tree of one page. */
  private readonly visited: Set<number> | null;
  private records = 0;

  constructor(
    private readonly heap: Heap,
    headerId: number,
  ) {
    const header = heap.item(headerId);
    const head = header === null || header.end - header.start < 8 ? null : header.bytes;
    const at = header?.start ?? 0;
    const levels = head?.[at + 3] ?? 0;
    const isTree =
      head !== null && head[at] === TREE_SIGNATURE && head[at + 1] !== 0 && head[at + 2] !== 0 && levels <= MAX_LEVELS;
    this.keySize = isTree ? head[at + 1]! : 0;
    this.recordSize = isTree ? this.keySize + head[at + 2]! : 0;
    this.visited = levels === 0 ? null : new Set();
    if (!isTree) return;
    this.ids.push(header!.data.getUint32(at + 4, true));
    this.levels.push(levels);
  }

  /** The records of the next leaf, only complete ones; null after the last. */
  next(): ByteRange | null {
    while (this.ids.length > 0 && this.records < MAX_RECORDS) {
      const id = this.ids.pop()!;
      const level = this.levels.pop()!;
      if (id === 0 || this.visited?.has(id) === true) continue;
      this.visited?.add(id);
      const page = this.heap.item(id);
      if (page === null) continue;
      if (level > 0) {
        this.descend(page, level);
        continue;
      }
      const count = Math.floor((page.end - page.start) / this.recordSize);
      this.records += count;
      return { bytes: page.bytes, data: page.data, start: page.start, end: page.start + count * this.recordSize };
    }
    return null;
  }

  private descend({ data, start, end }: ByteRange, level: number): void {
    const size = this.keySize + 4;
    for (let at = start + (Math.floor((end - start) / size) - 1) * size; at >= start; at -= size) {
      this.ids.push(data.getUint32(at + this.keySize, true));
      this.levels.push(level - 1);
    }
  }
}
