import type { Heap } from "./heap.ts";
import { readHeapTree } from "./heap-tree.ts";
import { uint16At, uint32At } from "./little-endian.ts";

/** Key 2, type 2, value or place of it 4 bytes ([MS-PST] 2.3.3.3). */
const RECORD_SIZE = 8;
const TYPE_AT = 2;
const VALUE_AT = 4;
/** Named properties are numbered in 15 bits: more cannot be told apart. */
const MAX_PROPERTIES = 65_536;

/** The records of a property context, by property id. They are searched where they lie: most objects are asked for a few of theirs. */
export class PropertyRecords {
  /** Records of rising id, each id once. */
  private readonly bytes: Buffer;
  private readonly count: number;
  /** What was asked for last: type and value of a property are asked for one after the other. */
  private lastId = -1;
  private lastAt = -1;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.count = Math.floor(bytes.length / RECORD_SIZE);
  }

  typeOf(id: number): number | null {
    const at = this.find(id);
    return at < 0 ? null : uint16At(this.bytes, at + TYPE_AT);
  }

  /** The four bytes of value, or of its place, as a number; 0 when there is no such property. */
  valueOf(id: number): number {
    const at = this.find(id);
    return at < 0 ? 0 : uint32At(this.bytes, at + VALUE_AT);
  }

  /** A value of up to four bytes that is kept in its record; empty when there is no such property. */
  valueBytes(id: number, size: number): Buffer {
    const at = this.find(id);
    return at < 0 ? Buffer.alloc(0) : this.bytes.subarray(at + VALUE_AT, at + VALUE_AT + size);
  }

  *ids(): Generator<number> {
    for (let index = 0; index < this.count; index += 1) yield uint16At(this.bytes, index * RECORD_SIZE);
  }

  /** Offset of the record; -1 when there is none. */
  private find(id: number): number {
    if (id === this.lastId) return this.lastAt;
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (uint16At(this.bytes, middle * RECORD_SIZE) < id) low = middle + 1;
      else high = middle;
    }
    const at = low * RECORD_SIZE;
    this.lastId = id;
    this.lastAt = low < this.count && uint16At(this.bytes, at) === id ? at : -1;
    return this.lastAt;
  }
}

/** Reads the records of a heap that holds a property context. */
export function readPropertyRecords(heap: Heap): PropertyRecords {
  const leaves: Buffer[] = [];
  for (const leaf of readHeapTree(heap, heap.userRoot)) {
    if (leaf.keySize === 2 && leaf.recordSize === RECORD_SIZE) leaves.push(leaf.bytes.subarray(0, leaf.count * RECORD_SIZE));
  }
  const [only] = leaves;
  const bytes = leaves.length === 1 && only !== undefined ? only : Buffer.concat(leaves);
  return new PropertyRecords(isRising(bytes) ? bytes : inOrder(bytes));
}

function isRising(bytes: Buffer): boolean {
  for (let at = RECORD_SIZE; at < bytes.length; at += RECORD_SIZE) {
    if (uint16At(bytes, at) <= uint16At(bytes, at - RECORD_SIZE)) return false;
  }
  return true;
}

/** Damaged or odd stores: records by rising id, of several with one id the last. */
function inOrder(bytes: Buffer): Buffer {
  const places = new Map<number, number>();
  for (let at = 0; at < bytes.length && places.size < MAX_PROPERTIES; at += RECORD_SIZE) places.set(uint16At(bytes, at), at);
  const sorted = [...places].sort(([a], [b]) => a - b);
  return Buffer.concat(sorted.map(([, at]) => bytes.subarray(at, at + RECORD_SIZE)));
}
