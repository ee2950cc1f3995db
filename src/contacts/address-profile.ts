import type { AddressBook } from "./address-book.ts";
import { domainOf, localPartOf, type NormalAddress, normalAddress } from "./address-form.ts";
import type { CountedText } from "./counted-text.ts";
import { directoryNameWithin, isDirectoryName, isSharedDirectory, parseDirectoryName } from "./directory-name.ts";
import { fullGivenNames } from "./given-names.ts";
import type { Organisations } from "./organisation.ts";
import {
  bareDisplayName,
  foldName,
  nameFromLocalPart,
  namesAgree,
  type PersonName,
  parsePersonName,
} from "./person-name.ts";
import { type AddressKind, addressKind, isRoleWord } from "./role-address.ts";

/** What one address tells about whose it is. */
export interface AddressProfile {
  readonly normal: NormalAddress;
  readonly kind: AddressKind;
  /** The full name that stands for the address, null when there is none or several that differ. */
  readonly name: PersonName | null;
  /** True when nothing but the address itself spells the name. */
  readonly isSpelledOnly: boolean;
  /** Set where the local part is one word. */
  readonly lone: LoneWord | null;
  /** True when no name was written beside it, or nothing but the address itself. */
  readonly isUnnamed: boolean;
  /** Registrable domain of the organisation, null for free mail and unknown ones. */
  readonly organisation: string | null;
  /** Keys of the Exchange directory entries that stand for the address. */
  readonly directoryKeys: readonly string[];
  /** Keys of all entries seen with it: too seldom to stand for it, but enough to doubt that it is one person's. */
  readonly seenDirectoryKeys: readonly string[];
}

/**
 * A local part of one word: where that is somebody's name, the address may be what is left of another, and stand for
 * anybody of that name.
 */
export interface LoneWord {
  readonly word: string;
  /** A dot is left before it, of the part that was lost (`.ann@`). */
  readonly isDotted: boolean;
  /** So is a quote (`'ann@`). */
  readonly isOpened: boolean;
  /** Names that differ were written beside it. */
  readonly isShared: boolean;
}

/**
 * A display name counts when it is beside at least this share of the named uses and seen twice. With a share of .1 the
 * precision of pairs falls from .95 to .85 (142 mailbox owners).
 */
const NAME_SHARE = 0.3;
const NAME_USES = 2;
/**
 * A directory name inside display names counts from this share of the uses; entries are given to a successor now and
 * then.
 */
const DIRECTORY_SHARE = 0.05;
const DIRECTORY_USES = 2;
/**
 * Letters of a family name that a local part or leaf must repeat to confirm it (`jhender` for Henderson: Exchange cut
 * at 8).
 */
const CONFIRMING_LETTERS = 5;

