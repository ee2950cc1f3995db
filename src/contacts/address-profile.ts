import type { PagedObjects } from "../columns/paged-objects.ts";
import type { AddressBook } from "./addresses/address-book.ts";
import { domainOf, localPartOf, type NormalAddress, normalAddress } from "./addresses/address-form.ts";
import {
  directoryNameWithin,
  isDirectoryName,
  isSharedDirectory,
  parseDirectoryName,
} from "./addresses/directory-name.ts";
import { type ListedAddress, listedAddress } from "./addresses/listed-address.ts";
import type { Organizations } from "./addresses/organization.ts";
import type { CountedText } from "./addresses/text-counts.ts";
import {
  damagedNameAmong,
  type NameGroups,
  type NameUses,
  type Naming,
  NO_GROUPS,
  NO_NAMING,
  nameEvidence,
  nameGroups,
  repeatsAddress,
} from "./names/name-evidence.ts";
import { bareDisplayName, foldName, type PersonName, parsePersonName } from "./names/person-name.ts";
import { type AddressKind, addressKind, isRoleWord } from "./names/role-address.ts";

/** Evidence in one address of who owns it. */
export interface AddressProfile {
  readonly normal: NormalAddress;
  readonly kind: AddressKind;
  /** The full name of the address; null if there is none, or there are different ones. */
  readonly name: PersonName | null;
  /** True if only the address itself contains the name. */
  readonly isSpelledOnly: boolean;
  /** How the name was written. */
  readonly naming: Naming;
  /** A full name with lost letters, if the address has no other full name. */
  readonly damaged: string | null;
  /** Present if the local part is one word. */
  readonly lone: LoneWord | null;
  /** True if it has no display name other than the address itself. */
  readonly isUnnamed: boolean;
  /** Registrable domain of the organization, null for free mail and unknown ones. */
  readonly organization: string | null;
  /** Normal form of the address that an export lists instead of this one, which it made up; or null. */
  readonly listed: string | null;
  /** Keys of the Exchange directory entries for the address. */
  readonly directoryKeys: readonly string[];
  /** Keys of all entries seen with it: too rare to identify it, but enough to doubt that it belongs to one person. */
  readonly seenDirectoryKeys: readonly string[];
}

/**
 * A local part of one word: if it is a name, the address may be a remnant of another and belong to anyone with that
 * name.
 */
export interface LoneWord {
  readonly word: string;
  /** A dot remains before it, from the part that was lost (`.ann@`). */
  readonly isDotted: boolean;
  /** True with an opening quote (`'ann@`). */
  readonly isOpened: boolean;
  /** True if its display names differ. */
  readonly isShared: boolean;
}

