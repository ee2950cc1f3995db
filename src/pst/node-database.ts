import { inflateSync } from "node:zlib";
import { type BlockEncoding, decodeBlock } from "./block-encoding.ts";
import type { ByteSource } from "./byte-source.ts";
import { pstCrc } from "./checksum.ts";
import { DamageLog } from "./damage.ts";
import type { FileHeader } from "./file-header.ts";
import { type FileLayout, isInternalBid, plainBid, readId } from "./file-layout.ts";
import { type BlockEntry, type NodeEntry, readBlockEntry, readNodeEntry } from "./node-entry.ts";
import { PageTree } from "./page-tree.ts";
import { type RecoveredIndex, scanStore } from "./recovery-scan.ts";
import { BLOCK_TREE_PAGE, NODE_TREE_PAGE } from "./tree-page.ts";

/** An item reads each of its blocks twice at most (fingerprint and text); the rest is room for blocks that items share. */
const BUDGET_PER_FILE_BYTE = 4;
/** Text deflates to a fifth or so; a store that claims more of itself than this is a bomb. */
const MAX_INFLATION = 64;
const MIN_ITEM_BUDGET = 64 << 20;

/**
 * The lower layer of a store ([MS-PST] 2.2, NDB): nodes and blocks by id. Nothing here throws for damage: what cannot be read
 * is null, and noted in the log. When pages of the trees are lost, the whole file is scanned once and lookups fall back on that.
 */
export class NodeDatabase {
  readonly layout: FileLayout;
  readonly log: DamageLog;
  readonly size: number;
  private readonly source: ByteSource;
  private readonly encoding: BlockEncoding;
  private readonly nodeTree: PageTree;
  private readonly blockTree: PageTree;
  private recovered: RecoveredIndex | null = null;

  constructor(source: ByteSource, header: FileHeader) {
    this.source = source;
    this.size = source.size;
    this.layout = header.layout;
    this.encoding = header.encoding;
    const inflation = header.layout.compresses ? MAX_INFLATION : 1;
    this.log = new DamageLog(Math.max(MIN_ITEM_BUDGET, source.size * BUDGET_PER_FILE_BYTE * inflation));
    const file = { source, layout: header.layout, log: this.log };
    this.nodeTree = new PageTree(file, header.nodeTreeRoot, NODE_TREE_PAGE);
    this.blockTree = new PageTree(file, header.blockTreeRoot, BLOCK_TREE_PAGE);
  }

  /** True once a tree page was found bad. */
  get isDamaged(): boolean {
    return this.nodeTree.isDamaged || this.blockTree.isDamaged;
  }

  node(nid: number): NodeEntry | null {
    const leaf = this.nodeTree.find(nid);
    if (leaf !== null) return readNodeEntry(leaf.page.bytes, leaf.offset, this.layout);
    return this.nodeTree.isDamaged || this.recovered !== null ? this.recover().node(nid) : null;
  }

  /** Nodes in the order of the tree, as far as its pages can be read. */
  *nodes(): Generator<NodeEntry> {
    for (const page of this.nodeTree.leafPages()) {
      for (let index = 0; index < page.count; index++) yield readNodeEntry(page.bytes, index * page.entrySize, this.layout);
    }
  }

  /** Blocks of the block tree. Reads all its pages, which is the only way to know early whether one is lost (`isDamaged`). */
  countBlocks(): number {
    let count = 0;
    for (const page of this.blockTree.leafPages()) count += page.count;
    return count;
  }

  /** What a scan of the whole file finds; done once. */
  recover(): RecoveredIndex {
    if (this.recovered === null) {
      this.recovered = scanStore(this.source, this.layout);
      this.log.note("tree-rebuilt", "the trees of the store are damaged; its pages and blocks were found by scanning");
    }
    return this.recovered;
  }

  block(bid: number): BlockEntry | null {
    const plain = plainBid(bid);
    if (plain === 0) return null;
    const leaf = this.blockTree.find(plain) ?? this.blockTree.find(plain + 1);
    if (leaf !== null) return readBlockEntry(leaf.page.bytes, leaf.offset, this.layout);
    return this.blockTree.isDamaged || this.recovered !== null ? this.recover().block(plain) : null;
  }

  /** Data of a block: decoded, inflated, and the caller's own. Null when it is lost. */
  readBlock(bid: number): Buffer | null {
    const entry = this.block(bid);
    if (entry === null) {
      this.log.note("block-missing", `block ${hex(bid)} is not in the store`);
      return null;
    }
    const stored = this.readStored(entry);
    if (stored !== null || this.recovered === null) return stored;
    const found = this.recovered.block(entry.bid);
    return found === null || found.offset === entry.offset ? null : this.readStored(found);
  }

  /**
   * A block is believed when either its CRC or the id in its trailer fits: one flipped bit then costs a character, not the
   * message; a block that was overwritten fails both.
   */
  private readStored(entry: BlockEntry): Buffer | null {
    const { block, idSize } = this.layout;
    const { storedSize } = entry;
    if (storedSize > block.maxStored || entry.offset + storedSize > this.size) {
      this.log.note("block-damaged", `block ${hex(entry.bid)} lies outside the file`);
      return null;
    }
    if (!this.log.spend(Math.max(storedSize, entry.size))) return null;
    const length = Math.ceil((storedSize + block.trailerSize) / block.alignment) * block.alignment;
    const view = this.source.read(entry.offset, length);
    const stored = view.subarray(0, storedSize);
    const trailer = length - block.trailerSize;
    const hasTrailer = view.length === length;
    const crcFits = hasTrailer && pstCrc(stored) === view.readUInt32LE(trailer + block.crc);
    if (!crcFits) {
      const bidFits = hasTrailer && plainBid(readId(view, trailer + block.bid, idSize)) === entry.bid;
      this.log.note("block-damaged", `block ${hex(entry.bid)} at ${entry.offset} ${bidFits ? "does not fit its CRC" : "was overwritten"}`);
      if (!bidFits) return null;
    }
    return this.decode(Buffer.from(stored), entry);
  }

  private decode(stored: Buffer, entry: BlockEntry): Buffer | null {
    if (entry.size !== entry.storedSize && this.layout.compresses) return this.inflate(stored, entry);
    if (!isInternalBid(entry.bid)) decodeBlock(stored, this.encoding, entry.bid);
    return stored;
  }

  private inflate(stored: Buffer, entry: BlockEntry): Buffer | null {
    try {
      const inflated = inflateSync(stored, { maxOutputLength: Math.max(1, entry.size) });
      if (!isInternalBid(entry.bid)) decodeBlock(inflated, this.encoding, entry.bid);
      return inflated;
    } catch {
      // zlib throws for damaged data and for more output than the tree declared: both lose this block and no other.
      this.log.note("block-damaged", `block ${hex(entry.bid)} cannot be inflated`);
      return null;
    }
  }
}

function hex(id: number): string {
  return `0x${id.toString(16)}`;
}
