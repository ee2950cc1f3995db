import { Int32Column, Uint32Column } from "./column.ts";
import { emptySlots } from "./empty-slots.ts";

const FIRST_SLOTS = 4096;
/** Filled share at which the table doubles; open addressing slows down steeply beyond. */
const MAX_LOAD = 0.6;

/**
 * Maps text keys (msg-ids, conversation roots, subjects, addresses) to node numbers by a 64-bit hash, without keeping the text: 12 bytes a key
 * and its slots, where a Map of strings takes over 100. Two different keys meet by chance once in about 10^9 archives of 500,000 messages. A
 * sender who makes keys collide on purpose only joins threads, which a forged References header does more simply, or gives somebody else's
 * messages of a topic to an address of his own.
 */
export class KeyNodes {
  private readonly slotColumn = new Int32Column();
  private slots = emptySlots(this.slotColumn, FIRST_SLOTS);
  private readonly high = new Uint32Column();
  private readonly low = new Uint32Column();
  private readonly node = new Int32Column();

  /** The node of a key in a name space; `make` gives the number when the key is new. */
  nodeOf(space: number, key: string, make: () => number): number {
    const [high, low] = hashKey(space, key);
    const slot = this.slotOf(high, low);
    const entry = this.slots[slot] as number;
    if (entry >= 0) return this.node.at(entry);
    const node = make();
    this.slots[slot] = this.node.length;
    this.high.push(high);
    this.low.push(low);
    this.node.push(node);
    if (this.node.length > this.slots.length * MAX_LOAD) this.grow();
    return node;
  }

  /** The node of a key, or null when there is none. */
  find(space: number, key: string): number | null {
    const [high, low] = hashKey(space, key);
    const entry = this.slots[this.slotOf(high, low)] as number;
    return entry < 0 ? null : this.node.at(entry);
  }

  /** Forgets every key, and gives back its memory. */
  clear(): void {
    for (const column of [this.slotColumn, this.high, this.low, this.node]) column.clear();
    this.slots = emptySlots(this.slotColumn, FIRST_SLOTS);
  }

  /** Where a key stands, or the empty slot where it would. */
  private slotOf(high: number, low: number): number {
    let slot = low & (this.slots.length - 1);
    for (;;) {
      const entry = this.slots[slot] as number;
      if (entry < 0 || (this.high.at(entry) === high && this.low.at(entry) === low)) return slot;
      slot = (slot + 1) & (this.slots.length - 1);
    }
  }

  private grow(): void {
    const larger = emptySlots(this.slotColumn, this.slots.length * 2);
    for (let entry = 0; entry < this.node.length; entry += 1) {
      let slot = this.low.at(entry) & (larger.length - 1);
      while ((larger[slot] as number) >= 0) slot = (slot + 1) & (larger.length - 1);
      larger[slot] = entry;
    }
    this.slots = larger;
  }
}

/** Two independent 32-bit multiplicative hashes over UTF-16 units, finished as in MurmurHash3. */
function hashKey(space: number, key: string): readonly [number, number] {
  let high = 0x9e3779b9 ^ space;
  let low = 0x41c6ce57 ^ space;
  for (let index = 0; index < key.length; index += 1) {
    const unit = key.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return [high >>> 0, low >>> 0];
}
