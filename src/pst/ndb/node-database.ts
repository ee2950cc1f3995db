import { ArchiveError } from "../../errors.ts";
import type { ByteRange } from "../../properties/byte-range.ts";
import { mapiCrc } from "../../properties/crc.ts";
import { acquireDecoder, releaseDecoder } from "./block-decoder.ts";
import type { BlockEncoding } from "./block-encoding.ts";
import { type ByteSource, bytesAt } from "./byte-source.ts";
import { DamageLog } from "./damage.ts";
import { type DisplacedBlocks, findDisplacedBlocks } from "./displaced-blocks.ts";
import type { FileHeader } from "./file-header.ts";
import { type FileLayout, isInternalBid, plainBid, pstSignature, readId } from "./file-layout.ts";
import { inflateBlock } from "./inflate-block.ts";
import { ItemMemory, type MemoryPart } from "./memory.ts";
import { type BlockEntry, type NodeEntry, nodeType, PARENT_AT, readBlockEntry, readNodeEntry } from "./node-entry.ts";
import { PageTree } from "./page-tree.ts";
import { type RecoveredIndex, scanStore } from "./recovery-scan.ts";
import { TableColumnLists } from "./table-columns.ts";
import { BLOCK_TREE_PAGE, NODE_TREE_PAGE } from "./tree-page.ts";

/** Factor for reading each block of an item twice (fingerprint and text); the rest is for shared blocks. */
const BUDGET_PER_FILE_BYTE = 4;
/** Maximum inflation: text deflates to about a fifth; a store with a higher ratio is a bomb. */
const MAX_INFLATION = 64;
const MIN_ITEM_BUDGET = 64 << 20;
/** Bytes read at once of a value with consecutive blocks, few enough to stay in the processor cache until decoded. */
const RUN_BYTES = 128 << 10;
/** Maximum blocks read at once, which limits the space for their trailers before decoding. */
const RUN_BLOCKS = 64;

/** Offset of the signature in a block trailer, in every layout ([MS-PST] 2.2.2.8.1). */
const SIGNATURE_AT = 2;

/** Blocks that are consecutive in the file and needed in that order. */
interface BlockRun {
  /** Index of the first block after them. */
  readonly end: number;
  readonly offset: number;
  readonly length: number;
}

/**
 * The lower layer of a store ([MS-PST] 2.2, NDB): nodes and blocks by id. Nothing here throws for damage: unreadable
 * data is null, and noted in the log. If pages of the trees are lost, the whole file is scanned once, and lookups fall
 * back on the result.
 */
export class NodeDatabase {
  readonly layout: FileLayout;
  readonly log: DamageLog;
  readonly size: number;
  /** From the header, unless that is impossible. */
  encoding: BlockEncoding;
  readonly tables = new TableColumnLists();
  private readonly nodeTree: PageTree;
  private readonly blockTree: PageTree;
  private recovered: RecoveredIndex | null = null;
  /** Found when a block is first known to be overwritten. */
  private displaced: DisplacedBlocks | null = null;
  private readonly decoder = acquireDecoder();
  private readonly memory = new ItemMemory(this.decoder.room);
  /** Number of items begun so far. */
  private items = 0;

  constructor(
    private readonly source: ByteSource,
    header: FileHeader,
  ) {
    this.size = source.size;
    this.layout = header.layout;
    this.encoding = header.encoding;
    const inflation = header.layout.compresses ? MAX_INFLATION : 1;
    this.log = new DamageLog(Math.max(MIN_ITEM_BUDGET, source.size * BUDGET_PER_FILE_BYTE * inflation));
    const file = { source, layout: header.layout, log: this.log };
    this.nodeTree = new PageTree(file, header.nodeTreeRoot, NODE_TREE_PAGE);
    this.blockTree = new PageTree(file, header.blockTreeRoot, BLOCK_TREE_PAGE);
  }

  /** True after a damaged tree page was found. */
  get isDamaged(): boolean {
    return this.nodeTree.isDamaged || this.blockTree.isDamaged;
  }

  /** True after a damaged page of the node tree was found: there may be objects without a node. */
  get hasLostNodes(): boolean {
    return this.nodeTree.isDamaged;
  }

