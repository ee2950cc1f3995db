import { Int32Column, Uint32Column } from "../../mail/column.ts";
import { emptySlots } from "../../mail/empty-slots.ts";

/** Four 32-bit words: a content key (`mail/content-key.ts`). */
export type DuplicateKey = readonly [number, number, number, number];

/** The words of a content key (16 bytes). */
export function wordsOf(key: Uint8Array): DuplicateKey {
  const words = new DataView(key.buffer, key.byteOffset, key.byteLength);
  return [words.getUint32(0, true), words.getUint32(4, true), words.getUint32(8, true), words.getUint32(12, true)];
}

const FIRST_SLOTS = 4096;
const MAX_LOAD = 0.6;
const WORDS = 4;

/** Which message a key was first seen on: 16 bytes a message plus the slots. Entry n belongs to the message of ordinal n + 1. */
export class Duplicates {
  private readonly slotColumn = new Int32Column();
  private slots = emptySlots(this.slotColumn, FIRST_SLOTS);
  private readonly keys = new Uint32Column();

  private get size(): number {
    return this.keys.length / WORDS;
  }

  /** The ordinal of the message that has this key already, or null: then the key belongs to the next ordinal, from 1. */
  claim(key: DuplicateKey): number | null {
    const mask = this.slots.length - 1;
    let slot = key[0] & mask;
    for (;;) {
      const entry = this.slots[slot] as number;
      if (entry < 0) break;
      if (this.isKey(entry, key)) return entry + 1;
      slot = (slot + 1) & mask;
    }
    this.slots[slot] = this.size;
    for (const word of key) this.keys.push(word);
    if (this.size > this.slots.length * MAX_LOAD) this.grow();
    return null;
  }

  /** Forgets every key, and gives back its memory. */
  clear(): void {
    this.keys.clear();
    this.slotColumn.clear();
    this.slots = emptySlots(this.slotColumn, FIRST_SLOTS);
  }

  /** The key of a message as 16 bytes. */
  keyOf(ordinal: number): Uint8Array {
    const bytes = new DataView(new ArrayBuffer(WORDS * 4));
    for (let word = 0; word < WORDS; word += 1) bytes.setUint32(word * 4, this.keys.at((ordinal - 1) * WORDS + word), true);
    return new Uint8Array(bytes.buffer);
  }

  private isKey(entry: number, key: DuplicateKey): boolean {
    for (let word = 0; word < WORDS; word += 1) if (this.keys.at(entry * WORDS + word) !== key[word]) return false;
    return true;
  }

  private grow(): void {
    const larger = emptySlots(this.slotColumn, this.slots.length * 2);
    const mask = larger.length - 1;
    for (let entry = 0; entry < this.size; entry += 1) {
      let slot = this.keys.at(entry * WORDS) & mask;
      while ((larger[slot] as number) >= 0) slot = (slot + 1) & mask;
      larger[slot] = entry;
    }
    this.slots = larger;
  }
}
