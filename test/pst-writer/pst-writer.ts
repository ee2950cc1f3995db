import { deflateSync } from "node:zlib";
import { mapiCrc } from "../../src/properties/crc.ts";
import { type BlockEncoding, encodeBlock } from "../../src/pst/ndb/block-encoding.ts";
import {
  ANSI,
  type FileLayout,
  isInternalBid,
  pstSignature,
  UNICODE,
  UNICODE_4K,
} from "../../src/pst/ndb/file-layout.ts";

/** Destination of the bytes: a file for large stores, memory for small ones. Writes may come in any order. */
export interface StoreSink {
  write(bytes: Uint8Array, position: number): void;
}

export interface StoreFormat {
  readonly layout: "ansi" | "unicode" | "unicode-4k";
  readonly encoding: BlockEncoding;
}

const LAYOUTS: Readonly<Record<StoreFormat["layout"], FileLayout>> = {
  ansi: ANSI,
  unicode: UNICODE,
  "unicode-4k": UNICODE_4K,
};
const VERSIONS: Readonly<Record<StoreFormat["layout"], number>> = { ansi: 15, unicode: 23, "unicode-4k": 36 };
const FIRST_ALLOCATION_MAP = 0x4400;
/** Bytes between allocation maps, and bytes left free at each for the maps of all kinds ([MS-PST] 2.2.2.7.2). */
const MAP_INTERVAL = 253_952;
const MAP_ROOM = 2048;

export interface WrittenSubnode {
  readonly nid: number;
  readonly dataBid: number;
  readonly subnodeBid: number;
}

interface WrittenPage {
  readonly bid: number;
  readonly offset: number;
}

/**
 * Writes the lower layer of a store from [MS-PST], for tests: blocks in the order given, the two trees at the end and
 * at each commit, the header last. Readers accept it, Outlook does not, because allocation maps are missing. Memory
 * holds one entry per block.
 */
export class PstWriter {
  readonly layout: FileLayout;
  private readonly encoding: BlockEncoding;
  private readonly sink: StoreSink;
  private readonly version: number;
  private position = FIRST_ALLOCATION_MAP + MAP_ROOM;
  private nextMap = FIRST_ALLOCATION_MAP + MAP_INTERVAL;
  private nextBid = 4;
  private nextPageBid = 5;
  private readonly blocks: { bid: number; offset: number; stored: number; size: number }[] = [];
  private nodes: (WrittenSubnode & { readonly parentNid: number })[] = [];
  /** Pages of the trees by content, after the store was committed. */
  private readonly pages = new Map<string, WrittenPage>();
  private isCommitted = false;

  constructor(sink: StoreSink, format: StoreFormat) {
    this.sink = sink;
    this.layout = LAYOUTS[format.layout];
    this.encoding = format.encoding;
    this.version = VERSIONS[format.layout];
  }

  /** Size of a data block in bytes. */
  get blockCapacity(): number {
    return this.layout.block.maxStored;
  }

  addBlock(data: Uint8Array): number {
    return this.writeBlock(data, false);
  }

  /** Data of any length: one block, or a tree over many. */
  addData(data: Uint8Array): number {
    const bids: number[] = [];
    for (let at = 0; at < data.length || at === 0; at += this.blockCapacity)
      bids.push(this.addBlock(data.subarray(at, at + this.blockCapacity)));
    return this.addBlockList(bids, data.length);
  }

  /** A tree over blocks already written, or the block itself if there is only one. */
  addBlockList(bids: readonly number[], totalBytes: number): number {
    if (bids.length === 1) return bids[0]!;
    const { idSize } = this.layout;
    const capacity = Math.floor((this.blockCapacity - 8) / idSize);
    const lists: number[] = [];
    for (let at = 0; at < bids.length; at += capacity)
      lists.push(this.writeXBlock(1, bids.slice(at, at + capacity), totalBytes));
    return lists.length === 1 ? lists[0]! : this.writeXBlock(2, lists, totalBytes);
  }

  /** 0 if there are none. */
  addSubnodes(subnodes: readonly WrittenSubnode[]): number {
    if (subnodes.length === 0) return 0;
    const sorted = [...subnodes].sort((a, b) => a.nid - b.nid);
    const { idSize } = this.layout;
    const capacity = Math.floor((this.blockCapacity - 8) / (3 * idSize));
    const leaves: { nid: number; bid: number }[] = [];
    for (let at = 0; at < sorted.length; at += capacity) {
      const part = sorted.slice(at, at + capacity);
      const ids = part.flatMap((subnode) => [subnode.nid, subnode.dataBid, subnode.subnodeBid]);
      leaves.push({ nid: part[0]!.nid, bid: this.writeSubnodeBlock(0, part.length, ids) });
    }
    if (leaves.length === 1) return leaves[0]!.bid;
    return this.writeSubnodeBlock(
      1,
      leaves.length,
      leaves.flatMap((leaf) => [leaf.nid, leaf.bid]),
    );
  }

