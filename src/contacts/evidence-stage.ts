import { NumberLists } from "../columns/number-lists.ts";
import { PagedInt32Column, PagedUint8Column } from "../columns/paged-column.ts";
import { PagedGroups } from "../columns/paged-groups.ts";
import type { PagedMemory } from "../columns/paged-memory.ts";
import { PagedObjects } from "../columns/paged-objects.ts";
import type { AddressBook } from "./addresses/address-book.ts";
import { type ContactTraits, traitsOf } from "./contact-traits.ts";
import { type Correspondence, Correspondents } from "./correspondence.ts";
import { type Addresses, type Blocks, findBlocks } from "./evidence-blocks.ts";
import type { Surroundings, Term } from "./evidence-term.ts";
import type { MergeForest } from "./merge-forest.ts";
import { compareNames, type FullName, fullNameOf } from "./names/full-name.ts";
import type { PersonName } from "./names/person-name.ts";
import { evidenceOf } from "./pair-evidence.ts";
import { tiesBetween } from "./pair-ties.ts";

/** Bits of evidence that join two contacts. */
const JOINING_BITS = 5;
/** Bits from which a pair is suggested to the user. */
const SUGGESTED_BITS = 2;
/** Bits are counted in hundredths, so that sums do not depend on their order. */
const PER_BIT = 100;
/** Maximum suggested pairs. */
const MAX_SUGGESTIONS = 1_000;
/** Maximum contacts that evidence joins into one; with more of one name, the evidence is ambiguous. */
const MAX_CLUSTER = 10;
/** Above every score, in hundredths of a bit. */
const TOP_SCORE = 1 << 16;

/** Two possibly identical contacts by their roots, with the evidence. */
interface WeighedPair {
  readonly one: number;
  readonly other: number;
  /** Hundredths of a bit. */
  readonly score: number;
  readonly terms: readonly Term[];
}

/** Two possibly identical addresses with insufficient evidence, in words. */
export interface Suggestion {
  readonly one: number;
  readonly other: number;
  readonly bits: number;
  readonly reason: string;
}

/** Inputs of the stage. */
interface EvidenceInput {
  readonly book: AddressBook;
  readonly addresses: Addresses;
  readonly mail: Correspondence;
  readonly memory: PagedMemory;
}

/** Weighs contacts against each other that other rules left apart. */
class EvidenceScale {
  private readonly blocks: Blocks;
  private readonly watched: PagedInt32Column;
  private readonly correspondents: Correspondents;
  private readonly traits: PagedObjects<ContactTraits>;
  private readonly around: Surroundings;

  constructor(private readonly input: EvidenceInput) {
    const { addresses, mail, memory } = input;
    this.blocks = findBlocks(addresses, mail, memory);
    this.watched = contactsIn(this.blocks.pairs, addresses.size, memory);
    this.correspondents = new Correspondents(memory, addresses.size, this.watched.values());
    this.correspondents.read(mail, addresses.rootOf);
    this.traits = new PagedObjects(memory);
    this.gatherTraits();
    const { rarity, domains, locals, forms } = this.blocks;
    this.around = {
      rarity,
      domains,
      contactsWithLocal: (local) => new Set(locals.of(local)).size,
      peopleFitting: (form) => this.peopleOf(forms.of(form)),
    };
  }

  /** All pairs with enough evidence for a suggestion; stronger ones are joined. */
  *pairs(): Generator<WeighedPair> {
    for (const { key: one, members } of this.blocks.pairs.byKey()) {
      for (const other of new Set(members)) {
        const pair = this.weigh(one, other);
        if (pair !== null && pair.score >= SUGGESTED_BITS * PER_BIT) yield pair;
      }
    }
  }

  /** Returns null without evidence. */
  weigh(one: number, other: number): WeighedPair | null {
    const [first, second] = [this.traitsOf(one), this.traitsOf(other)];
    const isInOrder = first.key <= second.key;
    const [a, b] = isInOrder ? [one, other] : [other, one];
    const pair = isInOrder ? { one: first, other: second } : { one: second, other: first };
    const terms = evidenceOf({ ...pair, ties: tiesBetween(this.correspondents, a, b) }, this.around);
    if (terms === null) return null;
    const score = terms.reduce((sum, { bits }) => sum + Math.round(bits * PER_BIT), 0);
    return { one: a, other: b, score, terms };
  }

  traitsOf(contact: number): ContactTraits {
    return this.traits.at(this.correspondents.placeOf(contact));
  }

  clear(): void {
    const { rarity, domains, locals, forms, pairs } = this.blocks;
    for (const part of [rarity, domains, locals, forms, pairs, this.watched, this.correspondents, this.traits])
      part.clear();
  }

  private gatherTraits(): void {
    const { book, memory, addresses } = this.input;
    const members = new NumberLists(memory);
    members.extend(addresses.size);
    for (let address = 0; address < addresses.size; address++) {
      const root = addresses.rootOf(address);
      if (this.correspondents.isWatched(root)) members.add(root, address);
    }
    for (const contact of this.watched.values()) {
      const own = members.of(contact).map((address) => ({ address, profile: addresses.profiles.at(address) }));
      this.traits.push(traitsOf(book, own, this.correspondents.writersTo(contact)));
    }
    members.clear();
  }

  /** Number of people that contacts with one of these full names may be: one, or several. */
  private peopleOf(contacts: readonly number[]): number {
    const names = [...new Set(contacts)].flatMap((contact) =>
      this.correspondents.isWatched(contact) ? (fullestName(this.traitsOf(contact)) ?? []) : [],
    );
    const [first] = names;
    if (first === undefined) return 0;
    return names.every((name) => compareNames(first, name) !== null) ? 1 : names.length;
  }
}

