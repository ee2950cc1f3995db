import { NO_ENTRY } from "../columns/hash-index.ts";
import type { PagedMemory } from "../columns/paged-memory.ts";
import { PagedObjects } from "../columns/paged-objects.ts";
import type { Profiles } from "./address-profile.ts";
import { type AddressProfile, profileAddress } from "./address-profile.ts";
import type { AddressBook } from "./addresses/address-book.ts";
import type { Respelling } from "./addresses/address-form.ts";
import { findOrganizations } from "./addresses/organization.ts";
import type { SharedKeys } from "./addresses/shared-keys.ts";
import { assembleContacts, type GivenName, type ResolvedContacts } from "./assemble-contacts.ts";
import { type Evidence, gather, localKey, newEvidence, placeholders, type SiftedEvidence } from "./contact-evidence.ts";
import { summarizeContact } from "./contact-summary.ts";
import { NO_CORRECTIONS, type SettledCorrections } from "./corrections/correction.ts";
import { CorrectionGuard, pairsOf } from "./corrections/correction-guard.ts";
import { type Correspondence, NO_CORRESPONDENCE } from "./correspondence.ts";
import { repairNames } from "./damaged-name.ts";
import { joinByEvidence, type Suggestion } from "./evidence-stage.ts";
import { joinListedElsewhere } from "./listed-elsewhere.ts";
import { BY_HAND, type Merge, MergeForest } from "./merge-forest.ts";
import { groupNameVariants, type NameVariant } from "./names/name-variants.ts";
import type { ResolvedContact } from "./resolved-contact.ts";
import { type AppliedRules, type EarlierRules, type RuleLine, RuleLines, repeatRules } from "./rule-results.ts";
import { joinSimilarNames } from "./similar-names.ts";

/** Data about people besides their addresses. */
interface Knowledge {
  readonly mail?: Correspondence;
  readonly corrections?: SettledCorrections;
  /** Results of the rules in an earlier run, if they are still valid. */
  readonly earlier?: EarlierRules | null;
}

/** Maximum addresses joined only by name: more share a common name. */
const MAX_JOINED_BY_NAME = 12;

/**
 * Maximum addresses with one local part in one organization, or with one name and local part anywhere; more do not
 * belong to one person.
 */
const MAX_JOINED_BY_LOCAL_PART = 6;

/**
 * Maximum people with one family name in an organization for the name to be rare. With a common one, `ann.smith` at two
 * companies may be two people: only the name is the same.
 */
const MAX_OF_RARE_FAMILY = 10;

/** Maximum successive owners of one directory name; with more, they are not distinguished. */
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
 * entry, same full name in one organization, same local part in one organization, same full name and local part
 * anywhere, the initial and family name of the only such person in one organization, spellings of one rare name there.
 * No stage joins two different full names, except spellings of one. Role and robot addresses are never joined by name.
 * Only addresses that share a key are compared; all of them are stored in pages.
 * @param merge false: every address is a separate contact (addresses that differ only in letter case are one already).
 */
export function resolveContacts(
  book: AddressBook,
  memory: PagedMemory,
  merge: boolean,
  { mail = NO_CORRESPONDENCE, corrections = NO_CORRECTIONS, earlier = null }: Knowledge = {},
): ResolvedContacts & { readonly rules: PagedObjects<RuleLine> } {
  const indexOf = (address: string): number | undefined => book.indexOf(address);
  const organizations = findOrganizations(domainUses(book), memory);
  const lists = new Set(corrections.lists);
  const profileOf = (index: number): AddressProfile =>
    profileAddress(book, index, organizations, lists.has(book.keyOf(index)));
  const guard = new CorrectionGuard(memory, book.size, corrections, indexOf);
  const { forest, suggestions, summarizing, rules, clear } =
    earlier === null
      ? applyRules({ book, memory, mail, profileOf }, merge, guard)
      : repeatRules(earlier, { book, memory, organizations, guard, profileOf });
  guard.clear();
  for (const group of corrections.groups)
    for (const [one, other] of pairsOf(group, indexOf)) forest.joinAnyway(one, other, BY_HAND);
  const names = corrections.names.flatMap(({ name, main }) => {
    const address = indexOf(main);
    return address === undefined ? [] : [{ name, address }];
  });
  const summarize = (
    addresses: readonly number[],
    merges: readonly Merge[],
    given: GivenName | null,
  ): ResolvedContact => summarizeContact(book, addresses, { ...summarizing(addresses), given }, merges);
  return { ...assembleContacts({ forest, memory, names, suggestions, summarize, clear }), rules };
}

/** Inputs of the rules. */
interface RuleInput {
  readonly book: AddressBook;
  readonly memory: PagedMemory;
  readonly mail: Correspondence;
  profileOf(address: number): AddressProfile;
}

