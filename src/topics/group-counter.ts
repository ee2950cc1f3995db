import { Int32Column, Uint32Column } from "../columns/column.ts";
import { HashIndex, NO_ENTRY } from "../columns/hash-index.ts";

/** Number of groups that contain each 32-bit key, for consecutive groups; a group that recurs counts again. */
export class GroupCounter {
  private readonly index: HashIndex;
  private readonly counts = new Uint32Column();
  /** The last group each key was seen in. */
  private readonly lastGroups = new Int32Column();

  /** @param keys initial capacity */
  constructor(keys?: number) {
    this.index = new HashIndex(keys);
  }

  /** Counts a key for a group, a number from -1. */
  add(key: number, group: number): void {
    const entry = this.index.first(key);
    if (entry === NO_ENTRY) {
      this.index.add();
      this.counts.push(1);
      this.lastGroups.push(group);
    } else if (this.lastGroups.at(entry) !== group) {
      this.lastGroups.set(entry, group);
      this.counts.set(entry, this.counts.at(entry) + 1);
    }
  }

  /** Every key with its count, in order of first appearance. */
  *entries(): Generator<readonly [key: number, count: number]> {
    for (let entry = 0; entry < this.index.size; entry++) yield [this.index.hashOf(entry), this.counts.at(entry)];
  }
}