/** `reed'.'ann@`: what wrote the quotes put the words in either order, so they spell no name. */
const PARTED = /['"]\.['"]/;

export function profileAddress(book: AddressBook, index: number, organisations: Organisations): AddressProfile {
  const key = book.keyOf(index);
  const names = book.namesOf(index);
  if (key === "") return profileNameOnly(names[0]?.text ?? "", organisations);
  const normal = normalAddress(key, organisations);
  if (normal.form === "notes") return profileNotesPath(normal, organisations);
  const local = localPartOf(normal);
  const entry = normal.form === "x500" ? parseDirectoryName(normal.text) : null;
  const domain = domainOf(normal) ?? entry?.organisation ?? null;
  const organisation = domain === null ? null : organisations.organisationOf(domain);
  const isMalformed = normal.form === "malformed";
  const leaf = entry?.leaf.toLowerCase() ?? local ?? "";
  const groups = isMalformed ? NO_GROUPS : nameGroups(names, leaf);
  const found = isMalformed ? null : nameEvidence(groups, PARTED.test(key) ? null : local, leaf);
  const name = unlessBrand(found, organisation);
  const directory = directoryKeys(normal, names, name, book.usesOf(index));
  return {
    normal,
    kind: book.isList(index) ? "list" : kindOf(local, name, names),
    name,
    isSpelledOnly: name !== null && groups.groups.length === 0,
    lone: local === null ? null : loneWord(key, local, groups),
    isUnnamed: names.every(({ text }) => text.trim() === "" || repeatsAddress(text, leaf)),
    organisation,
    directoryKeys: directory.standing,
    seenDirectoryKeys: directory.seen,
  };
}

/** Null for what a company calls its mailboxes (`Acme Gifts` at acme.com): it begins with the company's own name. */
function unlessBrand(name: PersonName | null, organisation: string | null): PersonName | null {
  if (name === null || organisation === null) return name;
  return foldName(organisation.slice(0, organisation.indexOf("."))) === name.given ? null : name;
}

/** Two name-only addresses are one when they are the same full name in another order of words. */
function profileNameOnly(text: string, organisations: Organisations): AddressProfile {
  const name = parsePersonName(text);
  const folded = text.normalize("NFKC").trim().toLowerCase().replaceAll(/\s+/g, " ");
  const normalText = name === null ? folded : `${name.given}|${name.middle}|${name.family}|${name.generation}`;
  return {
    normal: { form: "name", text: `\0${notesOrganisation(text) ?? ""}\0${normalText}`, respelling: "name" },
    kind: kindOf(null, name, [{ text, count: 1, own: 0 }]),
    name,
    isSpelledOnly: false,
    lone: null,
    isUnnamed: false,
    organisation: organisationOfNotesPath(text, organisations),
    directoryKeys: NO_KEYS,
    seenDirectoryKeys: NO_KEYS,
  };
}

function profileNotesPath(normal: NormalAddress, organisations: Organisations): AddressProfile {
  const name = parsePersonName(normal.text);
  const kind = kindOf(null, name, [{ text: normal.text, count: 1, own: 0 }]);
  return {
    normal,
    kind,
    name: capitalisedName(name),
    isSpelledOnly: false,
    lone: null,
    isUnnamed: false,
    organisation: organisationOfNotesPath(normal.text, organisations),
    directoryKeys: NO_KEYS,
    seenDirectoryKeys: NO_KEYS,
  };
}

/** Keys are lower case, so a name read from one has lost its capitals. */
function capitalisedName(name: PersonName | null): PersonName | null {
  if (name === null) return null;
  const words = name.shown.split(" ").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return { ...name, shown: words.join(" ") };
}

/** The label behind a Notes path (`Jane Doe/HOU/ECT@ECT`: `ect`), null when the text is no path. */
function notesOrganisation(text: string): string | null {
  const slash = text.indexOf("/");
  if (slash <= 0) return null;
  const cut = Math.max(text.lastIndexOf("@"), text.lastIndexOf("/"));
  return text
    .slice(cut + 1)
    .trim()
    .toLowerCase();
}

function organisationOfNotesPath(text: string, organisations: Organisations): string | null {
  const label = notesOrganisation(text);
  return label === null ? null : organisations.organisationOf(label);
}

function kindOf(local: string | null, name: PersonName | null, names: readonly CountedText[]): AddressKind {
  const kind = local === null ? "person" : addressKind(local);
  if (kind !== "person" || name !== null) return kind;
  let most: CountedText | undefined;
  for (const candidate of names) if (most === undefined || candidate.count > most.count) most = candidate;
  const words = most === undefined ? [] : bareDisplayName(most.text.slice(0, 200)).split(/[\s_-]+/);
  return words.some((word) => isRoleWord(foldName(word))) ? "role" : "person";
}

/** Display names that agree with each other, counted together. */
interface NameGroup {
  readonly forms: { readonly name: PersonName; readonly count: number }[];
  count: number;
}

/** The full names beside an address, those that agree together. */
interface NameGroups {
  readonly groups: readonly NameGroup[];
  /** Uses with any name. */
  readonly total: number;
  /** The mailbox itself wrote them: what others call it does not count. */
  readonly isOwn: boolean;
}

const NO_GROUPS: NameGroups = { groups: [], total: 0, isOwn: false };

/**
 * What the owner calls himself beats what others call the address: they mistake one address for another, and write
 * lists of names.
 */
function nameGroups(names: readonly CountedText[], confirming: string): NameGroups {
  const read = names.map(({ text, count, own }) => ({
    name: count === 0 ? null : nameWithin(text, confirming),
    count,
    own,
  }));
  const isOwn = read.some(({ name, own }) => name !== null && own > 0);
  const groups: NameGroup[] = [];
  let total = 0;
  for (const [at, { name, count, own }] of read.entries()) {
    const uses = isOwn ? own : count;
    if (name === null && repeatsAddress(names[at]!.text, confirming)) continue;
    total += uses;
    if (name !== null && uses > 0) addToGroup(groups, name, uses);
  }
  return { groups, total, isOwn };
}

/** True for what programs write where they know no name: the address, or its local part. */
function repeatsAddress(displayName: string, local: string): boolean {
  const bare = displayName.replace(/<.*$/, "").replace(/['"\s]/g, "");
  return bare.includes("@") || bare.toLowerCase() === local;
}

/** A remark in parentheses. */
const REMARK = /\(([^()]{3,60})\)/;

/** The full name of a display name; that in parentheses where the address repeats it: `Ann Reed (Bo Lund)` at `blund@`. */
function nameWithin(displayName: string, confirming: string): PersonName | null {
  const name = parsePersonName(displayName);
  const remark = name === null ? undefined : REMARK.exec(displayName)?.[1];
  const other = remark === undefined ? null : parsePersonName(remark);
  if (name === null || other === null || isConfirmed(name, confirming, false)) return name;
  return isConfirmed(other, confirming, false) ? other : name;
}

/**
 * The one full name of an address. Null when two names that differ both have a share (a shared mailbox), or when the
 * local part spells another full name than is written beside it (an assistant, a forwarder).
 * @param confirming lower-case text that may repeat the name: local part or directory leaf.
 */
function nameEvidence(
  { groups, total, isOwn }: NameGroups,
  local: string | null,
  confirming: string,
): PersonName | null {
  const spelled = local === null || addressKind(local) !== "person" ? null : nameFromLocalPart(local);
  const isAlone = groups.length === 1;
  const strong = groups.filter(
    (group) =>
      group.count >= total * NAME_SHARE &&
      (isOwn || group.count >= NAME_USES || isConfirmed(nameOfGroup(group), confirming, isAlone)),
  );
  if (strong.length === 0) return groups.length === 0 ? spelled : null;
  if (strong.length > 1) return null;
  const name = nameOfGroup(strong[0]!);
  return spelled === null || namesAgree(name, spelled) || spellsPartOf(local!, name) ? name : null;
}

/**
 * True when a local part spells part of a name, or spells it in another order: `carol.doe` for Carol St Doe,
 * `joann.doe` for Jo Ann Doe, `joe.doe` for Larry Joe Doe, `l..doe` for Ann L. Doe, `doe'.'ann` for Ann Doe. The family
 * name must be in it, and nothing that the name has not; or it is the first words of the name (`fritz.ten` for Fritz
 * ten Doe), as directories cut it.
 */
function spellsPartOf(local: string, name: PersonName): boolean {
  const words = name.shown.split(" ").map(foldName);
  const family = words.at(-1)!;
  const given = [...words.slice(0, -1), words.slice(0, 2).join(""), ...fullGivenNames(words[0]!)];
  const parts = local
    .split(/[._]+/)
    .map(foldName)
    .filter((part) => part !== "");
  if (parts.length > 1 && parts.every((part, place) => part === words[place])) return true;
  const at = [parts.length - 1, 0].find((place) => parts[place] === family || parts[place] === name.family);
  return at !== undefined && parts.length > 1 && parts.every((part, place) => place === at || isGivenPart(part, given));
}

/** A word of the given names, or the first letter of one. */
function isGivenPart(part: string, given: readonly string[]): boolean {
  return part.length === 1 ? given.some((word) => word.startsWith(part)) : given.includes(part);
}

function loneWord(key: string, local: string, { groups }: NameGroups): LoneWord | null {
  if (!/^\p{L}+$/u.test(local)) return null;
  const isDotted = /^['"]*\./.test(key);
  // Quotes at both ends are round a whole address, and nothing was lost.
  const isOpened = /^['"]/.test(key) && !/['"](?:@|$)/.test(key);
  return { word: foldName(local), isDotted, isOpened, isShared: groups.length > 1 };
}

function addToGroup(groups: NameGroup[], name: PersonName, count: number): void {
  let group = groups.find(({ forms }) => forms.every((form) => namesAgree(form.name, name)));
  if (group === undefined) groups.push((group = { forms: [], count: 0 }));
  group.forms.push({ name, count });
  group.count += count;
}

/**
 * The form that stands for a group: the most used with middle names, when forms with them have a share; else the most
 * used without.
 */
function nameOfGroup({ forms, count }: NameGroup): PersonName {
  const full = forms.filter(({ name }) => name.middle !== "");
  const isFull = full.reduce((sum, form) => sum + form.count, 0) >= count * NAME_SHARE;
  const eligible = isFull || full.length === forms.length ? full : forms.filter(({ name }) => name.middle === "");
  return eligible.reduce((best, form) => (form.count > best.count ? form : best)).name;
}

/** @param isAlone no other name was seen with it: then the family name by itself is enough. */
function isConfirmed(name: PersonName, confirming: string, isAlone: boolean): boolean {
  const letters = foldName(confirming);
  if ((isAlone && letters === name.family) || spellsPartOf(confirming, name)) return true;
  const family = name.family.slice(0, CONFIRMING_LETTERS);
  return (
    letters.startsWith(name.given.charAt(0) + family) ||
    (name.family.length >= CONFIRMING_LETTERS && letters.includes(name.family))
  );
}

interface DirectoryKeys {
  readonly standing: readonly string[];
  readonly seen: readonly string[];
}

const NO_KEYS: readonly string[] = [];
const NO_DIRECTORY_KEYS: DirectoryKeys = { standing: NO_KEYS, seen: NO_KEYS };

/** Entries are told apart by organisation and leaf; where strangers share one directory, by the full name as well. */
function directoryKeys(
  normal: NormalAddress,
  names: readonly CountedText[],
  name: PersonName | null,
  uses: number,
): DirectoryKeys {
  const counts = new Map<string, number>();
  const count = (entry: { readonly organisation: string; readonly leaf: string } | null, times: number) => {
    if (entry === null) return;
    const isShared = entry.organisation === "" || isSharedDirectory(entry.organisation);
    if (isShared && name === null) return;
    const person = isShared && name !== null ? `${name.given} ${name.family}` : "";
    // Some writers, and archives of earlier versions, leave out its blanks.
    const key = `${entry.organisation.replaceAll(" ", "")}\0${person}\0${entry.leaf}`;
    counts.set(key, (counts.get(key) ?? 0) + times);
  };
  if (normal.form === "x500") count(parseDirectoryName(normal.text), Math.max(uses, DIRECTORY_USES));
  for (const { text, count: times } of names) {
    if (text.includes("=") && !isDirectoryName(normal.text)) count(directoryNameWithin(text), times);
  }
  if (counts.size === 0) return NO_DIRECTORY_KEYS;
  // Of an address that was used once or twice, one entry is all there can be to tell it from a namesake's.
  const seen = [...counts].filter(([, times]) => times >= Math.min(DIRECTORY_USES, uses - 1));
  return {
    standing: seen
      .filter(([, times]) => times >= DIRECTORY_USES && times >= uses * DIRECTORY_SHARE)
      .map(([key]) => key),
    seen: seen.map(([key]) => key),
  };
}