  /** A node that is written again replaces the earlier one. */
  addNode(node: WrittenSubnode, parentNid: number): void {
    this.nodes.push({ ...node, parentNid });
  }

  /**
   * Writes the current trees, as Outlook does from time to time. Unchanged pages stay where they are among the blocks;
   * earlier versions of changed pages remain in the file.
   */
  commit(): void {
    this.isCommitted = true;
    this.writeTrees();
  }

  /** Writes trees and header. @returns length of the store in bytes. */
  finish(): number {
    const { nodeRoot, blockRoot } = this.writeTrees();
    this.writeHeader(nodeRoot, blockRoot);
    return this.position;
  }

  private writeTrees(): { readonly nodeRoot: WrittenPage; readonly blockRoot: WrittenPage } {
    const { idSize } = this.layout;
    this.nodes = [...new Map(this.nodes.map((node) => [node.nid, node])).values()].sort((a, b) => a.nid - b.nid);
    const nodeRoot = this.writeTree(
      0x81,
      4 * idSize,
      this.nodes.map((node) => [node.nid, node.dataBid, node.subnodeBid, node.parentNid]),
    );
    // Writing the tree adds pages, not blocks: the list is complete.
    this.blocks.sort((a, b) => a.bid - b.bid);
    const blockRoot = this.writeTree(
      0x80,
      this.layout.compresses ? 24 : 2 * idSize + (idSize === 8 ? 8 : 4),
      this.blocks.map((block) => [block.bid, block.offset, block.stored, block.size]),
    );
    return { nodeRoot, blockRoot };
  }

  private writeXBlock(level: number, bids: readonly number[], totalBytes: number): number {
    const { idSize } = this.layout;
    const bytes = Buffer.alloc(8 + bids.length * idSize);
    bytes[0] = 1;
    bytes[1] = level;
    bytes.writeUInt16LE(bids.length, 2);
    bytes.writeUInt32LE(totalBytes >>> 0, 4);
    for (const [index, bid] of bids.entries()) this.writeId(bytes, bid, 8 + index * idSize);
    return this.writeBlock(bytes, true);
  }

  private writeSubnodeBlock(level: number, count: number, ids: readonly number[]): number {
    const { idSize } = this.layout;
    const start = idSize === 8 ? 8 : 4;
    const bytes = Buffer.alloc(start + ids.length * idSize);
    bytes[0] = 2;
    bytes[1] = level;
    bytes.writeUInt16LE(count, 2);
    for (const [index, id] of ids.entries()) this.writeId(bytes, id, start + index * idSize);
    return this.writeBlock(bytes, true);
  }

  private writeId(bytes: Buffer, id: number, offset: number): void {
    bytes.writeUInt32LE(id % 0x1_0000_0000, offset);
    if (this.layout.idSize === 8) bytes.writeUInt32LE(Math.floor(id / 0x1_0000_0000), offset + 4);
  }

  private writeBlock(data: Uint8Array, isInternal: boolean): number {
    const bid = this.nextBid + (isInternal ? 2 : 0);
    this.nextBid += 4;
    const { block } = this.layout;
    let stored = Buffer.from(data);
    if (!isInternalBid(bid)) encodeBlock(stored, this.encoding, bid);
    const size = stored.length;
    if (this.layout.compresses && size > 256) {
      const deflated = deflateSync(stored);
      if (deflated.length < size) stored = deflated;
    }
    const length = Math.ceil((stored.length + block.trailerSize) / block.alignment) * block.alignment;
    const offset = this.allocate(length, block.alignment);
    const bytes = Buffer.alloc(length);
    stored.copy(bytes);
    const trailer = length - block.trailerSize;
    bytes.writeUInt16LE(stored.length, trailer);
    bytes.writeUInt16LE(pstSignature(offset, bid), trailer + 2);
    bytes.writeUInt32LE(mapiCrc(stored), trailer + block.crc);
    this.writeId(bytes, bid, trailer + block.bid);
    if (block.inflatedSize !== null) {
      // The reference count of the block tree precedes the size, as in stores of Outlook 2013.
      bytes.writeUInt16LE(2, trailer + block.inflatedSize - 2);
      bytes.writeUInt16LE(size, trailer + block.inflatedSize);
    }
    this.sink.write(bytes, offset);
    this.blocks.push({ bid, offset, stored: stored.length, size });
    return bid;
  }

  private allocate(length: number, alignment: number): number {
    let offset = Math.ceil(this.position / alignment) * alignment;
    while (offset + length > this.nextMap) {
      offset = Math.ceil((this.nextMap + MAP_ROOM) / alignment) * alignment;
      this.nextMap += MAP_INTERVAL;
    }
    this.position = offset + length;
    return offset;
  }

