import type { PstWriter, WrittenSubnode } from "./pst-writer.ts";

/** Largest allocation of a heap; larger values become subnodes ([MS-PST] 2.3.3.3). */
export const MAX_ALLOCATION = 3580;
const FIRST_HEADER = 12;
const PAGE_HEADER = 2;
const BITMAP_HEADER = 66;

/** Builds the heap of one node: allocations in blocks, each with its page map ([MS-PST] 2.3.1). */
export class HeapWriter {
  private readonly writer: PstWriter;
  private readonly blocks: Buffer[][] = [[]];
  private used = FIRST_HEADER;
  private readonly subnodes: WrittenSubnode[] = [];
  private nextValueIndex = 0x1000;

  constructor(writer: PstWriter) {
    this.writer = writer;
  }

  /** @returns the heap id. */
  allocate(bytes: Uint8Array): number {
    if (bytes.length > MAX_ALLOCATION) throw new Error(`allocation of ${bytes.length} bytes`);
    let block = this.blocks[this.blocks.length - 1]!;
    const padded = bytes.length + (bytes.length % 2);
    // Page map: 4 bytes, one slot per start, one for the end.
    if (this.used + padded + 4 + 2 * (block.length + 2) > this.writer.blockCapacity || block.length >= 500) {
      block = [];
      this.blocks.push(block);
      this.used = headerSize(this.blocks.length - 1);
    }
    block.push(Buffer.from(bytes));
    this.used += padded;
    const { heapIndexBits } = this.writer.layout;
    return (((this.blocks.length - 1) << (5 + heapIndexBits)) | (block.length << 5)) >>> 0;
  }

  /** A value of any size: in the heap, or in a separate subnode. @returns the HNID. */
  place(bytes: Uint8Array): number {
    if (bytes.length === 0) return 0;
    if (bytes.length <= MAX_ALLOCATION) return this.allocate(bytes);
    return this.placeSubnode(this.writer.addData(bytes));
  }

  placeSubnode(dataBid: number): number {
    const nid = ((this.nextValueIndex << 5) | 0x1f) >>> 0;
    this.nextValueIndex++;
    this.subnodes.push({ nid, dataBid, subnodeBid: 0 });
    return nid;
  }

  addSubnode(subnode: WrittenSubnode): void {
    this.subnodes.push(subnode);
  }

  /** A tree over sorted records ([MS-PST] 2.3.2). @returns the heap id of its header. */
  tree(records: readonly Buffer[], keySize: number): number {
    const dataSize = records.length === 0 ? 4 : records[0]!.length - keySize;
    let level = 0;
    let pages = this.treePages(records);
    while (pages.length > 1) {
      const inner = pages.map((page) => Buffer.concat([page.key.subarray(0, keySize), uint32(page.id)]));
      pages = this.treePages(inner);
      level++;
    }
    const header = Buffer.from([0xb5, keySize, dataSize, level, 0, 0, 0, 0]);
    header.writeUInt32LE(pages[0]?.id ?? 0, 4);
    return this.allocate(header);
  }

  /** Writes the blocks. @returns the node: its data and its subnodes. */
  finish(clientSignature: number, userRoot: number): { readonly dataBid: number; readonly subnodeBid: number } {
    const bids: number[] = [];
    let total = 0;
    for (const [index, items] of this.blocks.entries()) {
      const bytes = heapBlock(index, items);
      if (index === 0) {
        bytes[2] = 0xec;
        bytes[3] = clientSignature;
        bytes.writeUInt32LE(userRoot, 4);
      }
      total += bytes.length;
      bids.push(this.writer.addBlock(bytes));
    }
    return { dataBid: this.writer.addBlockList(bids, total), subnodeBid: this.writer.addSubnodes(this.subnodes) };
  }

  private treePages(records: readonly Buffer[]): { readonly key: Buffer; readonly id: number }[] {
    if (records.length === 0) return [];
    const capacity = Math.floor(MAX_ALLOCATION / records[0]!.length);
    const pages: { key: Buffer; id: number }[] = [];
    for (let at = 0; at < records.length; at += capacity) {
      const part = records.slice(at, at + capacity);
      pages.push({ key: part[0]!, id: this.allocate(Buffer.concat(part)) });
    }
    return pages;
  }
}

/** Every 128th block from the eighth on carries a bitmap of fill levels. */
function headerSize(index: number): number {
  if (index === 0) return FIRST_HEADER;
  return index >= 8 && (index - 8) % 128 === 0 ? BITMAP_HEADER : PAGE_HEADER;
}

function heapBlock(index: number, items: readonly Buffer[]): Buffer {
  const starts: number[] = [];
  let at = headerSize(index);
  for (const item of items) {
    starts.push(at);
    at += item.length;
  }
  const map = at + (at % 2);
  const bytes = Buffer.alloc(map + 4 + 2 * (items.length + 1));
  for (const [slot, item] of items.entries()) item.copy(bytes, starts[slot]!);
  bytes.writeUInt16LE(map, 0);
  bytes.writeUInt16LE(items.length, map);
  for (const [slot, start] of [...starts, at].entries()) bytes.writeUInt16LE(start, map + 4 + 2 * slot);
  return bytes;
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}
