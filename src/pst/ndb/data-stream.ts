import { type ByteRange, bufferOf, EMPTY_RANGE } from "../../properties/byte-range.ts";
import { isInternalBid, readId } from "./file-layout.ts";
import type { MemoryPart } from "./memory.ts";
import type { NodeDatabase } from "./node-database.ts";
import type { BlockEntry } from "./node-entry.ts";

/** Maximum blocks of one stream: 262,144 of 8 KB are 2 GB, Outlook's own limit. */
const MAX_STREAM_BLOCKS = 262_144;
/** Longest stream returned as one piece: the largest attachment that Outlook allows. */
const MAX_STREAM_BYTES = 2 ** 31 - 1;
/** `btype` of XBLOCK and XXBLOCK; their level is 1 or 2 and nothing else ([MS-PST] 2.2.2.8.3.2). */
const X_BLOCK = 1;
const X_BLOCK_HEADER = 8;

/** The data of a node: one block, or a tree of up to two levels over many. Blocks are read on access. */
export class DataStream {
  readonly bids: readonly number[];

  constructor(
    private readonly database: NodeDatabase,
    bid: number,
  ) {
    this.bids = bid === 0 ? [] : isInternalBid(bid) ? expand(database, bid) : [bid];
  }

  get blockCount(): number {
    return this.bids.length;
  }

  block(index: number): ByteRange | null {
    const bid = this.bids[index];
    return bid === undefined ? null : this.database.readBlock(bid);
  }

  /**
   * All bytes, valid until the next item starts; lost blocks become zeros, so that later bytes keep their offset.
   * Longer streams are truncated with a note.
   */
  range(): ByteRange {
    if (this.bids.length === 1) return this.block(0) ?? EMPTY_RANGE;
    const { database } = this;
    const entries: (BlockEntry | null)[] = [];
    let size = 0;
    for (const bid of this.bids) {
      const entry = database.entryOf(bid);
      entries.push(entry);
      size += database.sizeOf(entry);
    }
    if (size > MAX_STREAM_BYTES)
      database.log.note("limit-reached", `a value of ${size} bytes was truncated to ${MAX_STREAM_BYTES}`);
    if (size > database.log.remaining()) {
      database.log.spend(size);
      return EMPTY_RANGE;
    }
    const { bytes, data, start } = database.room(size + database.runSlack);
    let at = start;
    for (let index = 0; index < entries.length; ) {
      const run = database.runFrom(entries, index);
      // A run is read into its destination: decoding moves each block forward. Deflated blocks would overwrite the
      // next.
      const isFetched =
        run.end > index + 1 && !database.layout.compresses && database.fetchRun(run, { bytes, data, start: at });
      for (let stored = at; index < run.end; index++) {
        const entry = entries[index]!;
        const into = { bytes, data, start: at };
        at += this.place(entry, into, isFetched ? { bytes, data, start: stored } : null);
        if (entry !== null) stored += database.lengthInFile(entry);
      }
    }
    return { bytes, data, start, end: start + Math.min(size, MAX_STREAM_BYTES) };
  }

  /** The same as a buffer. */
  bytes(): Buffer {
    return bufferOf(this.range());
  }

  /** Reads one block to its destination; only gaps of lost blocks need zeros. @returns the length of its part */
  private place(entry: BlockEntry | null, into: MemoryPart, fetched: MemoryPart | null): number {
    const { database } = this;
    const size = database.sizeOf(entry);
    let written = -1;
    if (entry !== null)
      written = fetched === null ? database.readEntry(entry, into) : database.readFetched(entry, fetched, into);
    if (written < size) into.bytes.fill(0, into.start + Math.max(0, written), into.start + size);
    return size;
  }
}

/** Ids of the data blocks below an XBLOCK or XXBLOCK, left to right. */
function expand(database: NodeDatabase, root: number): number[] {
  const top = readXBlock(database, root);
  if (top === null) return [];
  if (top.level === 1) return top.bids;
  const bids: number[] = [];
  for (const bid of top.bids) {
    const below = isInternalBid(bid) ? readXBlock(database, bid) : null;
    if (below === null || below.level !== 1) {
      database.log.note("structure-damaged", "a block list is damaged");
      continue;
    }
    if (bids.length + below.bids.length > MAX_STREAM_BLOCKS) {
      database.log.note("limit-reached", `a value of more than ${MAX_STREAM_BLOCKS} blocks was truncated`);
      break;
    }
    for (const leaf of below.bids) bids.push(leaf);
  }
  return bids;
}

function readXBlock(database: NodeDatabase, bid: number): { readonly level: number; readonly bids: number[] } | null {
  const block = database.readBlock(bid);
  if (block === null) return null;
  const { bytes, data, start, end } = block;
  const { idSize } = database.layout;
  const length = end - start;
  const level = bytes[start + 1];
  if (length < X_BLOCK_HEADER || bytes[start] !== X_BLOCK || (level !== 1 && level !== 2)) {
    database.log.note("structure-damaged", "a block list is damaged");
    return null;
  }
  const count = Math.min(data.getUint16(start + 2, true), Math.floor((length - X_BLOCK_HEADER) / idSize));
  const bids: number[] = [];
  for (let index = 0; index < count; index++) bids.push(readId(data, start + X_BLOCK_HEADER + index * idSize, idSize));
  return { level, bids };
}
