import { averageLength } from "./weights.ts";

/** Lengths counted in a column; longer messages are few. */
const COLUMN_LENGTHS = 1 << 14;

/**
 * Number of messages by length. The average is summed over lengths, not messages, so that it is identical for any
 * order or partition.
 */
export class LengthHistogram {
  private readonly short = new Float64Array(COLUMN_LENGTHS);
  private readonly long = new Map<number, number>();
  private counted = 0;

  get count(): number {
    return this.counted;
  }

  add(length: number, messages = 1): void {
    this.counted += messages;
    if (length < COLUMN_LENGTHS) this.short[length] = this.short[length]! + messages;
    else this.long.set(length, (this.long.get(length) ?? 0) + messages);
  }

  /** See `averageLength` in weights.ts; 0 for no messages. */
  average(): number {
    let reciprocals = 0;
    for (let length = 0; length < COLUMN_LENGTHS; length++) reciprocals += this.short[length]! / (1 + length);
    const long = Array.from(this.long).sort(([left], [right]) => left - right);
    for (const [length, messages] of long) reciprocals += messages / (1 + length);
    return averageLength(reciprocals, this.count);
  }
}
