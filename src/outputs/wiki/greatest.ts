/** Entries by decreasing rank, as plain data. */
export interface Ranked<T> {
  readonly ranks: readonly number[];
  readonly entries: readonly T[];
}

/** Collects the entries with the greatest values, null last; ties are in insertion order. */
export class Greatest<T> {
  private readonly values: number[] = [];
  private readonly entries: T[] = [];

  constructor(private readonly limit: number) {}

  /** True if an entry with this value would be kept: check before creating it. */
  accepts(value: number | null): boolean {
    return this.values.length < this.limit || rankOf(value) > this.values[this.limit - 1]!;
  }

  add(value: number | null, entry: T): void {
    const rank = rankOf(value);
    let at = this.values.length;
    while (at > 0 && rank > this.values[at - 1]!) at--;
    this.values.splice(at, 0, rank);
    this.entries.splice(at, 0, entry);
    if (this.values.length <= this.limit) return;
    this.values.pop();
    this.entries.pop();
  }

  all(): readonly T[] {
    return this.entries;
  }

  ranked(): Ranked<T> {
    return { ranks: this.values, entries: this.entries };
  }

  /** Adds the greatest of entries that follow those added so far. */
  addRanked({ ranks, entries }: Ranked<T>): void {
    for (const [index, rank] of ranks.entries()) {
      if (!this.accepts(rank)) return;
      this.add(rank, entries[index]!);
    }
  }
}

function rankOf(value: number | null): number {
  return value ?? Number.NEGATIVE_INFINITY;
}
