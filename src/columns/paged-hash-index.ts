import { ArchiveError } from "../errors.ts";
import { NO_ENTRY } from "./hash-index.ts";
import { PagedUint32Column } from "./paged-column.ts";
import type { PagedMemory } from "./paged-memory.ts";

/** Slots of a table that is empty. */
const FIRST_SLOT_BITS = 10;
/** Open addressing becomes slow if more than half of the slots are used. */
const SLOTS_PER_ENTRY = 2;
/** Words of slots are counted in 32 bits. */
const MOST_SLOT_BITS = 31;
/** An odd number whose bits are spread: 2^32 divided by the golden ratio (Knuth, TAOCP 6.4). */
const SPREAD = 0x9e3779b1;
/** Words of a slot: a hash, and the number of its entry plus one; 0 for an empty slot. */
const SLOT_WORDS = 2;

/**
 * A `HashIndex` partly in memory: 16 to 32 bytes per entry, at most 2^30 entries. The highest bits of a hash select
 * the slot, so that doubling fills the new table from start to end.
 */
export class PagedHashIndex {
  private slots: PagedUint32Column;
  private slotBits = FIRST_SLOT_BITS;
  private count = 0;
  /** The searched hash and the slot where the search ended: `next` continues there, and `add` inserts there. */
  private hash = 0;
  private slot = 0;

  /** @param mostSlotBits maximum bits of a slot number */
  constructor(
    private readonly memory: PagedMemory,
    private readonly mostSlotBits: number = MOST_SLOT_BITS,
  ) {
    this.slots = emptySlots(memory, this.slotBits);
  }

  get size(): number {
    return this.count;
  }

  /** The first entry with a hash, or NO_ENTRY. */
  first(hash: number): number {
    this.hash = hash >>> 0;
    return this.seek(this.homeOf(this.hash));
  }

  /** Returns the next entry with the hash of the last `first`, or NO_ENTRY. */
  next(): number {
    return this.seek(this.after(this.slot));
  }

  /** Adds an entry with the hash of the last unsuccessful search; returns its number. */
  add(): number {
    this.fill(this.slot, this.hash, this.count + 1);
    this.count++;
    if (this.count * SLOTS_PER_ENTRY >= 2 ** this.slotBits) this.grow();
    return this.count - 1;
  }

  /** Removes all entries and releases the pages. */
  clear(): void {
    this.slots.clear();
    this.count = 0;
    this.slotBits = FIRST_SLOT_BITS;
    this.slots = emptySlots(this.memory, this.slotBits);
  }

  private homeOf(hash: number): number {
    return Math.imul(hash, SPREAD) >>> (32 - this.slotBits);
  }

  private after(slot: number): number {
    return (slot + 1) & (2 ** this.slotBits - 1);
  }

  private seek(from: number): number {
    for (let slot = from; ; slot = this.after(slot)) {
      const entered = this.slots.at(slot * SLOT_WORDS + 1);
      if (entered !== 0 && this.slots.at(slot * SLOT_WORDS) !== this.hash) continue;
      this.slot = slot;
      return entered === 0 ? NO_ENTRY : entered - 1;
    }
  }

  private fill(slot: number, hash: number, entered: number): void {
    this.slots.set(slot * SLOT_WORDS, hash);
    this.slots.set(slot * SLOT_WORDS + 1, entered);
  }

  private grow(): void {
    if (this.slotBits === this.mostSlotBits)
      throw new ArchiveError("ARCHIVE_FULL", `a run can store at most ${this.count} addresses or names`);
    const before = this.slots;
    this.slotBits++;
    this.slots = emptySlots(this.memory, this.slotBits);
    for (let at = 0; at < before.length; at += SLOT_WORDS) {
      const entered = before.at(at + 1);
      if (entered === 0) continue;
      const hash = before.at(at);
      let slot = this.homeOf(hash);
      while (this.slots.at(slot * SLOT_WORDS + 1) !== 0) slot = this.after(slot);
      this.fill(slot, hash, entered);
    }
    before.clear();
  }
}

function emptySlots(memory: PagedMemory, bits: number): PagedUint32Column {
  const slots = new PagedUint32Column(memory);
  slots.extend(SLOT_WORDS * 2 ** bits, 0);
  return slots;
}
