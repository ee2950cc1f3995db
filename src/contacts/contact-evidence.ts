import { NO_ENTRY } from "../columns/hash-index.ts";
import { NumberedTexts } from "../columns/numbered-texts.ts";
import { PagedUint8Column, PagedUint32Column } from "../columns/paged-column.ts";
import type { PagedMemory } from "../columns/paged-memory.ts";
import { PagedTextColumn } from "../columns/paged-text-column.ts";
import { fullGivenNames, isKnownGivenName } from "../mail/words/given-names.ts";
import type { AddressProfile, LoneWord } from "./address-profile.ts";
import { localPartOf } from "./addresses/address-form.ts";
import { SharedKeys } from "./addresses/shared-keys.ts";
import { contactMarks } from "./evidence-blocks.ts";
import type { PersonName } from "./names/person-name.ts";

/** Maximum letters of a word after a dot that is considered a unique name here. */
const MAX_REMNANT_LETTERS = 8;

/** Minimum letters of a local part that belongs to one person in an organization: shorter ones are initials. */
const MIN_LOCAL_LETTERS = 3;

/** Minimum letters of a family name that identifies a person together with an initial: `jlee` may be any word. */
const MIN_INITIALED_FAMILY = 4;

/** Minimum letters of a family name compared with similar ones, and of its beginning and end, of which one is equal. */
const MIN_SIMILAR_FAMILY = 5;
const KEY_LETTERS = 3;

/** Common properties of addresses. */
export type Evidence = ReturnType<typeof newEvidence>;

/** The same without impersonal addresses, which are never joined. */
export interface SiftedEvidence extends Evidence {
  readonly isLeftOut: (address: number) => boolean;
}

/** Columns of common properties of addresses, all in pages. */
export function newEvidence(memory: PagedMemory) {
  return {
    /** By address: evidence about its contact. */
    marks: new PagedUint8Column(memory),
    /** By normal form. */
    respelled: new SharedKeys(memory),
    /** Addresses whose only full name has lost letters. */
    damaged: new PagedUint32Column(memory),
    /** Addresses with quoted names, whose parts may be in the other order. */
    quoted: new PagedUint32Column(memory),
    /** Addresses for which an export lists others, by those. */
    listedElsewhere: new SharedKeys(memory),
    /** Addresses with directory entries. */
    listed: new PagedUint32Column(memory),
    /** By directory entry: its successive addresses. */
    owners: new SharedKeys(memory),
    /** People by organization and family name. */
    families: new SharedKeys(memory),
    /** People by organization, given name, and first or last letters of the family name. */
    similarFamilies: new SharedKeys(memory),
    /** People by organization and local part. */
    localParts: new SharedKeys(memory),
    /** Addresses of two words which may be a family and a given name (`reed.ann`), without another name. */
    spelled: new PagedUint32Column(memory),
    /** People by organization, initial and family name. */
    initials: new SharedKeys(memory),
    /** Addresses that may be an initial and a family name, and have no name. */
    unnamed: new PagedUint32Column(memory),
    /** People by full name and local part. */
    namedLocalParts: new SharedKeys(memory),
    /** All given and family names of addresses. */
    names: new NumberedTexts(memory),
    /** Addresses that may be remnants of others, and impersonal addresses if their only word is a name. */
    remnants: new PagedUint32Column(memory),
    suspects: new PagedUint32Column(memory),
    suspectWords: new PagedTextColumn(memory),
  };
}

/** Collects the evidence of one address. */
export function gather(profile: AddressProfile, index: number, evidence: Evidence): void {
  const { normal, name } = profile;
  evidence.marks.set(index, contactMarks(profile));
  if (normal.form !== "malformed") evidence.respelled.add(normal.text, index);
  if (normal.respelling === "quotes") evidence.quoted.push(index);
  if (profile.directoryKeys.length > 0) evidence.listed.push(index);
  else if (profile.lone !== null && profile.listed === null) gatherLone(profile.lone, index, evidence);
  if (profile.listed !== null) evidence.listedElsewhere.add(profile.listed, index);
  if (profile.kind === "person") gatherPerson(profile, index, evidence);
  if (name === null) return;
  for (const given of fullGivenNames(name.given)) evidence.names.numberOf(given);
  evidence.names.numberOf(name.family);
}

function gatherPerson(profile: AddressProfile, index: number, evidence: Evidence): void {
  const { name, organization } = profile;
  if (name !== null && organization !== null) gatherNamed(profile, { name, organization, index }, evidence);
  // An address used with two full names identifies nobody.
  if (profile.naming.isShared) return;
  if (profile.lone !== null && profile.isUnnamed && organization !== null) evidence.unnamed.push(index);
  const local = localKey(profile);
  if (local === null) return;
  const isGivenName = isKnownGivenName(local);
  // If the local part is only a given name and the address has no full name, every office may have such an address.
  if (organization !== null && (profile.lone === null || name !== null || !isGivenName))
    evidence.localParts.add(`${organization}\0${local}`, index);
  if (name !== null && !profile.isSpelledOnly && local !== name.given && !isGivenName)
    evidence.namedLocalParts.add(`${name.given}\0${name.family}\0${local}`, index);
}

/** An address with the full name of a person in an organization. */
interface AddressName {
  readonly name: PersonName;
  readonly organization: string;
  readonly index: number;
}

function gatherNamed(profile: AddressProfile, { name, organization, index }: AddressName, evidence: Evidence): void {
  evidence.families.add(`${organization}\0${name.family}`, index);
  if (name.family.length >= MIN_SIMILAR_FAMILY)
    for (const letters of [name.family.slice(0, KEY_LETTERS), `-${name.family.slice(-KEY_LETTERS)}`])
      evidence.similarFamilies.add(`${organization}\0${name.given}\0${letters}`, index);
  if (profile.isSpelledOnly && name.middle === "" && !isKnownGivenName(name.given)) evidence.spelled.push(index);
  if (name.family.length < MIN_INITIALED_FAMILY) return;
  for (const initial of new Set([name.given, ...fullGivenNames(name.given)].map((given) => given.charAt(0))))
    evidence.initials.add(`${organization}\0${initial}${name.family}`, index);
}

function gatherLone({ word, isDotted, isOpened, isShared }: LoneWord, index: number, evidence: Evidence): void {
  if (isDotted && word.length <= MAX_REMNANT_LETTERS) evidence.remnants.push(index);
  if (!isOpened && !isDotted && !isShared) return;
  evidence.suspects.push(index);
  evidence.suspectWords.push(word);
}

/**
 * Addresses that are a single given or family name: a remnant of one truncated by a gateway (`.ann@`), or typed for
 * several people with that name.
 */
export function placeholders(evidence: Evidence, addresses: number, memory: PagedMemory): (address: number) => boolean {
  const isPlaceholder = new PagedUint8Column(memory);
  isPlaceholder.extend(addresses, 0);
  for (const remnant of evidence.remnants.values()) isPlaceholder.set(remnant, 1);
  for (let at = 0; at < evidence.suspects.length; at++)
    if (evidence.names.find(evidence.suspectWords.at(at)) !== NO_ENTRY) isPlaceholder.set(evidence.suspects.at(at), 1);
  return (address) => isPlaceholder.at(address) === 1;
}

/** Returns a local part without separators between its words; null if it is too short to prove anything. */
export function localKey({ normal }: AddressProfile): string | null {
  const local = localPartOf(normal)?.replaceAll(/[._-]/g, "") ?? "";
  return local.length < MIN_LOCAL_LETTERS ? null : local;
}
