/** What stands for no group in the column of last groups. */
const NO_GROUP = 0;

/**
 * In how many groups each non-zero 32-bit key stands, where the groups come one after the other; a group that comes
 * again counts again. Open addressing in three typed arrays, 12 bytes a slot.
 */
export class GroupCounter {
  private keys: Uint32Array;
  private counts: Uint32Array;
  /** The last group each key was seen in, plus one. */
  private lastGroups: Uint32Array;
  private size = 0;

  constructor(capacity = 1 << 12) {
    this.keys = new Uint32Array(capacity);
    this.counts = new Uint32Array(capacity);
    this.lastGroups = new Uint32Array(capacity);
  }

  private slotOf(key: number): number {
    const { keys } = this;
    const mask = keys.length - 1;
    let slot = (Math.imul(key, 0x9e3779b1) >>> 7) & mask;
    while (keys[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  /** Counts a key for a group, a number from -1. */
  add(key: number, group: number): void {
    let slot = this.slotOf(key);
    if (this.keys[slot] === 0) {
      if (this.size * 2 >= this.keys.length) {
        this.grow();
        slot = this.slotOf(key);
      }
      this.keys[slot] = key;
      this.lastGroups[slot] = NO_GROUP;
      this.size++;
    }
    if (this.lastGroups[slot] === group + 1 && this.counts[slot] !== 0) return;
    this.lastGroups[slot] = group + 1;
    this.counts[slot]!++;
  }

  /** Every key and its count, in no meaningful order. */
  *entries(): Generator<readonly [key: number, count: number]> {
    for (let slot = 0; slot < this.keys.length; slot++)
      if (this.keys[slot] !== 0) yield [this.keys[slot]!, this.counts[slot]!];
  }

  private grow(): void {
    const { keys, counts, lastGroups } = this;
    this.keys = new Uint32Array(keys.length * 2);
    this.counts = new Uint32Array(keys.length * 2);
    this.lastGroups = new Uint32Array(keys.length * 2);
    for (let slot = 0; slot < keys.length; slot++) {
      if (keys[slot] === 0) continue;
      const target = this.slotOf(keys[slot]!);
      this.keys[target] = keys[slot]!;
      this.counts[target] = counts[slot]!;
      this.lastGroups[target] = lastGroups[slot]!;
    }
  }
}
