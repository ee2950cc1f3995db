import type { Instant } from "../../mail/instant.ts";

/** The newest of what is shown in any order, undated last: of equal dates what came first comes first. */
export class Newest<T> {
  private readonly limit: number;
  private readonly times: number[] = [];
  private readonly entries: T[] = [];

  constructor(limit: number) {
    this.limit = limit;
  }

  /** True when an entry of this date would be kept: ask before making it. */
  accepts(sentAt: Instant | null): boolean {
    return this.times.length < this.limit || timeOf(sentAt) > (this.times[this.limit - 1] as number);
  }

  add(sentAt: Instant | null, entry: T): void {
    const time = timeOf(sentAt);
    let at = this.times.length;
    while (at > 0 && time > (this.times[at - 1] as number)) at -= 1;
    this.times.splice(at, 0, time);
    this.entries.splice(at, 0, entry);
    if (this.times.length <= this.limit) return;
    this.times.pop();
    this.entries.pop();
  }

  all(): readonly T[] {
    return this.entries;
  }
}

function timeOf(sentAt: Instant | null): number {
  return sentAt ?? Number.NEGATIVE_INFINITY;
}