  node(nid: number): NodeEntry | null {
    const leaf = this.nodeTree.find(nid);
    if (leaf !== null) {
      const entry = readNodeEntry(leaf.page.data, leaf.offset, this.layout);
      // In a damaged page, an entry is trusted if its target exists.
      if (leaf.page.isIntact || this.block(entry.dataBid) !== null) return entry;
    }
    return this.nodeTree.isDamaged || this.recovered !== null ? this.recover().node(nid) : null;
  }

  /** Nodes of one type (`NODE_TYPE`), or of all if it is null, in tree order, as far as pages are readable. */
  *nodes(type: number | null): Generator<NodeEntry> {
    const leaves = this.nodeTree.leafPages(this.nodeTree.room());
    for (let page = leaves.next(); page !== null; page = leaves.next()) {
      const { data, start, count, entrySize } = page;
      for (let at = start; at < start + count * entrySize; at += entrySize) {
        if (type === null || nodeType(data.getUint32(at, true)) === type) yield readNodeEntry(data, at, this.layout);
      }
    }
  }

  /**
   * Visits id and parent of all nodes of one type (`NODE_TYPE`) in tree order, as far as pages are readable. `visit`
   * must not read the store.
   */
  eachNode(type: number, visit: (nid: number, parentNid: number) => void): void {
    const parentAt = PARENT_AT * this.layout.idSize;
    const leaves = this.nodeTree.leafPages(null);
    for (let page = leaves.next(); page !== null; page = leaves.next()) {
      const { data, start, entrySize } = page;
      const end = start + page.count * entrySize;
      for (let at = start; at < end; at += entrySize) {
        const nid = data.getUint32(at, true);
        if (nodeType(nid) === type) visit(nid, data.getUint32(at + parentAt, true));
      }
    }
  }

  /** Number of blocks in the block tree. Reads all its pages, the only way to detect lost ones early (`isDamaged`). */
  countBlocks(): number {
    let count = 0;
    const leaves = this.blockTree.leafPages(null);
    for (let page = leaves.next(); page !== null; page = leaves.next()) count += page.count;
    return count;
  }

