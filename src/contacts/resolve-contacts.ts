import { groupByKey } from "../columns/grouping.ts";
import type { AddressBook } from "./address-book.ts";
import { localPartOf, type Respelling } from "./address-form.ts";
import { type AddressProfile, type LoneWord, profileAddress } from "./address-profile.ts";
import { summarizeContact } from "./contact-summary.ts";
import { fullGivenNames, isKnownGivenName } from "./given-names.ts";
import { type Merge, MergeForest } from "./merge-forest.ts";
import { groupNameVariants, type NameVariant } from "./name-variants.ts";
import { learnOrganisations } from "./organisation.ts";
import type { ResolvedContact } from "./resolved-contact.ts";

export interface ResolvedContacts {
  /** Address index to contact index. */
  readonly contactOf: Int32Array;
  readonly count: number;
  /**
   * Says of each contact what it is, in order of first appearance: for whoever takes them one by one, as all of them
   * are 400 bytes each.
   */
  summaries(): Generator<ResolvedContact>;
}

/** Addresses that a name alone may join; a crowd of more is a common name, not a person with many mailboxes. */
const MAX_JOINED_BY_NAME = 12;

/** Letters of a word behind a dot that is taken for a name that nobody else here has. */
const MAX_REMNANT_LETTERS = 8;

/** Letters of a local part that is one person's within an organisation: shorter ones are initials. */
const MIN_LOCAL_LETTERS = 3;

/**
 * Addresses with one local part in one organisation, or with one name and local part anywhere; more are no person's.
 */
const MAX_JOINED_BY_LOCAL_PART = 6;

/** Persons one directory name went to one after the other; more than these are not told apart. */
const MAX_OWNERS_OF_ENTRY = 4;

const RESPELLING_REASONS: Readonly<Record<Respelling, string>> = {
  none: "same address in another spelling",
  quotes: "same address in another spelling",
  tag: "same mailbox, written with a +tag",
  gmail: "same Gmail mailbox, where dots do not count",
  encapsulated: "same address in its Exchange form",
  completed: "same address without its top-level domain",
  name: "same name, no address given",
};

/**
 * Resolves addresses to contacts on evidence, in stages: same address in another spelling, same Exchange directory
 * entry, same full name within one organisation, same local part within one, same full name and local part anywhere. No
 * stage joins two different full names. Role and robot addresses are never joined by name.
 * @param merge false: every address is a contact of its own (those that differ in letter case only are one address
 * already).
 */
export function resolveContacts(book: AddressBook, merge: boolean): ResolvedContacts {
  const organisations = learnOrganisations(domainUses(book));
  const profiles: AddressProfile[] = [];
  for (let index = 0; index < book.size; index++) profiles.push(profileAddress(book, index, organisations));
  const forest = new MergeForest(profiles.map((profile) => profile.name));
  if (merge) {
    const placeholders = findPlaceholders(profiles);
    const candidates = profiles.map((profile, index) => (placeholders.has(index) ? null : profile));
    joinRespelled(candidates, forest);
    joinDirectoryEntries(candidates, forest);
    joinNames(candidates, forest);
    joinLocalParts(candidates, forest);
    joinNamedLocalParts(candidates, forest);
  }
  return assembleContacts(book, profiles, forest);
}

/** Profiles of addresses that may be joined; null for those that stand for nobody in particular. */
type Candidates = readonly (AddressProfile | null)[];

/**
 * Addresses that are a lone given or family name: what is left of one that some gateway cut (`.ann@`), or what people
 * type for several of that name. They never merge.
 */
function findPlaceholders(profiles: readonly AddressProfile[]): ReadonlySet<number> {
  const names = nameWordsOf(profiles);
  const placeholders = new Set<number>();
  for (const [index, { lone, directoryKeys }] of profiles.entries()) {
    if (lone !== null && directoryKeys.length === 0 && isForNobody(lone, names)) placeholders.add(index);
  }
  return placeholders;
}

/** Every given and family name that some address has. */
function nameWordsOf(profiles: readonly AddressProfile[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { name } of profiles) {
    if (name === null) continue;
    for (const given of fullGivenNames(name.given)) words.add(given);
    words.add(name.family);
  }
  return words;
}

function isForNobody(lone: LoneWord, names: ReadonlySet<string>): boolean {
  if (lone.isDotted && lone.word.length <= MAX_REMNANT_LETTERS) return true;
  return (lone.isOpened || lone.isDotted || lone.isShared) && names.has(lone.word);
}

function domainUses(book: AddressBook): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (let index = 0; index < book.size; index++) {
    const key = book.keyOf(index);
    const at = key.lastIndexOf("@");
    const domain = key.slice(at + 1);
    if (at > 0 && /^[\p{L}\d.-]+$/u.test(domain)) uses.set(domain, (uses.get(domain) ?? 0) + book.usesOf(index));
  }
  return uses;
}

