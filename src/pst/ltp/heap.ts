import type { ByteRange } from "../../properties/byte-range.ts";
import type { DataStream } from "../ndb/data-stream.ts";
import type { NodeDatabase } from "../ndb/node-database.ts";

/** `bSig` of a heap ([MS-PST] 2.3.1.2). */
const HEAP_SIGNATURE = 0xec;
/** `bClientSig` of the heaps of nodes: a property context, a table. */
export const PROPERTY_CONTEXT = 0xbc;
export const TABLE_CONTEXT = 0x7c;
/** Low five bits of a heap id are 0; anything else is the id of a subnode ([MS-PST] 2.3.3.2). */
const TYPE_BITS = 5;
const MAP_HEADER = 4;
/** Header of the first block ([MS-PST] 2.3.1.2): its length, and in it `bSig`, `bClientSig` and `hidUserRoot`. */
const MIN_BYTES = 12;
const SIGNATURE_AT = 2;
const CLIENT_AT = 3;
const USER_ROOT_AT = 4;
/** Heap blocks cached at once: a property context of a message has one to three; a table index scans thousands. */
const KEPT_BLOCKS = 16;

/** True if a property is stored in the heap, false for a subnode. */
export function isHeapId(id: number): boolean {
  return (id & 0x1f) === 0;
}

/** True if a block begins like the heap of a node: signatures, and a page map within the block. */
export function isHeapStart(block: ByteRange): boolean {
  return isHeapOf(TABLE_CONTEXT, block) || isPropertyHeapStart(block);
}

/** True for the start of a heap with properties. */
export function isPropertyHeapStart(block: ByteRange): boolean {
  return isHeapOf(PROPERTY_CONTEXT, block);
}

function isHeapOf(clientSignature: number, { bytes, data, start, end }: ByteRange): boolean {
  if (
    end - start < MIN_BYTES ||
    bytes[start + SIGNATURE_AT] !== HEAP_SIGNATURE ||
    bytes[start + CLIENT_AT] !== clientSignature
  )
    return false;
  return data.getUint16(start, true) + MAP_HEADER <= end - start;
}

/** Small allocations in the data of a node ([MS-PST] 2.3.1). */
export class Heap {
  /** Type of the heap: 0xBC property context, 0x7C table, 0xB5 tree. */
  readonly clientSignature: number;
  readonly userRoot: number;
  /** Blocks after the first; nearly every heap has none. */
  private blocks: Map<number, ByteRange | null> | null = null;

  private constructor(
    private readonly database: NodeDatabase,
    private readonly stream: DataStream,
    private readonly first: ByteRange,
  ) {
    this.clientSignature = first.bytes[first.start + CLIENT_AT]!;
    this.userRoot = first.data.getUint32(first.start + USER_ROOT_AT, true);
  }

  /** Returns null if the data is not a heap. */
  static open(database: NodeDatabase, stream: DataStream): Heap | null {
    const first = stream.block(0);
    if (first === null) return null;
    if (first.end - first.start < MIN_BYTES || first.bytes[first.start + SIGNATURE_AT] !== HEAP_SIGNATURE) {
      database.log.note("structure-damaged", "a heap without its signature");
      return null;
    }
    return new Heap(database, stream, first);
  }

  /** The bytes of an allocation; null if there is none. Id 0 is the empty value. */
  item(id: number): ByteRange | null {
    if (id === 0) return null;
    const { heapIndexBits } = this.database.layout;
    const index = (id >>> TYPE_BITS) & ((1 << heapIndexBits) - 1);
    const block = this.block(id >>> (TYPE_BITS + heapIndexBits));
    if (block === null) return null;
    const item = allocation(block, index);
    if (item === null) this.database.log.note("structure-damaged", `heap item 0x${id.toString(16)} does not exist`);
    return item;
  }

  private block(index: number): ByteRange | null {
    if (index === 0) return this.first;
    return this.laterBlock(index);
  }

  private laterBlock(index: number): ByteRange | null {
    this.blocks ??= new Map();
    const known = this.blocks.get(index);
    if (known !== undefined) return known;
    if (index >= this.stream.blockCount) return null;
    if (this.blocks.size >= KEPT_BLOCKS) {
      const oldest = this.blocks.keys().next().value;
      if (oldest !== undefined) this.blocks.delete(oldest);
    }
    const block = this.stream.block(index);
    this.blocks.set(index, block);
    return block;
  }
}

/**
 * The page map at the end of a heap block lists where each allocation starts ([MS-PST] 2.3.1.5); the next start ends
 * it.
 */
function allocation({ bytes, data, start, end }: ByteRange, index: number): ByteRange | null {
  const length = end - start;
  if (length < 2 || index === 0) return null;
  const map = data.getUint16(start, true);
  if (map + MAP_HEADER > length) return null;
  const count = data.getUint16(start + map, true);
  const slot = map + MAP_HEADER + 2 * (index - 1);
  if (index > count || slot + 4 > length) return null;
  const from = data.getUint16(start + slot, true);
  const to = data.getUint16(start + slot + 2, true);
  return from <= to && to <= map && to <= length ? { bytes, data, start: start + from, end: start + to } : null;
}