/** @param merge false: nothing is joined. */
function applyRules(
  { book, memory, mail, profileOf }: RuleInput,
  merge: boolean,
  guard: CorrectionGuard,
): AppliedRules {
  const profiles: Profiles = new PagedObjects(memory);
  for (let index = 0; index < book.size; index++) profiles.push(profileOf(index));
  const forest = new MergeForest(memory, book.size, (address) => profiles.at(address).name, guard);
  const rules = new RuleLines(book, memory);
  let suggestions: readonly Suggestion[] = [];
  if (merge) {
    const evidence = newEvidence(memory);
    for (const index of gatherAll(evidence, profiles)) rules.addName(index, profiles.at(index).name);
    const isLeftOut = placeholders(evidence, book.size, memory);
    const sifted = { ...evidence, isLeftOut };
    // Runs before anything is joined: a forest compares names.
    for (const index of turnReversedNames(sifted, profiles)) rules.addName(index, profiles.at(index).name);
    joinAll(sifted, profiles, forest);
    const rootOf = (address: number): number => forest.rootOf(address);
    const marksOf = (address: number): number => evidence.marks.at(address);
    const addresses = { size: book.size, profiles, marksOf, rootOf, isLeftOut };
    if (mail.messageCount > 0)
      suggestions = joinByEvidence({ book, addresses, mail, memory }, forest).filter(({ one, other }) =>
        guard.allows(one, other),
      );
    for (const part of Object.values(evidence)) part.clear();
  }
  for (let index = 0; index < profiles.length; index++) rules.addKind(index, profiles.at(index).kind);
  for (let number = 0; number < forest.mergeCount; number++) rules.addMerge(forest.merge(number));
  for (const suggestion of suggestions) rules.addSuggestion(suggestion);
  return {
    ...{ forest, suggestions, rules: rules.lines },
    summarizing: (addresses) => ({ profiles: profilesOf(addresses, profiles) }),
    clear: () => profiles.clear(),
  };
}

/** Collects the evidence of all addresses. Returns those whose damaged names were repaired. */
function gatherAll(evidence: Evidence, profiles: Profiles): readonly number[] {
  evidence.marks.extend(profiles.length, 0);
  for (let index = 0; index < profiles.length; index++) {
    const profile = profiles.at(index);
    if (profile.damaged === null) gather(profile, index, evidence);
    else evidence.damaged.push(index);
  }
  const repaired = repairNames(evidence.damaged, profiles);
  for (const index of evidence.damaged.values()) gather(profiles.at(index), index, evidence);
  return repaired;
}

function joinAll(evidence: SiftedEvidence, profiles: Profiles, forest: MergeForest): void {
  joinRespelled(evidence, profiles, forest);
  joinListedElsewhere(evidence, profiles, forest);
  joinDirectoryEntries(evidence, profiles, forest);
  joinNames(evidence, profiles, forest);
  joinLocalParts(evidence, forest);
  joinNamedLocalParts(evidence, profiles, forest);
  joinInitials(evidence, profiles, forest);
  joinSimilarNames(evidence, profiles, forest);
}

function* domainUses(book: AddressBook): Generator<readonly [domain: string, uses: number]> {
  for (let index = 0; index < book.size; index++) {
    const key = book.keyOf(index);
    const at = key.lastIndexOf("@");
    const domain = key.slice(at + 1);
    if (at > 0 && /^[\p{L}\d.-]+$/u.test(domain)) yield [domain, book.usesOf(index)];
  }
}

/**
 * Parses `reed.ann@` as Ann Reed if the same organization has an Ann Reed, nobody called Reed Ann, and few people
 * with that family name. Not if both words are given names: James Thomas and Thomas James are two people. Returns the
 * parsed addresses.
 */
function turnReversedNames({ spelled, families, isLeftOut }: SiftedEvidence, profiles: Profiles): readonly number[] {
  const turned: number[] = [];
  for (const index of spelled.values()) {
    const profile = profiles.at(index);
    const { name, organization } = profile;
    if (name === null || organization === null || isLeftOut(index)) continue;
    const isCalled = (address: number, given: string): boolean =>
      !isLeftOut(address) && profiles.at(address).name!.given === given;
    const namesakes = families.of(`${organization}\0${name.given}`).filter((at) => isCalled(at, name.family));
    const [first] = namesakes;
    if (first === undefined || hasCommonFamily(profiles.at(first), families, profiles)) continue;
    const asSpelled = families.of(`${organization}\0${name.family}`).filter((at) => isCalled(at, name.given));
    if (asSpelled.some((address) => !profiles.at(address).isSpelledOnly)) continue;
    const { given, family, generation, shown } = profiles.at(first).name!;
    profiles.set(index, { ...profile, name: { given, middle: "", family, generation, shown } });
    families.add(`${organization}\0${family}`, index);
    turned.push(index);
  }
  return turned;
}

