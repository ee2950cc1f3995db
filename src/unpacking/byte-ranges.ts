import { grown } from "../columns/grown.ts";

const FIRST_CAPACITY = 1024;

/** Ranges of bytes of a file, in any order, that should not overlap: 16 bytes a range. */
export class ByteRanges {
  private starts = new Float64Array(FIRST_CAPACITY);
  private ends = new Float64Array(FIRST_CAPACITY);
  private count = 0;
  private isAscending = true;

  /** Adds [start, end); it is not empty. */
  add(start: number, end: number): void {
    if (this.count === this.starts.length) {
      this.starts = grown(this.starts);
      this.ends = grown(this.ends);
    }
    if (this.count > 0 && start < this.ends[this.count - 1]!) this.isAscending = false;
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.count++;
  }

  /** True when some two of them share a byte. */
  overlap(): boolean {
    if (this.isAscending) return false;
    // Disjoint ranges come in one order by start and by end: each has ended before the next one begins.
    const starts = this.starts.slice(0, this.count).sort();
    const ends = this.ends.slice(0, this.count).sort();
    for (let index = 1; index < starts.length; index++) if (ends[index - 1]! > starts[index]!) return true;
    return false;
  }
}
