import { namesAgree, type PersonName } from "./person-name.ts";

/** Why two addresses are one contact. */
export interface Merge {
  readonly one: number;
  readonly other: number;
  /** Plain English, without the other address. */
  readonly reason: string;
}

/** Full names one contact may carry; a heap of more is no person, and comparing all pairs of them would be slow. */
const MAX_NAMES_OF_CONTACT = 12;

/**
 * Union-find over address indices that refuses to join two different full names, whatever the evidence, and remembers
 * the evidence of each union. The root of a set is its smallest index.
 */
export class MergeForest {
  private readonly parents: Int32Array;
  private readonly ownNames: readonly (PersonName | null)[];
  /** Different full names by root, of sets of several addresses. */
  private readonly joinedNames = new Map<number, readonly PersonName[]>();
  readonly merges: Merge[] = [];

  /** @param names the full name that stands for each address, null where none does. */
  constructor(names: readonly (PersonName | null)[]) {
    this.parents = Int32Array.from(names, (_, index) => index);
    this.ownNames = names;
  }

  private namesOf(root: number): readonly PersonName[] {
    const name = this.ownNames[root] ?? null;
    return this.joinedNames.get(root) ?? (name === null ? [] : [name]);
  }

  rootOf(index: number): number {
    let root = index;
    while (this.parents[root] !== root) root = this.parents[root]!;
    for (let at = index; at !== root; ) {
      const next = this.parents[at]!;
      this.parents[at] = root;
      at = next;
    }
    return root;
  }

  /** Joins two sets; false when they are one already or carry full names that differ. */
  join(one: number, other: number, reason: string): boolean {
    const a = this.rootOf(one);
    const b = this.rootOf(other);
    if (a === b) return false;
    const names = joinedNames(this.namesOf(a), this.namesOf(b));
    if (names === null) return false;
    const root = Math.min(a, b);
    this.parents[Math.max(a, b)] = root;
    this.joinedNames.set(root, names);
    this.joinedNames.delete(Math.max(a, b));
    this.merges.push({ one, other, reason });
    return true;
  }
}

function joinedNames(ones: readonly PersonName[], others: readonly PersonName[]): readonly PersonName[] | null {
  if (others.length === 0) return ones;
  if (ones.length === 0) return others;
  for (const one of ones) if (!others.every((other) => namesAgree(one, other))) return null;
  const fresh = others.filter((other) => !ones.some((one) => isSameName(one, other)));
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