function joinRespelled(candidates: Candidates, forest: MergeForest): void {
  const firsts = new Map<string, number>();
  for (const [index, candidate] of candidates.entries()) {
    if (candidate === null || candidate.normal.form === "malformed") continue;
    const { normal } = candidate;
    const first = firsts.get(normal.text);
    if (first === undefined) {
      firsts.set(normal.text, index);
      continue;
    }
    const respelling = normal.respelling === "none" ? candidates[first]!.normal.respelling : normal.respelling;
    forest.join(first, index, RESPELLING_REASONS[respelling]);
  }
  joinReversed(candidates, firsts, forest);
}

/** @param firsts the first address of each normal form. */
function joinReversed(candidates: Candidates, firsts: ReadonlyMap<string, number>, forest: MergeForest): void {
  for (const [index, candidate] of candidates.entries()) {
    const reversed =
      candidate === null || candidate.normal.respelling !== "quotes" ? null : reversedMailbox(candidate.normal.text);
    const other = reversed === null ? undefined : firsts.get(reversed);
    if (other !== undefined) forest.join(other, index, "same address with its parts in the other order");
  }
}

/**
 * `doe.ann@x` of `ann'.'doe@x`: some directories wrote the family name first, and quotes around the dot are what tells.
 * Null for others.
 */
function reversedMailbox(text: string): string | null {
  const at = text.lastIndexOf("@");
  const parts = text.slice(0, Math.max(0, at)).split(".");
  return parts.length === 2 ? `${parts[1]}.${parts[0]}${text.slice(at)}` : null;
}

function joinDirectoryEntries(candidates: Candidates, forest: MergeForest): void {
  const owners = new Map<string, number[]>();
  for (const [index, candidate] of candidates.entries()) {
    for (const key of candidate?.directoryKeys ?? []) {
      const reason = `same Exchange directory name (CN=${key.slice(key.lastIndexOf("\0") + 1)})`;
      const earlier = owners.get(key) ?? [];
      const isOwned = joinFirstWilling(earlier, index, { reason, forest });
      if (!isOwned && earlier.length < MAX_OWNERS_OF_ENTRY) owners.set(key, [...earlier, index]);
    }
  }
}

/** Joins an address to the first that it goes with; false when it goes with none of them. */
function joinFirstWilling(
  addresses: readonly number[],
  index: number,
  { reason, forest }: { readonly reason: string; readonly forest: MergeForest },
): boolean {
  for (const address of addresses) if (forest.join(address, index, reason)) break;
  return addresses.some((address) => forest.rootOf(address) === forest.rootOf(index));
}

function joinNames(candidates: Candidates, forest: MergeForest): void {
  for (const [family, members] of familiesOf(candidates)) {
    if (members.length < 2) continue;
    const domain = family.slice(0, family.indexOf("\0"));
    for (const group of groupNameVariants(variantsOf(members, candidates))) {
      const addresses = namedAddresses(group, candidates);
      if (addresses.length < 2 || haveNamesakes(addresses, candidates)) continue;
      joinNamed(addresses, `same full name (${fullestName(group)}) within ${domain}`, forest);
    }
  }
}

/** People by organisation and family name. */
function familiesOf(candidates: Candidates): ReadonlyMap<string, readonly number[]> {
  const families = new Map<string, number[]>();
  for (const [index, candidate] of candidates.entries()) {
    if (candidate === null) continue;
    const { kind, name, organisation } = candidate;
    if (kind !== "person" || name === null || organisation === null) continue;
    const family = `${organisation}\0${name.family}`;
    const members = families.get(family);
    if (members === undefined) families.set(family, [index]);
    else members.push(index);
  }
  return families;
}

/** The names of some addresses, with the addresses of each. */
function variantsOf(addresses: readonly number[], profiles: Candidates): readonly NameVariant[] {
  const variants = new Map<string, NameVariant>();
  for (const address of addresses) {
    const name = profiles[address]!.name!;
    const spelling = `${name.given}\0${name.middle}\0${name.generation}`;
    const variant = variants.get(spelling);
    if (variant === undefined) variants.set(spelling, { name, addresses: [address] });
    else variant.addresses.push(address);
  }
  return [...variants.values()];
}

/**
 * Addresses of a group, ascending. One whose name only the address spells counts with those written alike, not with a
 * short form of it: `jack.doe` need not be John Doe.
 */
function namedAddresses(group: readonly NameVariant[], profiles: Candidates): readonly number[] {
  const all = group.flatMap(({ name, addresses }) => addresses.map((address) => ({ address, given: name.given })));
  const isOneForm = new Set(group.map(({ name }) => name.given)).size === 1;
  const written = new Set(all.filter(({ address }) => !profiles[address]!.isSpelledOnly).map(({ given }) => given));
  return all
    .filter(({ address, given }) => isOneForm || !profiles[address]!.isSpelledOnly || written.has(given))
    .map(({ address }) => address)
    .sort((a, b) => a - b);
}

/**
 * The same local part within one organisation, whatever stands between its words: a person's, unless names say
 * otherwise.
 */
