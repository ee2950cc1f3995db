import { growArray } from "../../columns/grow-array.ts";
import { dataViewOf } from "../../properties/byte-range.ts";
import { type ByteSource, bytesAt } from "./byte-source.ts";
import { type FileLayout, readId } from "./file-layout.ts";
import { type BlockEntry, type NodeEntry, readBlockEntry, readNodeEntry } from "./node-entry.ts";
import { isSignedForItsPlace, scanTrailers } from "./trailer-scan.ts";
import { BLOCK_TREE_PAGE, NODE_TREE_PAGE, readTreePage, type TreePage, type TreePageType } from "./tree-page.ts";

/** Bytes scanned at a time. */
const STEP_BYTES = 1 << 20;
/** Pages begin at multiples of 512 in every layout. */
const PAGE_STEP = 512;
/** Replaces the id of the page, and thus its age, for blocks known from their own trailer or from a damaged page. */
const AGE_OF_TRAILER = -1;
const AGE_OF_DAMAGED_PAGE = -2;

/** Every node and block found by a scan of the whole file, the newest of each id. */
export interface RecoveredIndex {
  node(nid: number): NodeEntry | null;
  block(bid: number): BlockEntry | null;
  nodes(): Iterable<NodeEntry>;
  /** By ascending id. */
  blocks(): Iterable<BlockEntry>;
}

/** Rows of numbers in one growing array: up to 20 million entries without an object each. */
class Rows {
  private values = new Float64Array(1024);
  private used = 0;

  constructor(private readonly width: number) {}

  get count(): number {
    return this.used / this.width;
  }

  push(row: readonly number[]): void {
    if (this.used + this.width > this.values.length) this.values = growArray(this.values);
    for (let i = 0; i < this.width; i++) this.values[this.used + i] = row[i]!;
    this.used += this.width;
  }

  at(row: number, column: number): number {
    return this.values[row * this.width + column]!;
  }

  /** Row numbers sorted by the first column; of equal ones, only the one with the largest second column. */
  newestByKey(): Uint32Array {
    const order = new Uint32Array(this.count);
    for (let i = 0; i < order.length; i++) order[i] = i;
    order.sort((a, b) => this.at(a, 0) - this.at(b, 0) || this.at(b, 1) - this.at(a, 1));
    let kept = 0;
    for (let i = 0; i < order.length; i++) {
      if (i > 0 && this.at(order[i]!, 0) === this.at(order[i - 1]!, 0)) continue;
      order[kept] = order[i]!;
      kept++;
    }
    return order.slice(0, kept);
  }
}

/**
 * Rebuilds both trees from the rest of the file: leaf pages wherever they are, and blocks by their trailers, accepted
 * with matching CRC and signature. Entries of a damaged page have the lowest precedence, and its nodes count only if
 * their data exists. Reads the file once; needs 48 bytes of memory per node or block found.
 */
export function scanStore(source: ByteSource, layout: FileLayout): RecoveredIndex {
  const nodes = new Rows(5);
  const blocks = new Rows(5);
  scanPages(source, layout, (page, { type, bid }) => {
    const age = page.isIntact ? bid : AGE_OF_DAMAGED_PAGE;
    const end = page.start + page.count * page.entrySize;
    for (let offset = page.start; offset < end; offset += page.entrySize) {
      if (type === NODE_TREE_PAGE) {
        const entry = readNodeEntry(page.data, offset, layout);
        nodes.push([entry.nid, age, entry.dataBid, entry.subnodeBid, entry.parentNid]);
      } else {
        const entry = readBlockEntry(page.data, offset, layout);
        if (entry.offset + entry.storedSize <= source.size)
          blocks.push([entry.bid, age, entry.offset, entry.storedSize, entry.size]);
      }
    }
  });
  // A block found by its trailer has a lower rank than a referenced one: its space may have been reused.
  scanTrailers(source, layout, isSignedForItsPlace, (entry) =>
    blocks.push([entry.bid, AGE_OF_TRAILER, entry.offset, entry.storedSize, entry.size]),
  );
  return indexOf(nodes, blocks);
}

function indexOf(nodes: Rows, blocks: Rows): RecoveredIndex {
  const blockOrder = blocks.newestByKey();
  const nodeOrder = nodes
    .newestByKey()
    .filter((row) => nodes.at(row, 1) !== AGE_OF_DAMAGED_PAGE || findRow(blocks, blockOrder, nodes.at(row, 2)) >= 0);
  const nodeAt = (row: number): NodeEntry => ({
    nid: nodes.at(row, 0),
    dataBid: nodes.at(row, 2),
    subnodeBid: nodes.at(row, 3),
    parentNid: nodes.at(row, 4),
  });
  const blockAt = (row: number): BlockEntry => ({
    bid: blocks.at(row, 0),
    offset: blocks.at(row, 2),
    storedSize: blocks.at(row, 3),
    size: blocks.at(row, 4),
  });
  return {
    node(nid) {
      const row = findRow(nodes, nodeOrder, nid);
      return row < 0 ? null : nodeAt(row);
    },
    block(bid) {
      const row = findRow(blocks, blockOrder, bid);
      return row < 0 ? null : blockAt(row);
    },
    *nodes() {
      for (const row of nodeOrder) yield nodeAt(row);
    },
    *blocks() {
      for (const row of blockOrder) yield blockAt(row);
    },
  };
}

function findRow(rows: Rows, order: Uint32Array, key: number): number {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows.at(order[middle]!, 0) < key) low = middle + 1;
    else high = middle;
  }
  return low < order.length && rows.at(order[low]!, 0) === key ? order[low]! : -1;
}

/** A possible page, by its trailer. */
interface PageCandidate {
  readonly offset: number;
  readonly type: TreePageType;
  /** Increases with every page written: of two copies, the larger is newer. */
  readonly bid: number;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the tests of a candidate, the cheapest first, at every place of a file
function scanPages(
  source: ByteSource,
  layout: FileLayout,
  found: (page: TreePage, candidate: PageCandidate) => void,
): void {
  const { page } = layout;
  for (let base = 0; base < source.size; base += STEP_BYTES) {
    const view = bytesAt(source, base, STEP_BYTES + page.size);
    const data = dataViewOf(view);
    const candidates: PageCandidate[] = [];
    for (let at = 0; at < STEP_BYTES && at + page.size <= view.length; at += PAGE_STEP) {
      const first = view[at + page.trailer]!;
      const second = view[at + page.trailer + 1]!;
      const type = first === NODE_TREE_PAGE || second === NODE_TREE_PAGE ? NODE_TREE_PAGE : BLOCK_TREE_PAGE;
      if (first !== type && second !== type) continue;
      candidates.push({ offset: base + at, type, bid: readId(data, at + page.trailer + page.bid, layout.idSize) });
    }
    for (const candidate of candidates) {
      const read = readTreePage(source, layout, { ...candidate, copyTo: null });
      if (read !== null && read.level === 0) found(read, candidate);
    }
  }
}
