import { inflateSync } from "node:zlib";
import { type BlockEncoding, type DecodeTarget, decodeBlock } from "./block-encoding.ts";
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
/** Bytes fetched at once of a value whose blocks lie one after the other: they stay in the cache of the processor until they are decoded. */
const RUN_BYTES = 128 << 10;
/** Decoded blocks share pieces of memory of this size: a piece for each costs more than decoding a small block. */
const PIECE_BYTES = 64 << 10;

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
  private piece = Buffer.alloc(0);
  private pieceUsed = 0;

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
    const entry = this.entryOf(bid);
    if (entry === null) return null;
    const target = this.room(Math.min(entry.size, this.layout.block.maxInflated));
    const length = this.readEntry(entry, { target, offset: 0 });
    return length < 0 ? null : length === target.length ? target : target.subarray(0, length);
  }

  /** Memory for a block, on a boundary of 8 bytes: decoding goes word by word. */
  private room(size: number): Buffer {
    if (size > PIECE_BYTES / 4) return Buffer.allocUnsafeSlow(size);
    if (this.pieceUsed + size > this.piece.length) {
      this.piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
      this.pieceUsed = 0;
    }
    const start = this.pieceUsed;
    this.pieceUsed = Math.ceil((start + size) / 8) * 8;
    return this.piece.subarray(start, start + size);
  }

  /**
   * Has the file fetch the blocks from `first` on that lie one after the other.
   * @returns index of the first block that is not among them.
   */
  prepareRun(entries: readonly (BlockEntry | null)[], first: number): number {
    const start = entries[first]?.offset ?? 0;
    let end = start;
    let index = first;
    for (let entry = entries[index]; entry != null && entry.offset === end; entry = entries[index]) {
      const length = this.lengthInFile(entry);
      if (end + length - start > RUN_BYTES) break;
      end += length;
      index += 1;
    }
    if (index > first + 1) this.source.prepare?.(start, end - start);
    return Math.max(index, first + 1);
  }

  /** Bytes a block takes with its padding and trailer. */
  private lengthInFile(entry: BlockEntry): number {
    const { block } = this.layout;
    return Math.ceil((entry.storedSize + block.trailerSize) / block.alignment) * block.alignment;
  }

  /** The block of that id; its absence is noted. */
  entryOf(bid: number): BlockEntry | null {
    const entry = this.block(bid);
    if (entry === null) this.log.note("block-missing", `block ${hex(bid)} is not in the store`);
    return entry;
  }

  /**
   * Decodes a block into a buffer with room for `entry.size` bytes. When its tree entry leads astray, the scan may know another place.
   * @returns bytes written, -1 when the block is lost.
   */
  readEntry(entry: BlockEntry, into: DecodeTarget): number {
    const length = this.readStored(entry, into);
    if (length >= 0 || this.recovered === null) return length;
    const found = this.recovered.block(entry.bid);
    if (found === null || found.offset === entry.offset || found.size > into.target.length - into.offset) return -1;
    return this.readStored(found, into);
  }

  /**
   * A block is believed when either its CRC or the id in its trailer fits: one flipped bit then costs a character, not the
   * message; a block that was overwritten fails both.
   */
  private readStored(entry: BlockEntry, into: DecodeTarget): number {
    const { block, idSize } = this.layout;
    const { storedSize } = entry;
    if (storedSize > block.maxStored || entry.offset + storedSize > this.size) {
      this.log.note("block-damaged", `block ${hex(entry.bid)} lies outside the file`);
      return -1;
    }
    if (!this.log.spend(Math.max(storedSize, entry.size))) return -1;
    const length = this.lengthInFile(entry);
    const view = this.source.read(entry.offset, length);
    const stored = view.subarray(0, storedSize);
    const trailer = length - block.trailerSize;
    const hasTrailer = view.length === length;
    const crcFits = hasTrailer && pstCrc(stored) === view.readUInt32LE(trailer + block.crc);
    if (!crcFits) {
      const bidFits = hasTrailer && plainBid(readId(view, trailer + block.bid, idSize)) === entry.bid;
      this.log.note("block-damaged", `block ${hex(entry.bid)} at ${entry.offset} ${bidFits ? "does not fit its CRC" : "was overwritten"}`);
      if (!bidFits) return -1;
    }
    return this.decode(stored, entry, into);
  }

  private decode(stored: Buffer, entry: BlockEntry, into: DecodeTarget): number {
    const encoding = isInternalBid(entry.bid) ? "none" : this.encoding;
    const isDeflated = entry.size !== entry.storedSize && this.layout.compresses;
    const data = isDeflated ? this.inflate(stored, entry) : stored;
    if (data === null || data.length > into.target.length - into.offset) return -1;
    decodeBlock(data, { encoding, bid: entry.bid }, into);
    return data.length;
  }

  private inflate(stored: Buffer, entry: BlockEntry): Buffer | null {
    try {
      return inflateSync(stored, { maxOutputLength: Math.max(1, entry.size) });
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