function joinLocalParts(candidates: Candidates, forest: MergeForest): void {
  const holders = new Map<string, number[]>();
  for (const [index, candidate] of candidates.entries()) {
    if (candidate === null || candidate.organisation === null || candidate.kind !== "person") continue;
    const local = localKey(candidate);
    // Of one word that is a name, and no full name beside it, there may be one in every office.
    if (local !== null && (candidate.lone === null || candidate.name !== null || !isKnownGivenName(local)))
      add(holders, `${candidate.organisation}\0${local}`, index);
  }
  for (const [key, addresses] of holders) {
    if (addresses.length < 2 || addresses.length > MAX_JOINED_BY_LOCAL_PART) continue;
    const reason = `same local part within ${key.slice(0, key.indexOf("\0"))}`;
    for (const address of addresses.slice(1)) forest.join(addresses[0]!, address, reason);
  }
}

/**
 * The same full name, written beside both, and the same local part: somebody who kept both when the provider changed.
 */
function joinNamedLocalParts(candidates: Candidates, forest: MergeForest): void {
  const holders = new Map<string, number[]>();
  for (const [index, candidate] of candidates.entries()) {
    if (candidate === null || candidate.kind !== "person" || candidate.name === null || candidate.isSpelledOnly)
      continue;
    const local = localKey(candidate);
    if (local !== null && local !== candidate.name.given && !isKnownGivenName(local))
      add(holders, `${candidate.name.given}\0${candidate.name.family}\0${local}`, index);
  }
  for (const addresses of holders.values()) {
    if (addresses.length < 2 || addresses.length > MAX_JOINED_BY_LOCAL_PART) continue;
    const name = candidates[addresses[0]!]!.name!.shown;
    for (const address of addresses.slice(1))
      forest.join(addresses[0]!, address, `same full name (${name}) and same local part`);
  }
}

/** A local part without what stands between its words; null where too little is left to tell. */
function localKey({ normal }: AddressProfile): string | null {
  const local = localPartOf(normal)?.replaceAll(/[._-]/g, "") ?? "";
  return local.length < MIN_LOCAL_LETTERS ? null : local;
}

function add(lists: Map<string, number[]>, key: string, index: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [index]);
  else list.push(index);
}

function joinNamed(addresses: readonly number[], reason: string, forest: MergeForest): void {
  if (new Set(addresses.map((address) => forest.rootOf(address))).size > MAX_JOINED_BY_NAME) return;
  for (const address of addresses.slice(1)) forest.join(addresses[0]!, address, reason);
}

function fullestName(group: readonly NameVariant[]): string {
  return group.reduce((fullest, { name }) => (name.shown.length > fullest.length ? name.shown : fullest), "");
}

/**
 * True when a directory tells them apart: by numbers (`JDOE`, `JDOE2`), or by an entry for each of two given names
 * (`WDOE` and `BDOE`), where one would be short for the other.
 */
function haveNamesakes(addresses: readonly number[], profiles: Candidates): boolean {
  const entries = new Set(addresses.flatMap((address) => profiles[address]!.seenDirectoryKeys));
  if (new Set([...entries].map((entry) => entry.replace(/(?<![0-9])[0-9]+$/, ""))).size < entries.size) return true;
  const leavesOf = new Map<string, Set<string>>();
  for (const address of addresses) {
    const { name, directoryKeys } = profiles[address]!;
    const leaves = leavesOf.get(name!.given) ?? new Set<string>();
    leavesOf.set(name!.given, leaves);
    for (const key of directoryKeys) if (!NOTES_LEAF.test(key)) leaves.add(key);
  }
  const named = [...leavesOf.values()].filter((leaves) => leaves.size > 0);
  return named.length > 1 && !named.every((leaves, at) => at === 0 || [...leaves].some((leaf) => named[0]!.has(leaf)));
}

/** A leaf that a Notes migration made of random numbers: it tells nothing of the name. */
const NOTES_LEAF = /\0[0-9A-F]{4,8}(?:-[0-9A-F]{4,8}){2,3}$/;

function assembleContacts(
  book: AddressBook,
  profiles: readonly AddressProfile[],
  forest: MergeForest,
): ResolvedContacts {
  const contactOf = new Int32Array(profiles.length);
  let count = 0;
  for (let index = 0; index < profiles.length; index++) {
    const root = forest.rootOf(index);
    contactOf[index] = root === index ? count++ : contactOf[root]!;
  }
  const merges = new Map<number, Merge[]>();
  for (const merge of forest.merges) {
    const contact = contactOf[merge.one]!;
    const own = merges.get(contact);
    if (own === undefined) merges.set(contact, [merge]);
    else own.push(merge);
  }
  function* summaries(): Generator<ResolvedContact> {
    const { starts, members } = groupByKey(contactOf, count);
    for (let contact = 0; contact < count; contact++) {
      const addresses = Array.from(members.subarray(starts[contact], starts[contact + 1]));
      yield summarizeContact(book, addresses, profiles, merges.get(contact) ?? []);
    }
  }
  return { contactOf, count, summaries };
}
