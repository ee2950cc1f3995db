import type { SeededRandom } from "../examples/company/seeded-random.ts";

/**
 * The newest inputs are drawn this often, in percent: what has just found something new is the likeliest to find more.
 */
const NEWEST_PERCENT = 40;
/** How many count as the newest. */
const NEWEST = 16;

/** Inputs that ran something no earlier one had run. */
export class Corpus {
  private readonly inputs: Buffer[] = [];

  get size(): number {
    return this.inputs.length;
  }

  add(input: Buffer): void {
    this.inputs.push(Buffer.from(input));
  }

  /** An input to change; empty when there is none yet. */
  draw(random: SeededRandom): Buffer {
    if (this.inputs.length === 0) return Buffer.alloc(0);
    const first = random.chance(NEWEST_PERCENT) ? Math.max(0, this.inputs.length - NEWEST) : 0;
    return this.inputs[first + random.below(this.inputs.length - first)]!;
  }
}
