import { PagedUint8Column } from "../columns/paged-column.ts";
import { PagedGroups } from "../columns/paged-groups.ts";
import type { PagedMemory } from "../columns/paged-memory.ts";
import type { AddressProfile, Profiles } from "./address-profile.ts";
import { localPartOf } from "./addresses/address-form.ts";
import { SharedKeys } from "./addresses/shared-keys.ts";
import { isPlainName, lettersOf } from "./contact-traits.ts";
import type { Correspondence } from "./correspondence.ts";
import { type FullName, fullNameOf, nameKey } from "./names/full-name.ts";
import { comparableLocalPart, localFormsOf } from "./names/local-part-forms.ts";
import { NameRarity } from "./names/name-rarity.ts";
import { SharedDomains } from "./shared-domains.ts";

/** Maximum contacts with a key that are compared in pairs; more share a common name. */
const MAX_BLOCK = 40;
/** Letters of a local part that strangers hardly share. */
const MIN_LOCAL = 6;

/** Evidence of an address about its contact. */
const NAMED = 1;
const NEVER_JOINED = 2;

/** Evidence of an address about its contact, as bits. */
export function contactMarks({ kind, naming, normal, name, isSpelledOnly }: AddressProfile): number {
  const mayBePerson = (kind === "person" || kind === "role") && !naming.isShared && normal.form !== "malformed";
  if (!mayBePerson) return NEVER_JOINED;
  return name !== null && !isSpelledOnly ? NAMED : 0;
}

/** Contacts by shared features, and the frequency of names. */
export interface Blocks {
  readonly rarity: NameRarity;
  readonly domains: SharedDomains;
  /** By local part, and by local part derived from names. */
  readonly locals: SharedKeys;
  readonly forms: SharedKeys;
  /** Pairs of contacts that share a key, by the smaller number, possibly repeated. */
  readonly pairs: PagedGroups;
}

export interface Addresses {
  readonly size: number;
  readonly profiles: Profiles;
  /** `contactMarks` of an address. */
  marksOf(address: number): number;
  rootOf(address: number): number;
  /** True for impersonal addresses. */
  isLeftOut(address: number): boolean;
}

/** Finds pairs of contacts to compare in detail. */
export function findBlocks(addresses: Addresses, mail: Correspondence, memory: PagedMemory): Blocks {
  const { size, profiles, rootOf } = addresses;
  const marks = marksByContact(addresses, memory);
  const blocks: Blocks = {
    rarity: new NameRarity(memory),
    domains: new SharedDomains(memory),
    locals: new SharedKeys(memory),
    forms: new SharedKeys(memory),
    pairs: new PagedGroups(memory),
  };
  const names = new SharedKeys(memory);
  const named = { names, ...blocks };
  // Contacts without a name first: others are only counted if one of these has the local part.
  for (const [wanted, add] of [
    [0, addUnnamed],
    [0, addSpelled],
    [NAMED, addNamed],
  ] as const) {
    for (let address = 0; address < size; address++) {
      const root = rootOf(address);
      if (marks.at(root) === wanted) add(profiles.at(address), root, named);
    }
  }
  blocks.domains.settle((key) => blocks.rarity.isCommon(key));
  const isNamed = (contact: number): boolean => marks.at(contact) === NAMED;
  addPairs(names, blocks.pairs, () => true);
  for (const keys of [blocks.locals, blocks.forms])
    addPairs(keys, blocks.pairs, (one, other) => !isNamed(one) || !isNamed(other));
  for (const pair of mail.ownAddresses()) {
    const [one, other] = pair.map(rootOf).sort((a, b) => a - b) as [number, number];
    if (one !== other && ((marks.at(one) | marks.at(other)) & NEVER_JOINED) === 0) blocks.pairs.push(one, other);
  }
  for (const part of [marks, names]) part.clear();
  return blocks;
}

function marksByContact({ size, rootOf, marksOf, isLeftOut }: Addresses, memory: PagedMemory): PagedUint8Column {
  const marks = new PagedUint8Column(memory);
  marks.extend(size, 0);
  for (let address = 0; address < size; address++) {
    const flags = marksOf(address) | (isLeftOut(address) ? NEVER_JOINED : 0);
    const root = rootOf(address);
    if (flags !== 0) marks.set(root, marks.at(root) | flags);
  }
  return marks;
}

interface NamedBlocks extends Blocks {
  /** By full name. */
  readonly names: SharedKeys;
}

function addNamed(profile: AddressProfile, root: number, { names, rarity, domains, locals, forms }: NamedBlocks): void {
  const { name, isSpelledOnly } = profile;
  const local = localOf(profile);
  if (local.length >= MIN_LOCAL && locals.has(local)) locals.add(local, root);
  if (name === null || isSpelledOnly) return;
  const full = fullNameOf(name);
  rarity.add(full);
  addName(full, profile, { root, names, domains, forms });
}

/** A name in each form that another of the same person may have. */
function nameKeys(name: FullName): Iterable<string> {
  const { given, longForms, middles, family } = name;
  if (longForms.length === 1 && middles.length === 0) return [nameKey(name)];
  const keys = new Set([given, ...longForms].map((form) => nameKey({ given: form, family })));
  for (const middle of middles) if (middle.length > 1) keys.add(nameKey({ given, family: middle }));
  return keys;
}

interface NamedPlaces extends Pick<NamedBlocks, "names" | "domains" | "forms"> {
  readonly root: number;
}

function addName(
  full: FullName,
  { organization, kind }: AddressProfile,
  { root, names, domains, forms }: NamedPlaces,
): void {
  if (organization !== null && kind === "person") domains.add(nameKey(full), organization);
  for (const key of nameKeys(full)) names.add(key, root);
  for (const { text } of localFormsOf(full)) if (forms.has(text)) forms.add(text, root);
}

/** A contact whose name only an address spells. */
function addSpelled(profile: AddressProfile, root: number, { names, domains, forms }: NamedBlocks): void {
  if (isPlainName(profile.name)) addName(fullNameOf(profile.name), profile, { root, names, domains, forms });
}

function addUnnamed(profile: AddressProfile, root: number, { locals, forms }: NamedBlocks): void {
  const local = localOf(profile);
  if (local.length >= MIN_LOCAL) locals.add(local, root);
  const form = comparableLocalPart(local);
  if (form !== "") forms.add(form, root);
}

function localOf({ normal }: AddressProfile): string {
  return lettersOf(localPartOf(normal) ?? "");
}

function addPairs(keys: SharedKeys, pairs: PagedGroups, isPair: (one: number, other: number) => boolean): void {
  for (const { addresses } of keys.shared(() => false)) {
    const contacts = [...new Set(addresses)].sort((a, b) => a - b);
    if (contacts.length > MAX_BLOCK) continue;
    for (const [at, one] of contacts.entries())
      for (const other of contacts.slice(at + 1)) if (isPair(one, other)) pairs.push(one, other);
  }
}
