import { PagedInt32Column, PagedUint32Column } from "../columns/paged-column.ts";
import type { PagedMemory } from "../columns/paged-memory.ts";
import { PagedTextColumn } from "../columns/paged-text-column.ts";
import type { CorrectionGuard } from "./corrections/correction-guard.ts";
import { namesAgree, type PersonName } from "./names/person-name.ts";

/** Why two addresses are one contact. */
export interface Merge {
  readonly one: number;
  readonly other: number;
  /** Plain English, without the other address. */
  readonly reason: string;
}

/** Maximum full names of one contact; more are not one person, and comparing all pairs would be slow. */
const MAX_NAMES_OF_CONTACT = 12;
const NOBODY = -1;
/** By root, until its name is first looked up. */
const NOT_ASKED = -2;
/** Reason for addresses joined by the user. */
export const BY_HAND = "by hand";
/** Parent of a root. */
const NO_PARENT = -1;

/** An address whose full name is one of its set. */
interface Named {
  readonly address: number;
  readonly name: PersonName;
}

/**
 * Union-find over address indices that refuses to join two different full names, whatever the evidence, and records the
 * evidence of each union. The root of a set is its smallest index. All data is stored in pages.
 */
export class MergeForest {
  private readonly parents: PagedInt32Column;
  /** By root: the first address of its set with a unique name; by such an address, the next one. */
  private readonly firstNamed: PagedInt32Column;
  private readonly nextNamed: PagedInt32Column;
  private readonly ones: PagedUint32Column;
  private readonly others: PagedUint32Column;
  /** By merge: the number of its reason. */
  private readonly reasonOf: PagedUint32Column;
  private readonly reasons: PagedTextColumn;
  private lastReason: string | null = null;

  /** @param nameOf full name of each address, or null @param guard the user's restrictions on joining */
  constructor(
    memory: PagedMemory,
    size: number,
    private readonly nameOf: (address: number) => PersonName | null,
    private readonly guard: CorrectionGuard | null = null,
  ) {
    this.parents = new PagedInt32Column(memory);
    this.firstNamed = new PagedInt32Column(memory);
    this.nextNamed = new PagedInt32Column(memory);
    this.ones = new PagedUint32Column(memory);
    this.others = new PagedUint32Column(memory);
    this.reasonOf = new PagedUint32Column(memory);
    this.reasons = new PagedTextColumn(memory);
    this.parents.extend(size, NO_PARENT);
    this.firstNamed.extend(size, NOT_ASKED);
    this.nextNamed.extend(size, NOBODY);
  }

  get size(): number {
    return this.parents.length;
  }

  rootOf(index: number): number {
    let root = index;
    for (let parent = this.parents.at(root); parent !== NO_PARENT; parent = this.parents.at(root)) root = parent;
    for (let at = index; at !== root; ) {
      const next = this.parents.at(at);
      if (next !== root) this.parents.set(at, root);
      at = next;
    }
    return root;
  }

  /**
   * Joins two sets; false when they are one already or carry full names that differ.
   * @param agree whether two names may be one person's.
   */
  join(one: number, other: number, reason: string, agree: NamesAgree = namesAgree): boolean {
    const a = this.rootOf(one);
    const b = this.rootOf(other);
    if (a === b) return false;
    const names = joinedNames(this.namesOf(a), this.namesOf(b), agree);
    return names !== null && this.joinWithNames(one, other, reason, names);
  }

  /** Joins a set to one with the right spelling of its names: only that is compared with others later. */
  joinSpelling(right: number, other: number, reason: string): boolean {
    const root = this.rootOf(right);
    return root !== this.rootOf(other) && this.joinWithNames(right, other, reason, this.namesOf(root));
  }

  private joinWithNames(one: number, other: number, reason: string, names: readonly Named[]): boolean {
    if (this.guard?.allows(one, other) === false) return false;
    this.guard?.join(one, other);
    const [a, b] = [this.rootOf(one), this.rootOf(other)];
    this.unite(a, b);
    this.setNames(Math.min(a, b), names);
    this.remember(one, other, reason);
    return true;
  }

  /** Joins two sets whatever their names: rules add nothing to them later. */
  joinAnyway(one: number, other: number, reason: string): void {
    const [a, b] = [this.rootOf(one), this.rootOf(other)];
    if (a === b) return;
    this.unite(a, b);
    this.remember(one, other, reason);
  }

  get mergeCount(): number {
    return this.ones.length;
  }

  /** A merge by number, in order. */
  merge(number: number): Merge {
    return {
      one: this.ones.at(number),
      other: this.others.at(number),
      reason: this.reasons.at(this.reasonOf.at(number)),
    };
  }

  /** Removes everything and frees the memory. */
  clear(): void {
    const { parents, firstNamed, nextNamed, ones, others, reasonOf, reasons } = this;
    for (const part of [parents, firstNamed, nextNamed, ones, others, reasonOf, reasons]) part.clear();
  }

  /** The smaller root stays. */
  private unite(a: number, b: number): void {
    this.parents.set(Math.max(a, b), Math.min(a, b));
  }

  private namesOf(root: number): readonly Named[] {
    const first = this.firstNamed.at(root);
    if (first === NOT_ASKED) {
      const name = this.nameOf(root);
      return name === null ? [] : [{ address: root, name }];
    }
    const names: Named[] = [];
    for (let address = first; address !== NOBODY; address = this.nextNamed.at(address))
      names.push({ address, name: this.nameOf(address)! });
    return names;
  }

  private setNames(root: number, names: readonly Named[]): void {
    this.firstNamed.set(root, names[0]?.address ?? NOBODY);
    for (const [at, { address }] of names.entries()) this.nextNamed.set(address, names[at + 1]?.address ?? NOBODY);
  }

  private remember(one: number, other: number, reason: string): void {
    this.ones.push(one);
    this.others.push(other);
    // A chain of addresses joined for one reason, so it can be long.
    if (reason !== this.lastReason) this.reasons.push(reason);
    this.lastReason = reason;
    this.reasonOf.push(this.reasons.length - 1);
  }
}

type NamesAgree = (one: PersonName, other: PersonName) => boolean;

function joinedNames(ones: readonly Named[], others: readonly Named[], agree: NamesAgree): readonly Named[] | null {
  if (others.length === 0) return ones;
  if (ones.length === 0) return others;
  for (const one of ones) if (!others.every((other) => agree(one.name, other.name))) return null;
  const fresh = others.filter((other) => !ones.some((one) => isSameName(one.name, other.name)));
  return ones.length + fresh.length > MAX_NAMES_OF_CONTACT ? null : [...ones, ...fresh];
}

function isSameName(one: PersonName, other: PersonName): boolean {
  return (
    one.given === other.given &&
    one.middle === other.middle &&
    one.family === other.family &&
    one.generation === other.generation
  );
}