function joinRespelled(evidence: SiftedEvidence, profiles: Profiles, forest: MergeForest): void {
  const { respelled, quoted, isLeftOut } = evidence;
  for (const { addresses } of respelled.shared(isLeftOut)) {
    const [first, ...others] = addresses as [number, ...number[]];
    const { respelling: firstRespelling } = profiles.at(first).normal;
    for (const other of others) {
      const { respelling } = profiles.at(other).normal;
      forest.join(first, other, RESPELLING_REASONS[respelling === "none" ? firstRespelling : respelling]);
    }
  }
  for (const index of quoted.values()) {
    if (isLeftOut(index)) continue;
    const reversed = reversedMailbox(profiles.at(index).normal.text);
    const other = reversed === null ? undefined : respelled.of(reversed).find((address) => !isLeftOut(address));
    if (other !== undefined) forest.join(other, index, "same address with its parts in the other order");
  }
}

/**
 * Returns `doe.ann@x` for `ann'.'doe@x`: some directories wrote the family name first, recognizable by the quotes
 * around the dot. Returns null for others.
 */
function reversedMailbox(text: string): string | null {
  const at = text.lastIndexOf("@");
  const parts = text.slice(0, Math.max(0, at)).split(".");
  return parts.length === 2 ? `${parts[1]}.${parts[0]}${text.slice(at)}` : null;
}

function joinDirectoryEntries({ listed, owners }: Evidence, profiles: Profiles, forest: MergeForest): void {
  for (const index of listed.values()) {
    for (const key of profiles.at(index).directoryKeys) {
      const reason = `same Exchange directory name (CN=${key.slice(key.lastIndexOf("\0") + 1)})`;
      const earlier = owners.of(key);
      const isOwned = joinFirstWilling(earlier, index, { reason, forest });
      if (!isOwned && earlier.length < MAX_OWNERS_OF_ENTRY) owners.add(key, index);
    }
  }
}

/** Joins an address to the first match; returns false if there is none. */
function joinFirstWilling(
  addresses: readonly number[],
  index: number,
  { reason, forest }: { readonly reason: string; readonly forest: MergeForest },
): boolean {
  for (const address of addresses) if (forest.join(address, index, reason)) break;
  return addresses.some((address) => forest.rootOf(address) === forest.rootOf(index));
}

function joinNames({ families, isLeftOut }: SiftedEvidence, profiles: Profiles, forest: MergeForest): void {
  for (const { key, addresses: members } of families.shared(isLeftOut)) {
    const [domain, family] = key.split("\0") as [string, string];
    const own = profilesOf(members, profiles);
    // A reversed name is still listed as written.
    const named = members.filter((address) => own.get(address)!.name!.family === family);
    for (const group of groupNameVariants(variantsOf(named, own))) {
      const addresses = namedAddresses(group, own);
      if (addresses.length < 2 || haveNamesakes(addresses, own)) continue;
      joinNamed(addresses, `same full name (${fullestName(group)}) within ${domain}`, forest);
    }
  }
}

/** An address without a name, whose local part is the initial and family name of exactly one person there. */
function joinInitials(evidence: SiftedEvidence, profiles: Profiles, forest: MergeForest): void {
  const { unnamed, initials, names, respelled, isLeftOut } = evidence;
  for (const index of unnamed.values()) {
    const { lone, organization, normal } = profiles.at(index);
    // Another spelling of an address that an export made up belongs to nobody here.
    if (respelled.of(normal.text).some((address) => profiles.at(address).organization !== organization)) continue;
    // `jones@` is unlikely to be J. Ones.
    if (isLeftOut(index) || names.find(lone!.word) !== NO_ENTRY) continue;
    const people = initials.of(`${organization}\0${lone!.word}`).filter((address) => !isLeftOut(address));
    const [first] = people;
    if (first === undefined || new Set(people.map((address) => forest.rootOf(address))).size > 1) continue;
    const { shown } = profiles.at(first).name!;
    forest.join(first, index, `initial and family name of the only such person (${shown}) within ${organization}`);
  }
}

/** Profiles of some addresses, by index. */
type OwnProfiles = ReadonlyMap<number, AddressProfile>;

function profilesOf(addresses: readonly number[], profiles: Profiles): OwnProfiles {
  return new Map(addresses.map((address) => [address, profiles.at(address)]));
}

/** The names of some addresses, with the addresses of each. */
function variantsOf(addresses: readonly number[], profiles: OwnProfiles): readonly NameVariant[] {
  const variants = new Map<string, NameVariant>();
  for (const address of addresses) {
    const name = profiles.get(address)!.name!;
    const spelling = `${name.given}\0${name.middle}\0${name.generation}`;
    const variant = variants.get(spelling);
    if (variant === undefined) variants.set(spelling, { name, addresses: [address] });
    else variant.addresses.push(address);
  }
  return [...variants.values()];
}

