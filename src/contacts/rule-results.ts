import type { PagedMemory } from "../columns/paged-memory.ts";
import { PagedObjects } from "../columns/paged-objects.ts";
import type { AddressProfile } from "./address-profile.ts";
import type { AddressBook } from "./addresses/address-book.ts";
import { normalAddress } from "./addresses/address-form.ts";
import type { Organizations } from "./addresses/organization.ts";
import type { SummarizedAddress } from "./contact-summary.ts";
import type { SettledCorrections } from "./corrections/correction.ts";
import type { CorrectionGuard } from "./corrections/correction-guard.ts";
import type { Suggestion } from "./evidence-stage.ts";
import { type Merge, MergeForest } from "./merge-forest.ts";
import type { PersonName } from "./names/person-name.ts";
import type { AddressKind } from "./names/role-address.ts";

/** One result of the rules, before corrections by the user. Addresses are texts (`identityOf`). */
export type RuleLine =
  | readonly ["merge", one: string, other: string, reason: string]
  | readonly ["suggestion", one: string, other: string, bits: number, reason: string]
  /** A name that the address itself does not have: turned or repaired. */
  | readonly ["name", address: string, name: PersonName]
  /** Of an address that is not a person's. */
  | readonly ["kind", address: string, kind: AddressKind];

/** Results of the rules in an earlier run over the same mail and with the same restrictions. */
export interface EarlierRules {
  readonly lines: PagedObjects<RuleLine>;
  /** Address keys that the corrections of that run or of this one name: only their contacts change. */
  readonly corrected: ReadonlySet<string>;
  /** Published name of the contact of an address key, or undefined. */
  nameOf(key: string): string | undefined;
}

/** Joined addresses before corrections. */
export interface AppliedRules {
  readonly forest: MergeForest;
  readonly suggestions: readonly Suggestion[];
  /** The results in a form for later runs. */
  readonly rules: PagedObjects<RuleLine>;
  /** What is known about the addresses of a contact, for its summary. */
  summarizing(addresses: readonly number[]): {
    readonly profiles: ReadonlyMap<number, SummarizedAddress>;
    readonly unchangedName?: string;
  };
  clear(): void;
}

/** Collects the results of the rules. */
export class RuleLines {
  readonly lines: PagedObjects<RuleLine>;

  constructor(
    private readonly book: AddressBook,
    memory: PagedMemory,
  ) {
    this.lines = new PagedObjects(memory);
  }

  addName(address: number, name: PersonName | null): void {
    if (name !== null) this.lines.push(["name", this.book.identityOf(address), name]);
  }

  addKind(address: number, kind: AddressKind): void {
    if (kind !== "person") this.lines.push(["kind", this.book.identityOf(address), kind]);
  }

  addMerge({ one, other, reason }: Merge): void {
    this.lines.push(["merge", this.book.identityOf(one), this.book.identityOf(other), reason]);
  }

  addSuggestion({ one, other, bits, reason }: Suggestion): void {
    this.lines.push(["suggestion", this.book.identityOf(one), this.book.identityOf(other), bits, reason]);
  }
}

/** Address keys named by corrections that join or name people. */
export function correctedAddresses({ groups, names }: SettledCorrections): readonly string[] {
  return [...new Set([...groups.flat(), ...names.map(({ main }) => main)])];
}

/** Corrections that the rules observe. */
export type Restrictions = Pick<SettledCorrections, "groups" | "apart">;

/**
 * True if the rules would give the same results after changed corrections: two addresses that must stay apart now were
 * not joined, and no group that changed is joined with such an address.
 * @param lists addresses of lists, before and now
 */
export function areRulesUnaffected(
  lines: PagedObjects<RuleLine>,
  before: Restrictions,
  now: Restrictions,
  lists: readonly string[],
): boolean {
  const [earlier, later] = [pairsApart(before), pairsApart(now)];
  if ([...earlier.keys()].some((pair) => !later.has(pair))) return false;
  if (later.size + lists.length === 0) return true;
  const classes = classesOf(lines, [...before.groups, ...now.groups]);
  const added = [...later].filter(([pair]) => !earlier.has(pair));
  if (added.some(([, [one, other]]) => classes.rootOf(one) === classes.rootOf(other))) return false;
  const restricted = new Set([...now.apart.keys(), ...lists].map(classes.rootOf));
  const changed = [...without(before.groups, now.groups), ...without(now.groups, before.groups)];
  return !changed.some((group) => restricted.has(classes.rootOf(group[0]!)));
}

