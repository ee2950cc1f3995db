/**
 * Numbers that look random and are the same for the same seed (mulberry32). Every choice of the example company is
 * drawn from one.
 */
export class SeededRandom {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A whole number in [0, limit). */
  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000) * limit);
  }

  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  /** True in `percent` of a hundred draws. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }

  shuffled<T>(items: readonly T[]): T[] {
    const order = [...items];
    for (let index = order.length - 1; index > 0; index--) {
      const other = this.below(index + 1);
      [order[index], order[other]] = [order[other]!, order[index]!];
    }
    return order;
  }

  hex(digits: number): string {
    let text = "";
    for (let index = 0; index < digits; index++) text += this.below(16).toString(16);
    return text;
  }
}