function fullestName({ name, spelledName }: ContactTraits): FullName | null {
  return name ?? spelledName;
}

/** Contacts in any pair, ascending. */
function contactsIn(pairs: PagedGroups, size: number, memory: PagedMemory): PagedInt32Column {
  const isIn = new PagedUint8Column(memory);
  isIn.extend(size, 0);
  for (let at = 0; at < pairs.length; at++)
    for (const column of [pairs.keys, pairs.members]) isIn.set(column.at(at), 1);
  const contacts = new PagedInt32Column(memory);
  for (let contact = 0; contact < size; contact++) if (isIn.at(contact) === 1) contacts.push(contact);
  isIn.clear();
  return contacts;
}

/**
 * Joins contacts with sufficient evidence, the strongest pair first. Never joins two different full names, or a pair
 * with evidence against it. Returns the pairs that stay apart despite some evidence.
 */
export function joinByEvidence(input: EvidenceInput, forest: MergeForest): readonly Suggestion[] {
  const scale = new EvidenceScale(input);
  const joining = new PagedObjects<WeighedPair>(input.memory);
  const byScore = new PagedGroups(input.memory);
  const likely = new PagedObjects<WeighedPair>(input.memory);
  for (const pair of scale.pairs()) {
    likely.push(pair);
    if (pair.score < JOINING_BITS * PER_BIT) continue;
    byScore.push(TOP_SCORE - pair.score, joining.length);
    joining.push(pair);
  }
  const clusters = new Map<number, readonly number[]>();
  const keyOf = ({ one, other }: WeighedPair): string => `${scale.traitsOf(one).key}\0${scale.traitsOf(other).key}`;
  for (const { members } of byScore.byKey()) {
    const pairs = Array.from(members, (at) => ({ pair: joining.at(at), key: keyOf(joining.at(at)) }));
    for (const { pair } of pairs.sort((a, b) => (a.key < b.key ? -1 : 1))) joinPair(pair, { scale, forest, clusters });
  }
  const suggestions = suggestionsOf(likely, { scale, forest }, input.book);
  for (const part of [byScore, joining, likely]) part.clear();
  scale.clear();
  return suggestions;
}

/** Suggested pairs, those with the most messages first; of several between the same contacts, the most likely. */
function suggestionsOf(
  likely: PagedObjects<WeighedPair>,
  { scale, forest }: Pick<Joining, "scale" | "forest">,
  book: AddressBook,
): readonly Suggestion[] {
  const apart = new Map<string, Suggestion & { readonly uses: number }>();
  for (let at = 0; at < likely.length; at++) {
    const { one, other, score, terms } = likely.at(at);
    const roots = [forest.rootOf(one), forest.rootOf(other)].sort((a, b) => a - b);
    const key = roots.join();
    const bits = score / PER_BIT;
    if (roots[0] === roots[1] || (apart.get(key)?.bits ?? 0) >= bits) continue;
    const [from, to] = [scale.traitsOf(one).address, scale.traitsOf(other).address];
    // Corrections are by address.
    if (book.keyOf(from) === "" || book.keyOf(to) === "") continue;
    const uses = Math.min(book.usesOf(from), book.usesOf(to));
    apart.set(key, { one: from, other: to, bits, reason: wordsOf(terms), uses });
  }
  return [...apart.values()].sort((a, b) => b.uses - a.uses || b.bits - a.bits).slice(0, MAX_SUGGESTIONS);
}

interface Joining {
  readonly scale: EvidenceScale;
  readonly forest: MergeForest;
  /** Maps joined contacts to their current root. */
  readonly clusters: Map<number, readonly number[]>;
}

function joinPair({ one, other, score, terms }: WeighedPair, { scale, forest, clusters }: Joining): void {
  const [a, b] = [forest.rootOf(one), forest.rootOf(other)];
  if (a === b) return;
  const ones = clusters.get(a) ?? [one];
  const others = clusters.get(b) ?? [other];
  if (ones.length + others.length > MAX_CLUSTER) return;
  const isAgainst = ones.some((x) =>
    others.some((y) => (x !== one || y !== other) && (scale.weigh(x, y)?.score ?? 0) < 0),
  );
  if (isAgainst) return;
  const [from, to] = [scale.traitsOf(one).address, scale.traitsOf(other).address];
  if (!forest.join(from, to, reasonOf(score, terms), mayBeOneName)) return;
  clusters.delete(a);
  clusters.delete(b);
  clusters.set(forest.rootOf(one), [...ones, ...others]);
}

function mayBeOneName(one: PersonName, other: PersonName): boolean {
  const difference = compareNames(fullNameOf(one), fullNameOf(other));
  return difference !== null && difference.middleInitials !== "different";
}

/** Evidence for and against it, the strongest first. */
function reasonOf(score: number, terms: readonly Term[]): string {
  return `same person (${(score / PER_BIT).toFixed(1)} bits: ${wordsOf(terms)})`;
}

function wordsOf(terms: readonly Term[]): string {
  const inOrder = [...terms].sort((a, b) => Math.abs(b.bits) - Math.abs(a.bits));
  const words = inOrder.filter(({ bits }) => bits > 0).map((term) => term.words);
  const against = inOrder.filter(({ bits }) => bits < 0).map((term) => term.words);
  return [...words, ...(against.length === 0 ? [] : [`against it: ${against.join(", ")}`])].join("; ");
}
