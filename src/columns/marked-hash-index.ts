import { Uint8Column, Uint32Column } from "./column.ts";
import { NO_ENTRY } from "./hash-index.ts";

/** Slots of a table that is empty. */
const FIRST_SLOTS = 1 << 12;
/** Open addressing becomes slow above this share of used slots. */
const MOST_TAKEN = 2 / 3;
/** Factor by which a full table grows. */
const GROWTH = 1.25;
const HASHES = 2 ** 32;
const MARK_MASK = 0xff;

/** Hashes of entries by number, in memory or in a file. */
interface Hashes {
  at(entry: number): number;
}

/**
 * A `HashIndex` whose hashes the caller stores: 8 to 10 bytes per entry. A slot has eight bits of a hash, so that one
 * in 256 candidates is wrong, and the caller compares it with its columns.
 */
export class MarkedHashIndex {
  /** Number of the entry in each slot plus one, and eight bits of its hash. */
  private readonly slotColumn = new Uint32Column();
  private readonly markColumn = new Uint8Column();
  private slots: Uint32Array = new Uint32Array(0);
  private marks: Uint8Array = new Uint8Array(0);
  private count = 0;
  /** The searched hash and the slot where the search ended: `next` continues there, and `add` inserts there. */
  private hash = 0;
  private slot = 0;

  constructor(
    /** Hashes of the entries, from 0 to 2^32 - 1, read in order when the table grows. */
    private readonly hashes: Hashes,
  ) {
    this.makeSlots(FIRST_SLOTS);
  }

  get size(): number {
    return this.count;
  }

  /** The first entry that may have a hash, or NO_ENTRY. */
  first(hash: number): number {
    this.hash = hash >>> 0;
    return this.seek(this.homeOf(this.hash));
  }

  /** Returns the next entry that may have the hash of the last `first`, or NO_ENTRY. */
  next(): number {
    return this.seek(this.after(this.slot));
  }

  /** Adds an entry, already stored by the caller, with the hash of the last unsuccessful search; returns its number. */
  add(): number {
    this.slots[this.slot] = this.count + 1;
    this.marks[this.slot] = this.hash & MARK_MASK;
    this.count++;
    if (this.count >= this.slots.length * MOST_TAKEN) this.makeSlots(Math.ceil(this.slots.length * GROWTH));
    return this.count - 1;
  }

  /** Removes all entries and frees the memory. */
  clear(): void {
    this.count = 0;
    this.makeSlots(FIRST_SLOTS);
  }

  private homeOf(hash: number): number {
    return Math.floor((hash * this.slots.length) / HASHES);
  }

  private after(slot: number): number {
    return slot + 1 === this.slots.length ? 0 : slot + 1;
  }

  private seek(from: number): number {
    const { slots, marks } = this;
    const mark = this.hash & MARK_MASK;
    for (let slot = from; ; slot = this.after(slot)) {
      const entered = slots[slot]!;
      if (entered !== 0 && marks[slot] !== mark) continue;
      this.slot = slot;
      return entered === 0 ? NO_ENTRY : entered - 1;
    }
  }

  /** Creates a larger table and inserts all entries. */
  private makeSlots(count: number): void {
    for (const column of [this.slotColumn, this.markColumn]) {
      column.clear();
      column.extend(count);
    }
    this.slots = this.slotColumn.view();
    this.marks = this.markColumn.view();
    for (let entry = 0; entry < this.count; entry++) {
      const hash = this.hashes.at(entry);
      let slot = this.homeOf(hash);
      while (this.slots[slot] !== 0) slot = this.after(slot);
      this.slots[slot] = entry + 1;
      this.marks[slot] = hash & MARK_MASK;
    }
  }
}