/** Minimum share of uses from which a directory name inside display names counts; entries are sometimes reused. */
const DIRECTORY_SHARE = 0.05;
const DIRECTORY_USES = 2;
/** `reed'.'ann@`: the program that wrote the quotes used either order, so this is not a name. */
const PARTED = /['"]\.['"]/;

const UNNAMED: NameUses = { name: null, naming: NO_NAMING };

/** @param isList true if the user marked the address as a list */
export function profileAddress(
  book: AddressBook,
  index: number,
  organizations: Organizations,
  isList = false,
): AddressProfile {
  const key = book.keyOf(index);
  const names = book.namesOf(index);
  if (key === "") return profileNameOnly(names[0]?.text ?? "", organizations);
  const normal = normalAddress(key, organizations);
  if (normal.form === "notes") return profileNotesPath(normal, organizations);
  const local = localPartOf(normal);
  const entry = normal.form === "x500" ? parseDirectoryName(normal.text) : null;
  const domain = domainOf(normal) ?? entry?.organization ?? null;
  const listed = listedAddress(names, book.exportedNamesOf(index), organizations);
  const organization = organizationOf(domain, listed, organizations);
  const isMalformed = normal.form === "malformed";
  const leaf = entry?.leaf.toLowerCase() ?? local ?? "";
  const groups = isMalformed ? NO_GROUPS : nameGroups(names, leaf);
  const found = isMalformed ? UNNAMED : nameEvidence(groups, PARTED.test(key) ? null : local, leaf);
  const isSpelledOnly = groups.groups.length === 0;
  const name = unlessMadeUp(unlessBrand(found.name, organization), isSpelledOnly, listed);
  const directory = directoryKeys(normal, names, name, book.usesOf(index));
  return {
    normal,
    kind: isList || book.isList(index) ? "list" : kindOf(local, name, names),
    name,
    isSpelledOnly: name !== null && isSpelledOnly,
    naming: found.naming,
    damaged: damagedNameAmong(names, groups),
    lone: local === null ? null : loneWord(key, local, groups),
    isUnnamed: names.every(({ text }) => text.trim() === "" || repeatsAddress(text, leaf)),
    organization,
    listed: textOf(listed),
    directoryKeys: directory.own,
    seenDirectoryKeys: directory.seen,
  };
}

function textOf(listed: ListedAddress | null): string | null {
  return listed === null ? null : listed.text;
}

/** The organization of an address, or of the one that an export lists instead, unless that is a private one. */
function organizationOf(
  domain: string | null,
  listed: ListedAddress | null,
  organizations: Organizations,
): string | null {
  if (listed !== null && listed.text === null && listed.domain === null) return null;
  const elsewhere = listed?.domain == null ? null : organizations.organizationOf(listed.domain);
  return elsewhere ?? (domain === null ? null : organizations.organizationOf(domain));
}

/** Null if only an address spells it that an export made up: `reed.jo@` of `Jo Lund for Ann Reed`. */
function unlessMadeUp(
  name: PersonName | null,
  isSpelledOnly: boolean,
  listed: ListedAddress | null,
): PersonName | null {
  return isSpelledOnly && listed !== null ? null : name;
}

/** Null for names of company mailboxes (`Acme Gifts` at acme.com), which begin with the company's name. */
function unlessBrand(name: PersonName | null, organization: string | null): PersonName | null {
  if (name === null || organization === null) return name;
  return foldName(organization.slice(0, organization.indexOf("."))) === name.given ? null : name;
}

/** Two addresses without a mailbox are equal if they are the same full name with its words in a different order. */
function profileNameOnly(text: string, organizations: Organizations): AddressProfile {
  const name = parsePersonName(text);
  const folded = text.normalize("NFKC").trim().toLowerCase().replaceAll(/\s+/g, " ");
  const normalText = name === null ? folded : `${name.given}|${name.middle}|${name.family}|${name.generation}`;
  return {
    normal: { form: "name", text: `\0${notesOrganization(text) ?? ""}\0${normalText}`, respelling: "name" },
    kind: kindOf(null, name, [{ text, count: 1, own: 0 }]),
    name,
    isSpelledOnly: false,
    naming: NO_NAMING,
    damaged: null,
    lone: null,
    isUnnamed: false,
    organization: organizationOfNotesPath(text, organizations),
    listed: null,
    directoryKeys: NO_KEYS,
    seenDirectoryKeys: NO_KEYS,
  };
}

function profileNotesPath(normal: NormalAddress, organizations: Organizations): AddressProfile {
  const name = parsePersonName(normal.text);
  const kind = kindOf(null, name, [{ text: normal.text, count: 1, own: 0 }]);
  return {
    normal,
    kind,
    name: capitalizedName(name),
    isSpelledOnly: false,
    naming: NO_NAMING,
    damaged: null,
    lone: null,
    isUnnamed: false,
    organization: organizationOfNotesPath(normal.text, organizations),
    listed: null,
    directoryKeys: NO_KEYS,
    seenDirectoryKeys: NO_KEYS,
  };
}

/** Keys are lower case, so a name read from one has lost its capitals. */
function capitalizedName(name: PersonName | null): PersonName | null {
  if (name === null) return null;
  const words = name.shown.split(" ").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return { ...name, shown: words.join(" ") };
}

/** Returns the label after a Notes path (`Jane Doe/HOU/ECT@ECT`: `ect`), or null if the text is not a path. */
function notesOrganization(text: string): string | null {
  const slash = text.indexOf("/");
  if (slash <= 0) return null;
  const cut = Math.max(text.lastIndexOf("@"), text.lastIndexOf("/"));
  return text
    .slice(cut + 1)
    .trim()
    .toLowerCase();
}

function organizationOfNotesPath(text: string, organizations: Organizations): string | null {
  const label = notesOrganization(text);
  return label === null ? null : organizations.organizationOf(label);
}

function kindOf(local: string | null, name: PersonName | null, names: readonly CountedText[]): AddressKind {
  const kind = local === null ? "person" : addressKind(local);
  if (kind !== "person" || name !== null) return kind;
  let most: CountedText | undefined;
  for (const candidate of names) if (most === undefined || candidate.count > most.count) most = candidate;
  const words = most === undefined ? [] : bareDisplayName(most.text.slice(0, 200)).split(/[\s_-]+/);
  return words.some((word) => isRoleWord(foldName(word))) ? "role" : "person";
}

function loneWord(key: string, local: string, { groups }: NameGroups): LoneWord | null {
  if (!/^\p{L}+$/u.test(local)) return null;
  const isDotted = /^['"]*\./.test(key);
  // Quotes at both ends enclose a whole address, and nothing was lost.
  const isOpened = /^['"]/.test(key) && !/['"](?:@|$)/.test(key);
  return { word: foldName(local), isDotted, isOpened, isShared: groups.length > 1 };
}

interface DirectoryKeys {
  readonly own: readonly string[];
  readonly seen: readonly string[];
}

const NO_KEYS: readonly string[] = [];
const NO_DIRECTORY_KEYS: DirectoryKeys = { own: NO_KEYS, seen: NO_KEYS };

/**
 * Entries are distinguished by organization and leaf; in directories that strangers share, by the full name as well.
 */
function directoryKeys(
  normal: NormalAddress,
  names: readonly CountedText[],
  name: PersonName | null,
  uses: number,
): DirectoryKeys {
  const counts = new Map<string, number>();
  const count = (entry: { readonly organization: string; readonly leaf: string } | null, times: number) => {
    if (entry === null) return;
    const isShared = entry.organization === "" || isSharedDirectory(entry.organization);
    if (isShared && name === null) return;
    const person = isShared && name !== null ? `${name.given} ${name.family}` : "";
    // Some writers, and archives of earlier versions, omit its blanks.
    const key = `${entry.organization.replaceAll(" ", "")}\0${person}\0${entry.leaf}`;
    counts.set(key, (counts.get(key) ?? 0) + times);
  };
  if (normal.form === "x500") count(parseDirectoryName(normal.text), Math.max(uses, DIRECTORY_USES));
  for (const { text, count: times } of names) {
    if (text.includes("=") && !isDirectoryName(normal.text)) count(directoryNameWithin(text), times);
  }
  if (counts.size === 0) return NO_DIRECTORY_KEYS;
  // For an address used once or twice, one use of an entry must suffice to distinguish it from a namesake's.
  const seen = [...counts].filter(([, times]) => times >= Math.min(DIRECTORY_USES, uses - 1));
  return {
    own: seen.filter(([, times]) => times >= DIRECTORY_USES && times >= uses * DIRECTORY_SHARE).map(([key]) => key),
    seen: seen.map(([key]) => key),
  };
}

/** Profiles of addresses by index. */
export type Profiles = PagedObjects<AddressProfile>;
