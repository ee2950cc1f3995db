import { NumberLists } from "../columns/number-lists.ts";
import { PagedInt32Column } from "../columns/paged-column.ts";
import type { PagedMemory } from "../columns/paged-memory.ts";
import type { Suggestion } from "./evidence-stage.ts";
import type { Merge, MergeForest } from "./merge-forest.ts";
import type { ResolvedContact } from "./resolved-contact.ts";

export interface ResolvedContacts {
  /** Address index to contact index. */
  readonly contactOf: PagedInt32Column;
  readonly count: number;
  /** Addresses of a contact, ascending. */
  addressesOf(contact: number): readonly number[];
  /**
   * Summaries of all contacts in order of first appearance, one at a time, since each takes 400 bytes. Call once: it
   * releases the evidence.
   */
  summaries(): Generator<ResolvedContact>;
  /** Pairs of addresses whose contacts may be one person, the best first. */
  readonly suggestions: readonly Suggestion[];
}

/** Name and main address set by the user. */
export interface GivenName {
  readonly name: string;
  readonly address: number;
}

/** The joined addresses, from which each contact is built. */
interface Resolution {
  readonly forest: MergeForest;
  readonly memory: PagedMemory;
  readonly names: readonly GivenName[];
  readonly suggestions: readonly Suggestion[];
  summarize(addresses: readonly number[], merges: readonly Merge[], given: GivenName | null): ResolvedContact;
  /** Releases the evidence. */
  clear(): void;
}

export function assembleContacts({ forest, memory, names, suggestions, ...resolution }: Resolution): ResolvedContacts {
  const contactOf = new PagedInt32Column(memory);
  const members = new NumberLists(memory);
  for (let index = 0; index < forest.size; index++) {
    const root = forest.rootOf(index);
    const contact = root === index ? members.length : contactOf.at(root);
    contactOf.push(contact);
    if (root === index) members.begin(index);
    else members.add(contact, index);
  }
  const merges = new NumberLists(memory);
  merges.extend(members.length);
  for (let merge = 0; merge < forest.mergeCount; merge++) merges.add(contactOf.at(forest.merge(merge).one), merge);
  const given = new Map(names.map((name) => [contactOf.at(name.address), name]));
  function* summaries(): Generator<ResolvedContact> {
    for (let contact = 0; contact < members.length; contact++) {
      const evidence = merges.of(contact).map((merge) => forest.merge(merge));
      yield resolution.summarize(members.of(contact), evidence, given.get(contact) ?? null);
    }
    for (const part of [forest, merges]) part.clear();
    resolution.clear();
  }
  return {
    contactOf,
    count: members.length,
    addressesOf: (contact) => members.of(contact),
    summaries,
    suggestions: suggestions.filter(({ one, other }) => contactOf.at(one) !== contactOf.at(other)),
  };
}
