/** Counts by non-zero 32-bit key: open addressing in two typed arrays, 8 bytes a slot. */
export class HashCounter {
  private keys: Uint32Array;
  private values: Uint32Array;
  size = 0;

  constructor(capacity = 1 << 12) {
    this.keys = new Uint32Array(capacity);
    this.values = new Uint32Array(capacity);
  }

  private slotOf(key: number): number {
    const mask = this.keys.length - 1;
    let slot = Math.imul(key, 0x9e3779b1) >>> 7;
    for (slot &= mask; this.keys[slot] !== 0 && this.keys[slot] !== key; ) slot = (slot + 1) & mask;
    return slot;
  }

  get(key: number): number {
    return this.values[this.slotOf(key)]!;
  }

  /** Adds to the count of a key and returns the new count. */
  add(key: number, amount: number): number {
    let slot = this.slotOf(key);
    if (this.keys[slot] === 0) {
      if (this.size * 2 >= this.keys.length) {
        this.grow();
        slot = this.slotOf(key);
      }
      this.keys[slot] = key;
      this.size++;
    }
    const value = this.values[slot]! + amount;
    this.values[slot] = value;
    return value;
  }

  set(key: number, value: number): void {
    this.add(key, value - this.get(key));
  }

  clear(): void {
    this.keys.fill(0);
    this.values.fill(0);
    this.size = 0;
  }

  /** Every key and its count, in no meaningful order. */
  *entries(): Generator<readonly [key: number, value: number]> {
    for (let slot = 0; slot < this.keys.length; slot++) if (this.keys[slot] !== 0) yield [this.keys[slot]!, this.values[slot]!];
  }

  /** Every key, ascending. */
  sortedKeys(): Uint32Array {
    return this.keys.filter((key) => key !== 0).sort();
  }

  private grow(): void {
    const { keys, values } = this;
    this.keys = new Uint32Array(keys.length * 2);
    this.values = new Uint32Array(values.length * 2);
    for (let slot = 0; slot < keys.length; slot++) {
      if (keys[slot] === 0) continue;
      const target = this.slotOf(keys[slot]!);
      this.keys[target] = keys[slot]!;
      this.values[target] = values[slot]!;
    }
  }
}
