import { Uint32Column } from "./column.ts";
import { HashIndex, NO_ENTRY } from "./hash-index.ts";

/** Counts by keys of 32 bits. */
export class HashCounter {
  private readonly index: HashIndex;
  private readonly counts = new Uint32Column();

  /** @param keys initial capacity */
  constructor(keys?: number) {
    this.index = new HashIndex(keys);
  }

  get size(): number {
    return this.index.size;
  }

  /** 0 for a key that was never counted. */
  get(key: number): number {
    const entry = this.index.first(key);
    return entry === NO_ENTRY ? 0 : this.counts.at(entry);
  }

  /** Adds to the count of a key and returns the new count. */
  add(key: number, amount: number): number {
    const entry = this.index.first(key);
    const value = entry === NO_ENTRY ? amount : this.counts.at(entry) + amount;
    this.enter(entry, value);
    return value;
  }

  set(key: number, value: number): void {
    this.enter(this.index.first(key), value);
  }

  /** Every key with its count, in order of first appearance. */
  *entries(): Generator<readonly [key: number, value: number]> {
    for (let entry = 0; entry < this.size; entry++) yield [this.index.hashOf(entry), this.counts.at(entry)];
  }

  /** @param entry the entry just found */
  private enter(entry: number, value: number): void {
    if (entry !== NO_ENTRY) {
      this.counts.set(entry, value);
      return;
    }
    this.index.add();
    this.counts.push(value);
  }
}
