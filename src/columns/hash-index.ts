import { Int32Column } from "./column.ts";

/** Returned if no entry, or no further one, has the hash. */
export const NO_ENTRY = -1;
/** Open addressing becomes slow if more than half of the slots are used. */
const SLOTS_PER_ENTRY = 2;
const FIRST_ENTRIES = 2_048;
/** An odd number whose bits are spread: 2^32 divided by the golden ratio (Knuth, TAOCP 6.4). */
const SPREAD = 0x9e3779b1;

/**
 * Numbers entries 0, 1, 2 … and finds them by a 32-bit hash: 12 to 20 bytes per entry. The caller stores and compares
 * the contents, because different entries can have the same hash: for (let entry = index.first(hash); entry !==
 * NO_ENTRY; entry = index.next()) if (says(entry)) return entry; return index.add();
 */
export class HashIndex {
  /** Number of the entry in each slot: open addressing, one slot after the other. */
  private readonly slotColumn = new Int32Column();
  private readonly hashColumn = new Int32Column();
  private slots: Int32Array;
  private hashes: Int32Array;
  /** Bits of a hash that do not choose its slot. */
  private shift: number;
  private readonly firstSlots: number;
  private count = 0;
  /** The searched hash and the slot where the search ended: `next` continues there, and `add` inserts there. */
  private hash = 0;
  private slot = 0;

  /** @param entries initial capacity; lookups in a fixed list are faster with a larger one */
  constructor(entries = FIRST_ENTRIES) {
    this.firstSlots = 2 ** Math.ceil(Math.log2(Math.max(1, entries) * SLOTS_PER_ENTRY));
    this.slots = this.hashes = new Int32Array(0);
    this.shift = 0;
    this.makeSlots(this.firstSlots);
  }

  get size(): number {
    return this.count;
  }

  /** The first entry with a hash, or NO_ENTRY. */
  first(hash: number): number {
    this.hash = hash | 0;
    return this.seek(Math.imul(hash, SPREAD) >>> this.shift);
  }

  /** Returns the next entry with the hash of the last `first`, or NO_ENTRY. */
  next(): number {
    return this.seek((this.slot + 1) & (this.slots.length - 1));
  }

  /** Adds an entry with the hash of the last unsuccessful search; returns its number. */
  add(): number {
    const entry = this.count;
    this.hashes[entry] = this.hash;
    this.slots[this.slot] = entry;
    this.count++;
    if (this.count * SLOTS_PER_ENTRY >= this.slots.length) this.makeSlots(this.slots.length * 2);
    return entry;
  }

  /** The hash of an entry, from 0 to 2^32 - 1. */
  hashOf(entry: number): number {
    return this.hashes[entry]! >>> 0;
  }

  /** Removes every entry but keeps the capacity. */
  empty(): void {
    this.count = 0;
    this.slots.fill(NO_ENTRY);
  }

  /** Removes all entries and frees the memory. */
  clear(): void {
    this.count = 0;
    this.slotColumn.clear();
    this.hashColumn.clear();
    this.makeSlots(this.firstSlots);
  }

  private seek(from: number): number {
    const { slots, hashes, hash } = this;
    const mask = slots.length - 1;
    for (let slot = from; ; slot = (slot + 1) & mask) {
      const entry = slots[slot]!;
      if (entry !== NO_ENTRY && hashes[entry] !== hash) continue;
      this.slot = slot;
      return entry;
    }
  }

  private makeSlots(count: number): void {
    this.slotColumn.extend(count);
    this.hashColumn.extend(count / SLOTS_PER_ENTRY);
    this.hashes = this.hashColumn.view();
    this.slots = this.slotColumn.view().fill(NO_ENTRY);
    this.shift = 32 - Math.log2(count);
    for (let entry = 0; entry < this.count; entry++) {
      let slot = Math.imul(this.hashes[entry]!, SPREAD) >>> this.shift;
      while (this.slots[slot] !== NO_ENTRY) slot = (slot + 1) & (count - 1);
      this.slots[slot] = entry;
    }
  }
}