  /** Result of a scan of the whole file; done once. */
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
    if (leaf?.page.isIntact === true) return readBlockEntry(leaf.page.data, leaf.offset, this.layout);
    // The entries of a damaged page have the lowest priority: the trailer of the block, or another copy of the page, is
    // more reliable.
    if (!this.blockTree.isDamaged && this.recovered === null) return null;
    const found = this.recover().block(plain);
    return found === null ? null : this.asItsTrailerSays(found);
  }

  /**
   * A block is deflated exactly if its two sizes differ. If they differ in the entry of a damaged page, one of them may
   * be wrong; the trailer of the block repeats both.
   */
  private asItsTrailerSays(entry: BlockEntry): BlockEntry {
    const { block, idSize } = this.layout;
    if (block.inflatedSize === null || entry.size === entry.storedSize) return entry;
    const length = this.lengthInFile(entry);
    const { data, start, end } = this.source.view(entry.offset, length);
    const trailer = start + length - block.trailerSize;
    if (end - start !== length || plainBid(readId(data, trailer + block.bid, idSize)) !== entry.bid) return entry;
    const stated = {
      ...entry,
      storedSize: data.getUint16(trailer, true),
      size: data.getUint16(trailer + block.inflatedSize, true),
    };
    return this.lengthInFile(stated) === length ? stated : entry;
  }

  /** Begins an item: resets its budget and invalidates data read for earlier items. */
  startItem(): void {
    this.log.drain();
    this.memory.startItem();
    this.items++;
  }

  /** The store must not be read after this, and data read from it is invalid. Must not be called twice. */
  close(): void {
    this.items++;
    releaseDecoder(this.decoder);
  }

  /**
   * A deferred reader for the current item. Throws INTERNAL_ERROR after the item is done, because its memory is reused.
   */
  whileItem<T>(read: () => T): () => T {
    const item = this.items;
    return () => {
      if (item === this.items) return read();
      throw new ArchiveError("INTERNAL_ERROR", "attachment bytes were requested after the next item began");
    };
  }

  /** Memory for one value, valid until the next item starts. */
  room(size: number): MemoryPart {
    return this.memory.take(size);
  }

  /** Data of a block: decoded, inflated, and valid until the next item starts. Null if it is lost. */
  readBlock(bid: number): ByteRange | null {
    const entry = this.entryOf(bid);
    if (entry === null) return null;
    const room = this.room(this.sizeOf(entry));
    const length = this.readEntry(entry, room);
    return length < 0 ? null : { bytes: room.bytes, data: room.data, start: room.start, end: room.start + length };
  }

  /** True if the block exists and its CRC matches. Adds no note. */
  isIntact(bid: number): boolean {
    const entry = this.block(bid);
    if (entry === null) return false;
    const view = this.source.view(entry.offset, this.lengthInFile(entry));
    const trailer = this.trailerOf(entry, view);
    return trailer >= 0 && this.namesBlock(entry, view.data, trailer) && this.fitsCrc(entry, view, trailer);
  }

  /** Maximum bytes of a block's data; a tree entry with more is invalid. */
  sizeOf(entry: BlockEntry | null): number {
    const { block } = this.layout;
    return Math.min(entry?.size ?? block.maxStored, block.maxInflated);
  }

  /** The blocks from `first` on that can be read at once: at least the first. */
  runFrom(entries: readonly (BlockEntry | null)[], first: number): BlockRun {
    const offset = entries[first]?.offset ?? 0;
    let length = 0;
    let end = first;
    for (
      let entry = entries[end];
      entry != null && entry.offset === offset + length && end < first + RUN_BLOCKS;
      entry = entries[end]
    ) {
      const next = length + this.lengthInFile(entry);
      if (next > RUN_BYTES || entry.storedSize > this.layout.block.maxStored) break;
      length = next;
      end++;
    }
    return { end: Math.max(end, first + 1), offset, length };
  }

  /** Bytes of a run in addition to its data: trailers and padding, removed by decoding. */
  get runSlack(): number {
    const { block } = this.layout;
    return RUN_BLOCKS * (block.trailerSize + block.alignment);
  }

  /** Reads a run as stored. @returns false if the file ends first. */
  fetchRun(run: BlockRun, into: MemoryPart): boolean {
    return this.source.readInto(into.bytes, into.start, { position: run.offset, length: run.length }) === run.length;
  }

  /** Bytes of a block with its padding and trailer. */
  lengthInFile(entry: BlockEntry): number {
    const { block } = this.layout;
    return Math.ceil((entry.storedSize + block.trailerSize) / block.alignment) * block.alignment;
  }

  /** The block with that id; notes its absence. */
  entryOf(bid: number): BlockEntry | null {
    const entry = this.block(bid);
    if (entry === null) this.log.note("block-missing", `block ${hex(bid)} is not in the store`);
    return entry;
  }

  /**
   * Decodes a block into memory with space for `sizeOf(entry)` bytes.
   * @returns bytes written, -1 if the block is lost.
   */
  readEntry(entry: BlockEntry, into: MemoryPart): number {
    return this.orElsewhere(entry, into, this.readFromFile(entry, into));
  }

  /** The same for a block read together with its neighbors. `stored` may follow `into` in the same memory. */
  readFetched(entry: BlockEntry, stored: MemoryPart, into: MemoryPart): number {
    const isAllowed = this.log.spend(Math.max(entry.storedSize, entry.size));
    const { bytes, data, start } = stored;
    const view = { bytes, data, start, end: start + this.lengthInFile(entry) };
    return this.orElsewhere(entry, into, isAllowed ? this.decode(entry, view, into) : -1);
  }

  /** If the tree entry of a block is wrong, a scan may find it elsewhere. */
  private orElsewhere(entry: BlockEntry, into: MemoryPart, length: number): number {
    if (length >= 0) return length;
    const recovered = this.recovered?.block(entry.bid) ?? null;
    const isElsewhere = recovered !== null && recovered.offset !== entry.offset && recovered.size <= this.sizeOf(entry);
    const read = isElsewhere ? this.readFromFile(recovered, into) : -1;
    if (read >= 0) return read;
    const displaced = this.displacedBlock(entry);
    return displaced === null ? -1 : this.readFromFile(displaced, into);
  }

  /**
   * An intact copy of a block elsewhere. Not searched for if its own location is blank, because nothing displaced it.
   */
  private displacedBlock(entry: BlockEntry): BlockEntry | null {
    const { block } = this.layout;
    const bytes = bytesAt(this.source, entry.offset, Math.min(entry.storedSize, block.maxStored));
    if (bytes.every((byte) => byte === 0)) return null;
    this.displaced ??= findDisplacedBlocks(this.source, this.layout);
    const found = this.displaced.get(entry.bid);
    return found?.storedSize === entry.storedSize && found.size === entry.size ? found : null;
  }

  private readFromFile(entry: BlockEntry, into: MemoryPart): number {
    const { storedSize } = entry;
    if (storedSize > this.layout.block.maxStored || entry.offset + storedSize > this.size) {
      this.log.note("block-damaged", `block ${hex(entry.bid)} is outside the file`);
      return -1;
    }
    if (!this.log.spend(Math.max(storedSize, entry.size))) return -1;
    return this.decode(entry, this.source.view(entry.offset, this.lengthInFile(entry)), into);
  }

  private decode(entry: BlockEntry, view: ByteRange, into: MemoryPart): number {
    if (!this.isBelieved(entry, view)) return -1;
    const { bid, storedSize } = entry;
    const encoding = isInternalBid(bid) ? "none" : this.encoding;
    if (entry.size === storedSize || !this.layout.compresses) {
      this.decoder.decode(view, into, { encoding, bid, length: storedSize });
      return storedSize;
    }
    const inflated = inflateBlock(view.bytes.subarray(view.start, view.start + storedSize), this.sizeOf(entry));
    if (!inflated.isWhole) this.log.note("block-damaged", `block ${hex(bid)} cannot be fully decompressed`);
    inflated.bytes.copy(into.bytes, into.start);
    this.decoder.decode(into, into, { encoding, bid, length: inflated.bytes.length });
    return inflated.bytes.length;
  }

  /**
   * Accepts a block if the id or the signature in its trailer matches, whatever its CRC: one flipped bit then costs a
   * character, not the message. An overwritten block fails both, even if it matches the CRC that follows, which belongs
   * to another block of its size.
   */
  private isBelieved(entry: BlockEntry, view: ByteRange): boolean {
    const trailer = this.trailerOf(entry, view);
    const isOurs = trailer >= 0 && this.namesBlock(entry, view.data, trailer);
    if (isOurs && this.fitsCrc(entry, view, trailer)) return true;
    const fault = isOurs ? "does not match its CRC" : "was overwritten";
    this.log.note("block-damaged", `block ${hex(entry.bid)} at ${entry.offset} ${fault}`);
    return isOurs;
  }

  /** Offset of the trailer in the memory of a view; -1 if the file ends before it. */
  private trailerOf(entry: BlockEntry, view: ByteRange): number {
    const length = this.lengthInFile(entry);
    return view.end - view.start === length ? view.end - this.layout.block.trailerSize : -1;
  }

  private namesBlock(entry: BlockEntry, data: DataView, trailer: number): boolean {
    const bid = readId(data, trailer + this.layout.block.bid, this.layout.idSize);
    return (
      plainBid(bid) === entry.bid ||
      data.getUint16(trailer + SIGNATURE_AT, true) === pstSignature(entry.offset, entry.bid)
    );
  }

  private fitsCrc(entry: BlockEntry, { bytes, data, start }: ByteRange, trailer: number): boolean {
    const crc = data.getUint32(trailer + this.layout.block.crc, true);
    return mapiCrc(bytes.subarray(start, start + entry.storedSize)) === crc;
  }
}

/** Nodes of the tree, then nodes found by a scan if the tree is damaged. */
export function* allNodes(database: NodeDatabase, type: number | null): Generator<NodeEntry> {
  yield* database.nodes(type);
  yield* scannedNodes(database, type);
}

/** Nodes found by a scan of the file if the tree is damaged; otherwise none. */
export function* scannedNodes(database: NodeDatabase, type: number | null): Generator<NodeEntry> {
  if (!database.isDamaged) return;
  for (const node of database.recover().nodes()) if (type === null || nodeType(node.nid) === type) yield node;
}

function hex(id: number): string {
  return `0x${id.toString(16)}`;
}
