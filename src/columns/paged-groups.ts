import { groupByKey } from "./grouping.ts";
import { PagedUint32Column } from "./paged-column.ts";
import type { PagedMemory } from "./paged-memory.ts";

/** Members sorted by key at a time, as closely as keys can be split: 20 bytes of memory each. */
const MEMBERS_SORTED = 1 << 18;
/** The ends of all parts are in memory while members are added. */
const MOST_PARTS = 128;

/** The members of one key. */
export interface Group {
  readonly key: number;
  /** May be changed. */
  readonly members: Uint32Array<ArrayBuffer>;
}

/** Unordered keys and members, mostly in a file, until they are read by key. */
export class PagedGroups {
  readonly keys: PagedUint32Column;
  readonly members: PagedUint32Column;
  private highest = 0;

  constructor(private readonly memory: PagedMemory) {
    this.keys = new PagedUint32Column(memory);
    this.members = new PagedUint32Column(memory);
  }

  get length(): number {
    return this.members.length;
  }

  push(key: number, member: number): void {
    this.keys.push(key);
    this.members.push(member);
    if (key > this.highest) this.highest = key;
  }

  clear(): void {
    this.keys.clear();
    this.members.clear();
  }

  /**
   * Keys with members, ascending; members in insertion order. Sorts the parts, which have equal numbers of keys, one
   * after another.
   */
  *byKey(membersSorted = MEMBERS_SORTED): Generator<Group> {
    const parts = Math.max(1, Math.min(MOST_PARTS, Math.ceil(this.length / membersSorted)));
    const width = Math.ceil((this.highest + 1) / parts);
    for (const [number, part] of this.inParts(parts, width).entries()) {
      const first = number * width;
      const keys = part.keys.slice();
      for (let at = 0; at < keys.length; at++) keys[at] = keys[at]! - first;
      const { starts, members: places } = groupByKey(keys, width);
      const members = part.members.slice();
      for (let at = 0; at < width; at++) {
        const own = places.subarray(starts[at], starts[at + 1]);
        if (own.length > 0) yield { key: first + at, members: own.map((place) => members[place]!) };
      }
      if (part !== this) part.clear();
    }
  }

  /** @param width keys of a part */
  private inParts(parts: number, width: number): readonly PagedGroups[] {
    if (parts === 1) return [this];
    const made = Array.from({ length: parts }, () => new PagedGroups(this.memory));
    for (let at = 0; at < this.length; at++) {
      const key = this.keys.at(at);
      made[Math.floor(key / width)]!.push(key, this.members.at(at));
    }
    return made;
  }
}
