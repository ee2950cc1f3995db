import { PagedInt32Column } from "../../columns/paged-column.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import type { SettledCorrections } from "./correction.ts";

const NO_PARENT = -1;

/** Index of an address key; undefined for an address that no mail names. */
type IndexOf = (address: string) => number | undefined;

/**
 * Returns the addresses that rules must not join: those that a user keeps apart, and all addresses that rules or
 * users have joined to one of them. Mailing lists are kept apart from everything.
 */
export class CorrectionGuard {
  private readonly parents: PagedInt32Column;
  /** By root: numbers of addresses that must not be joined with it. */
  private readonly strangers = new Map<number, ReadonlySet<number>>();
  /** By root: its addresses with such restrictions. */
  private readonly marked = new Map<number, readonly number[]>();
  private readonly alone = new Set<number>();

  constructor(memory: PagedMemory, size: number, corrections: SettledCorrections, indexOf: IndexOf) {
    this.parents = new PagedInt32Column(memory);
    const { groups, apart, lists } = corrections;
    if (apart.size === 0 && lists.length === 0) return;
    this.parents.extend(size, NO_PARENT);
    for (const [address, others] of apart) {
      const index = indexOf(address);
      if (index === undefined || others.size === 0) continue;
      this.strangers.set(index, new Set([...others].flatMap((other) => indexOf(other) ?? [])));
      this.marked.set(index, [index]);
    }
    for (const address of lists) {
      const index = indexOf(address);
      if (index !== undefined) this.alone.add(index);
    }
    for (const group of groups) for (const [one, other] of pairsOf(group, indexOf)) this.join(one, other);
  }

  /** Returns false if the user keeps two addresses apart. */
  allows(one: number, other: number): boolean {
    if (this.parents.length === 0) return true;
    const [a, b] = [this.rootOf(one), this.rootOf(other)];
    if (a === b) return true;
    if (this.alone.has(a) || this.alone.has(b)) return false;
    const strangers = this.strangers.get(a);
    return strangers === undefined || !(this.marked.get(b) ?? []).some((address) => strangers.has(address));
  }

  /** Notes that two addresses are one person's. */
  join(one: number, other: number): void {
    if (this.parents.length === 0) return;
    const [a, b] = [this.rootOf(one), this.rootOf(other)];
    if (a === b) return;
    this.parents.set(b, a);
    for (const table of [this.strangers, this.marked] as const) move(table, b, a);
  }

  clear(): void {
    this.parents.clear();
  }

  private rootOf(index: number): number {
    let root = index;
    for (let parent = this.parents.at(root); parent !== NO_PARENT; parent = this.parents.at(root)) root = parent;
    for (let at = index; at !== root; ) {
      const next = this.parents.at(at);
      this.parents.set(at, root);
      at = next;
    }
    return root;
  }
}

function move(table: Map<number, ReadonlySet<number> | readonly number[]>, from: number, to: number): void {
  const moved = table.get(from);
  if (moved === undefined) return;
  const known = table.get(to) ?? [];
  table.delete(from);
  table.set(to, moved instanceof Set ? new Set([...known, ...moved]) : [...known, ...moved]);
}

/** Pairs the first address of a group with each other one that mail names. */
export function* pairsOf(group: readonly string[], indexOf: IndexOf): Generator<readonly [number, number]> {
  const [first, ...others] = group.flatMap((address) => indexOf(address) ?? []);
  for (const other of others) yield [first!, other];
}