/**
 * Addresses of a group, ascending. If only the address contains a name, it is grouped by exact spelling, not by short
 * forms: `jack.doe` need not be John Doe.
 */
function namedAddresses(group: readonly NameVariant[], profiles: OwnProfiles): readonly number[] {
  const all = group.flatMap(({ name, addresses }) => addresses.map((address) => ({ address, given: name.given })));
  const isOneForm = new Set(group.map(({ name }) => name.given)).size === 1;
  const written = new Set(all.filter(({ address }) => !profiles.get(address)!.isSpelledOnly).map(({ given }) => given));
  return all
    .filter(({ address, given }) => isOneForm || !profiles.get(address)!.isSpelledOnly || written.has(given))
    .map(({ address }) => address)
    .sort((a, b) => a - b);
}

/** Joins equal local parts in one organization, ignoring separators between words, unless names contradict. */
function joinLocalParts({ localParts, isLeftOut }: SiftedEvidence, forest: MergeForest): void {
  for (const { key, addresses } of localParts.shared(isLeftOut)) {
    if (addresses.length > MAX_JOINED_BY_LOCAL_PART) continue;
    const reason = `same local part within ${key.slice(0, key.indexOf("\0"))}`;
    for (const address of addresses.slice(1)) forest.join(addresses[0]!, address, reason);
  }
}

/** Joins addresses with the same full name and local part: people who kept both with a new provider. */
function joinNamedLocalParts(
  { namedLocalParts, families, isLeftOut }: SiftedEvidence,
  profiles: Profiles,
  forest: MergeForest,
): void {
  for (const { addresses } of namedLocalParts.shared(isLeftOut)) {
    if (addresses.length > MAX_JOINED_BY_LOCAL_PART) continue;
    const first = profiles.at(addresses[0]!);
    const name = first.name!.shown;
    if (isNameItself(first) && addresses.some((address) => hasCommonFamily(profiles.at(address), families, profiles)))
      continue;
    for (const address of addresses.slice(1))
      forest.join(addresses[0]!, address, `same full name (${name}) and same local part`);
  }
}

/** True if the local part is the full name, and so adds no evidence. */
function isNameItself(profile: AddressProfile): boolean {
  return localKey(profile) === `${profile.name!.given}${profile.name!.family}`;
}

/** True if many people in the organization of an address have the family name of its owner. */
function hasCommonFamily({ name, organization }: AddressProfile, families: SharedKeys, profiles: Profiles): boolean {
  if (organization === null) return false;
  const given = new Set<string>();
  for (const address of families.of(`${organization}\0${name!.family}`)) {
    given.add(profiles.at(address).name!.given);
    if (given.size > MAX_OF_RARE_FAMILY) return true;
  }
  return false;
}

function joinNamed(addresses: readonly number[], reason: string, forest: MergeForest): void {
  if (new Set(addresses.map((address) => forest.rootOf(address))).size > MAX_JOINED_BY_NAME) return;
  for (const address of addresses.slice(1)) forest.join(addresses[0]!, address, reason);
}

function fullestName(group: readonly NameVariant[]): string {
  return group.reduce((fullest, { name }) => (name.shown.length > fullest.length ? name.shown : fullest), "");
}

/**
 * True if a directory distinguishes them: by numbers (`JDOE`, `JDOE2`), or by an entry for each of two given names
 * (`WDOE` and `BDOE`), one of which would be a short form of the other.
 */
function haveNamesakes(addresses: readonly number[], profiles: OwnProfiles): boolean {
  const entries = new Set(addresses.flatMap((address) => profiles.get(address)!.seenDirectoryKeys));
  if (new Set([...entries].map((entry) => entry.replace(/(?<![0-9])[0-9]+$/, ""))).size < entries.size) return true;
  const leavesOf = new Map<string, Set<string>>();
  for (const address of addresses) {
    const { name, directoryKeys } = profiles.get(address)!;
    const leaves = leavesOf.get(name!.given) ?? new Set<string>();
    leavesOf.set(name!.given, leaves);
    for (const key of directoryKeys) if (!NOTES_LEAF.test(key)) leaves.add(key);
  }
  const named = [...leavesOf.values()].filter((leaves) => leaves.size > 0);
  return named.length > 1 && !named.every((leaves, at) => at === 0 || [...leaves].some((leaf) => named[0]!.has(leaf)));
}

/** A leaf of random digits from a Notes migration: not evidence of a name. */
const NOTES_LEAF = /\0[0-9A-F]{4,8}(?:-[0-9A-F]{4,8}){2,3}$/;