function pairsApart({ apart }: Restrictions): ReadonlyMap<string, readonly [string, string]> {
  return new Map(
    [...apart].flatMap(([one, others]) => [...others].map((other) => [`${one}\0${other}`, [one, other]] as const)),
  );
}

type Groups = SettledCorrections["groups"];

function without(groups: Groups, others: Groups): Groups {
  const known = new Set(others.map((group) => group.join()));
  return groups.filter((group) => !known.has(group.join()));
}

/** Addresses joined by rules or groups. */
function classesOf(lines: PagedObjects<RuleLine>, groups: Groups): { readonly rootOf: (address: string) => string } {
  const parents = new Map<string, string>();
  const rootOf = (address: string): string => {
    let root = address;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    if (root !== address) parents.set(address, root);
    return root;
  };
  const join = (one: string, other: string): void => {
    const [a, b] = [rootOf(one), rootOf(other)];
    if (a !== b) parents.set(b, a);
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines.at(at);
    if (line[0] === "merge") join(line[1], line[2]);
  }
  for (const [first, ...others] of groups) for (const other of others) join(first!, other);
  return { rootOf };
}

/** The addresses, and how to read one. */
interface Addresses {
  readonly book: AddressBook;
  readonly memory: PagedMemory;
  readonly organizations: Organizations;
  readonly guard: CorrectionGuard;
  profileOf(address: number): AddressProfile;
}

/**
 * Joins addresses as the rules did in an earlier run. Contacts without corrected addresses keep their names, so that
 * their names are not parsed again.
 */
export function repeatRules(
  { lines, corrected, nameOf }: EarlierRules,
  { book, memory, organizations, guard, profileOf }: Addresses,
): AppliedRules {
  const { forest, suggestions, names, kinds } = readLines(lines, book, memory);
  for (let number = 0; number < forest.mergeCount; number++) {
    const { one, other } = forest.merge(number);
    guard.join(one, other);
  }
  const wholeOf = (address: number): SummarizedAddress => {
    const { normal, kind, name } = profileOf(address);
    return { normal, kind, name: names.get(address) ?? name };
  };
  const partOf = (address: number): SummarizedAddress => ({
    normal: normalAddress(book.keyOf(address), organizations),
    kind: kinds.get(address) ?? "person",
    name: null,
  });
  return {
    ...{ forest, rules: lines },
    suggestions: suggestions.filter(({ one, other }) => guard.allows(one, other)),
    summarizing(addresses) {
      const keys = addresses.map((address) => book.keyOf(address));
      const unchangedName = keys.some((key) => key === "" || corrected.has(key)) ? undefined : nameOf(keys[0]!);
      const read = unchangedName === undefined ? wholeOf : partOf;
      const profiles = new Map(addresses.map((address) => [address, read(address)]));
      return unchangedName === undefined ? { profiles } : { profiles, unchangedName };
    },
    clear: () => undefined,
  };
}

/** What the lines say about addresses, by index. */
function readLines(lines: PagedObjects<RuleLine>, book: AddressBook, memory: PagedMemory) {
  const forest = new MergeForest(memory, book.size, () => null);
  const suggestions: Suggestion[] = [];
  const names = new Map<number, PersonName>();
  const kinds = new Map<number, AddressKind>();
  const indexOf = (text: string): number => book.indexOf(text)!;
  for (let at = 0; at < lines.length; at++) {
    const line = lines.at(at);
    if (line[0] === "merge") forest.joinAnyway(indexOf(line[1]), indexOf(line[2]), line[3]);
    else if (line[0] === "name") names.set(indexOf(line[1]), line[2]);
    else if (line[0] === "kind") kinds.set(indexOf(line[1]), line[2]);
    else suggestions.push({ one: indexOf(line[1]), other: indexOf(line[2]), bits: line[3], reason: line[4] });
  }
  return { forest, suggestions, names, kinds };
}
