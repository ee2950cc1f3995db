/** Initial capacity for values, including 0 for no value. */
const FIRST_VALUES = 1024;
const NONE = -1;
/** Up to this number of values, the most frequent ones are kept sorted while counting; otherwise all are sorted. */
const MAX_KEPT = 500;

type CountedValue = readonly [value: number, count: number];

/** Counts of each value, a number from -1, in a set of messages. A flat array, because contacts are many. */
export class ValueCounts {
  private counts = new Uint32Array(FIRST_VALUES);

  add(value: number, messages = 1): void {
    const at = value - NONE;
    if (at >= this.counts.length) this.grow(at);
    this.counts[at]! += messages;
  }

  /** Returns the count of a value and resets it. */
  take(value: number): number {
    const count = this.counts[value - NONE] ?? 0;
    if (count > 0) this.counts[value - NONE] = 0;
    return count;
  }

  /** All counted values, ascending. */
  columns(): { readonly values: Float64Array; readonly counts: Uint32Array } {
    const values = new Float64Array(this.counts.length);
    const counts = new Uint32Array(this.counts.length);
    let found = 0;
    for (let at = 0; at < this.counts.length; at++) {
      if (this.counts[at] === 0) continue;
      values[found] = at + NONE;
      counts[found++] = this.counts[at]!;
    }
    return { values: values.slice(0, found), counts: counts.slice(0, found) };
  }

  get total(): number {
    let sum = 0;
    for (const count of this.counts) sum += count;
    return sum;
  }

  /** The most frequent values; ties by smaller value. */
  most(limit: number): readonly CountedValue[] {
    return limit > MAX_KEPT ? this.sorted().slice(0, limit) : this.kept(limit);
  }

  private kept(limit: number): readonly CountedValue[] {
    const found: CountedValue[] = [];
    const { counts } = this;
    let least = 0;
    for (let at = 0; at < counts.length; at++) {
      const count = counts[at]!;
      if (count <= least) continue;
      let place = found.length;
      while (place > 0 && found[place - 1]![1] < count) place--;
      found.splice(place, 0, [at + NONE, count]);
      if (found.length > limit) found.pop();
      if (found.length === limit) least = found.at(-1)![1];
    }
    return found;
  }

  private sorted(): readonly CountedValue[] {
    const found: CountedValue[] = [];
    for (let at = 0; at < this.counts.length; at++) if (this.counts[at]! > 0) found.push([at + NONE, this.counts[at]!]);
    return found.sort((left, right) => right[1] - left[1] || left[0] - right[0]);
  }

  private grow(at: number): void {
    const counts = new Uint32Array(2 ** Math.ceil(Math.log2(at + 1)));
    counts.set(this.counts);
    this.counts = counts;
  }
}
