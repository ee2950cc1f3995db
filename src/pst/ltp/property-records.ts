import { type ByteRange, bufferOf, EMPTY_RANGE, fullRange } from "../../properties/byte-range.ts";
import type { Heap } from "./heap.ts";
import { HeapLeaves } from "./heap-tree.ts";

/** Key (2 bytes), type (2), value or its location (4) ([MS-PST] 2.3.3.3). */
const RECORD_SIZE = 8;
const KEY_SIZE = 2;
const TYPE_AT = 2;
const VALUE_AT = 4;
/** Limit of properties: named properties have 15-bit numbers. */
const MAX_PROPERTIES = 65_536;

/** The records of a property context, by property id. Searched in place, because most callers read only a few. */
export class PropertyRecords {
  /** True if the records have ascending, unique ids. */
  private readonly bytes: Buffer;
  private readonly data: DataView;
  private readonly start: number;
  private readonly count: number;
  /** Cache of the last lookup: type and value of a property are read one after the other. */
  private lastId = -1;
  private lastAt = -1;

  constructor({ bytes, data, start, end }: ByteRange) {
    this.bytes = bytes;
    this.data = data;
    this.start = start;
    this.count = Math.floor((end - start) / RECORD_SIZE);
  }

  /** Position of the record of that property; -1 if there is none. */
  find(id: number): number {
    if (id === this.lastId) return this.lastAt;
    const { data, start } = this;
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (data.getUint16(start + middle * RECORD_SIZE, true) < id) low = middle + 1;
      else high = middle;
    }
    const at = start + low * RECORD_SIZE;
    this.lastId = id;
    this.lastAt = low < this.count && data.getUint16(at, true) === id ? at : -1;
    return this.lastAt;
  }

  /** Type of the property whose record is at that offset. */
  typeAt(at: number): number {
    return this.data.getUint16(at + TYPE_AT, true);
  }

  /** The four bytes of its value, or of the location of the value, as a number. */
  valueAt(at: number): number {
    return this.data.getUint32(at + VALUE_AT, true);
  }

  /** A value of up to four bytes, which is stored in its record. */
  rangeAt(at: number, size: number): ByteRange {
    return { bytes: this.bytes, data: this.data, start: at + VALUE_AT, end: at + VALUE_AT + size };
  }

  ids(): readonly number[] {
    const ids: number[] = [];
    for (let index = 0; index < this.count; index++)
      ids.push(this.data.getUint16(this.start + index * RECORD_SIZE, true));
    return ids;
  }
}

/** Reads the records of a property context heap. */
export function readPropertyRecords(heap: Heap): PropertyRecords {
  const leaves = new HeapLeaves(heap, heap.userRoot);
  const isKnown = leaves.keySize === KEY_SIZE && leaves.recordSize === RECORD_SIZE;
  const first = isKnown ? leaves.next() : null;
  if (first === null) return new PropertyRecords(EMPTY_RANGE);
  const second = leaves.next();
  const records = second === null ? first : joined(leaves, [bufferOf(first), bufferOf(second)]);
  return new PropertyRecords(isRising(records) ? records : inOrder(bufferOf(records)));
}

function joined(leaves: HeapLeaves, read: Buffer[]): ByteRange {
  for (let leaf = leaves.next(); leaf !== null; leaf = leaves.next()) read.push(bufferOf(leaf));
  return fullRange(Buffer.concat(read));
}

function isRising({ data, start, end }: ByteRange): boolean {
  for (let at = start + RECORD_SIZE; at < end; at += RECORD_SIZE) {
    if (data.getUint16(at, true) <= data.getUint16(at - RECORD_SIZE, true)) return false;
  }
  return true;
}

/** For damaged or unusual stores: records by ascending id; of records with the same id, the last counts. */
function inOrder(bytes: Buffer): ByteRange {
  const places = new Map<number, number>();
  for (let at = 0; at < bytes.length && places.size < MAX_PROPERTIES; at += RECORD_SIZE)
    places.set(bytes.readUInt16LE(at), at);
  const sorted = [...places].sort(([a], [b]) => a - b);
  return fullRange(Buffer.concat(sorted.map(([, at]) => bytes.subarray(at, at + RECORD_SIZE))));
}
