import { NO_ENTRY } from "../columns/hash-index.ts";
import { NumberedTexts } from "../columns/numbered-texts.ts";
import { PagedUint32Column } from "../columns/paged-column.ts";
import type { PagedMemory } from "../columns/paged-memory.ts";
import { SharedKeys } from "./addresses/shared-keys.ts";

/** Number of organizations with one full name from which the name is common and connects none of them. */
const MAX_ORGANIZATIONS_OF_NAME = 8;
/**
 * Minimum full names that two organizations must share, and their minimum share of the smaller organization's names.
 */
const MIN_SHARED = 3;
const MIN_SHARE = 0.12;
const LARGE_SHARE = 0.4;
const MAX_BITS = 5;

/** Organizations whose people move between them: a company that was renamed, a parent and its subsidiary. */
export class SharedDomains {
  private readonly organizations: NumberedTexts;
  /** By organization: number of distinct full names. */
  private readonly people: PagedUint32Column;
  private readonly byName: SharedKeys;
  /** Pairs of organizations, with the number of full names they share. */
  private readonly pairs: NumberedTexts;
  private readonly shared: PagedUint32Column;

  constructor(memory: PagedMemory) {
    this.organizations = new NumberedTexts(memory);
    this.people = new PagedUint32Column(memory);
    this.byName = new SharedKeys(memory);
    this.pairs = new NumberedTexts(memory);
    this.shared = new PagedUint32Column(memory);
  }

  /** Counts a full name in an organization once. */
  add(nameKey: string, organization: string): void {
    const number = this.organizations.numberOf(organization);
    if (number === this.people.length) this.people.push(0);
    const known = this.byName.of(nameKey);
    if (known.includes(number) || known.length > MAX_ORGANIZATIONS_OF_NAME) return;
    this.byName.add(nameKey, number);
    this.people.set(number, this.people.at(number) + 1);
  }

  /**
   * Counts shared names of organizations. Call once, after all names are added.
   * @param isCommon true for names that several people have; two large organizations share such names by chance
   */
  settle(isCommon: (nameKey: string) => boolean): void {
    for (const { key, addresses: organizations } of this.byName.shared(() => false)) {
      if (organizations.length > MAX_ORGANIZATIONS_OF_NAME || isCommon(key)) continue;
      for (const [at, one] of organizations.entries())
        for (const other of organizations.slice(at + 1)) this.count(pairKey(one, other));
    }
  }

  /** Number of distinct full names of an organization. */
  peopleOf(organization: string): number {
    const number = this.organizations.find(organization);
    return number === NO_ENTRY ? 0 : this.people.at(number);
  }

  /** Number of people in both organizations, and the evidence from that. */
  between(one: string, other: string): { readonly shared: number; readonly bits: number } {
    const nothing = { shared: 0, bits: 0 };
    const numbers = [one, other].map((organization) => this.organizations.find(organization));
    if (one === other || numbers.includes(NO_ENTRY)) return nothing;
    const pair = this.pairs.find(pairKey(numbers[0]!, numbers[1]!));
    if (pair === NO_ENTRY) return nothing;
    const shared = this.shared.at(pair);
    const share = shared / Math.min(...numbers.map((number) => this.people.at(number)));
    if (shared < MIN_SHARED || share < MIN_SHARE) return nothing;
    return { shared, bits: Math.min(MAX_BITS, 1 + Math.log2(shared) + (share > LARGE_SHARE ? 1 : 0)) };
  }

  clear(): void {
    for (const part of [this.organizations, this.people, this.byName, this.pairs, this.shared]) part.clear();
  }

  private count(pair: string): void {
    const number = this.pairs.numberOf(pair);
    if (number === this.shared.length) this.shared.push(0);
    this.shared.set(number, this.shared.at(number) + 1);
  }
}

function pairKey(one: number, other: number): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}
