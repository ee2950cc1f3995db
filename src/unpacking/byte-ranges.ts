import { Float64Column } from "../columns/column.ts";

/** Ranges of bytes of a file, in any order, that should not overlap: 16 bytes per range. */
export class ByteRanges {
  private readonly starts = new Float64Column();
  private readonly ends = new Float64Column();
  private isAscending = true;

  /** Adds [start, end); it is not empty. */
  add(start: number, end: number): void {
    const { length } = this.ends;
    if (length > 0 && start < this.ends.at(length - 1)) this.isAscending = false;
    this.starts.push(start);
    this.ends.push(end);
  }

  /** True if any two of them overlap. */
  overlap(): boolean {
    if (this.isAscending) return false;
    // Disjoint ranges have the same order by start and by end.
    const starts = this.starts.view().slice().sort();
    const ends = this.ends.view().slice().sort();
    for (let index = 1; index < starts.length; index++) if (ends[index - 1]! > starts[index]!) return true;
    return false;
  }
}