  /** Bottom-up: leaves of full pages, then levels over them until one page remains. */
  private writeTree(type: number, entrySize: number, entries: readonly (readonly number[])[]): WrittenPage {
    const { page, idSize } = this.layout;
    let level = 0;
    let rows = entries;
    let size = entrySize;
    for (;;) {
      const capacity = Math.min(Math.floor(page.entriesEnd / size), 200);
      const above: number[][] = [];
      for (let at = 0; at < rows.length || at === 0; at += capacity) {
        const part = rows.slice(at, at + capacity);
        const written = this.writePage({ type, level, entrySize: size }, part);
        above.push([part[0]?.[0] ?? 0, written.bid, written.offset]);
      }
      if (above.length === 1) return { bid: above[0]![1]!, offset: above[0]![2]! };
      rows = above;
      size = 3 * idSize;
      level++;
    }
  }

  private writePage(
    shape: { readonly type: number; readonly level: number; readonly entrySize: number },
    rows: readonly (readonly number[])[],
  ): WrittenPage {
    const { page, idSize } = this.layout;
    const bytes = Buffer.alloc(page.size);
    for (const [index, row] of rows.entries()) {
      const at = index * shape.entrySize;
      const isBlockLeaf = shape.type === 0x80 && shape.level === 0;
      const ids = isBlockLeaf ? row.slice(0, 2) : row;
      for (const [column, id] of ids.entries()) this.writeId(bytes, id, at + column * idSize);
      if (!isBlockLeaf) continue;
      bytes.writeUInt16LE(row[2]!, at + 2 * idSize);
      if (this.layout.compresses) bytes.writeUInt16LE(row[3]!, at + 2 * idSize + 2);
      // Reference count: one for the tree, one for the user of the block.
      bytes.writeUInt16LE(2, at + 2 * idSize + (this.layout.compresses ? 4 : 2));
    }
    if (page.countSize === 2) bytes.writeUInt16LE(rows.length, page.count);
    else bytes[page.count] = rows.length;
    if (page.countSize === 2) bytes.writeUInt16LE(Math.floor(page.entriesEnd / shape.entrySize), page.count + 2);
    else bytes[page.count + 1] = Math.floor(page.entriesEnd / shape.entrySize);
    bytes[page.entrySize] = shape.entrySize;
    bytes[page.level] = shape.level;
    const contents = this.isCommitted ? `${shape.type} ${bytes.toString("latin1")}` : null;
    const known = contents === null ? undefined : this.pages.get(contents);
    if (known !== undefined) return known;
    const offset = this.allocate(page.size, page.size);
    const bid = this.nextPageBid;
    this.nextPageBid += 4;
    bytes[page.trailer] = shape.type;
    bytes[page.trailer + 1] = shape.type;
    bytes.writeUInt16LE(pstSignature(offset, bid), page.trailer + 2);
    bytes.writeUInt32LE(mapiCrc(bytes.subarray(0, page.trailer)), page.trailer + page.crc);
    this.writeId(bytes, bid, page.trailer + page.bid);
    if (this.layout.compresses) bytes.writeUInt32LE(1, page.trailer + page.bid + idSize);
    this.sink.write(bytes, offset);
    if (contents !== null) this.pages.set(contents, { bid, offset });
    return { bid, offset };
  }

  private writeHeader(nodeRoot: WrittenPage, blockRoot: WrittenPage): void {
    const { header, idSize } = this.layout;
    const bytes = Buffer.alloc(FIRST_ALLOCATION_MAP);
    bytes.write("!BDN", 0, "latin1");
    bytes.write("SM", 8, "latin1");
    bytes.writeUInt16LE(this.version, 10);
    bytes.writeUInt16LE(19, 12);
    bytes[14] = 1;
    bytes[15] = 1;
    this.writeId(bytes, this.position, header.fileEnd);
    this.writeId(bytes, nodeRoot.bid, header.nodeTree - idSize);
    this.writeId(bytes, nodeRoot.offset, header.nodeTree);
    this.writeId(bytes, blockRoot.bid, header.blockTree - idSize);
    this.writeId(bytes, blockRoot.offset, header.blockTree);
    bytes[header.blockTree + idSize] = 2;
    bytes[header.encoding - 1] = 0x80;
    bytes[header.encoding] = { none: 0, permute: 1, cyclic: 2 }[this.encoding];
    bytes.writeUInt32LE(mapiCrc(bytes.subarray(8, 479)), 4);
    if (idSize === 8) bytes.writeUInt32LE(mapiCrc(bytes.subarray(8, 524)), 524);
    this.sink.write(bytes, 0);
  }
}

/** Stores a small store in memory. */
export class MemorySink implements StoreSink {
  private bytes = Buffer.alloc(1 << 16);
  private length = 0;

  write(bytes: Uint8Array, position: number): void {
    const end = position + bytes.length;
    if (end > this.bytes.length) {
      const grown = Buffer.alloc(Math.max(end, this.bytes.length * 2));
      this.bytes.copy(grown);
      this.bytes = grown;
    }
    this.bytes.set(bytes, position);
    this.length = Math.max(this.length, end);
  }

  contents(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}
