import { fullGivenNames } from "../../mail/words/given-names.ts";
import type { CountedText } from "../addresses/text-counts.ts";
import { areSpellingsOfOne, isMisspelled } from "./name-spellings.ts";
import { foldName, nameFromLocalPart, namesAgree, type PersonName, parsePersonName } from "./person-name.ts";
import { addressKind } from "./role-address.ts";

/** How often an address was used with a full name, and who wrote it. */
export interface Naming {
  /** The owner wrote it. */
  readonly isOwn: boolean;
  readonly uses: number;
  /** Uses with any name; only the owner's if `isOwn`. */
  readonly of: number;
  /** Two different full names share the uses: the address belongs to nobody. */
  readonly isShared: boolean;
}

/** A full name of an address, and how it was written. */
export interface NameUses {
  readonly name: PersonName | null;
  readonly naming: Naming;
}

/**
 * A display name counts if it has at least this share of the named uses and occurs twice. With a share of .1 the
 * precision of pairs falls from .95 to .85 (142 mailbox owners).
 */
const NAME_SHARE = 0.3;
const NAME_USES = 2;
/**
 * Letters of a family name that a local part or leaf must repeat to confirm it (`jhender` for Henderson: Exchange cut
 * at 8).
 */
const CONFIRMING_LETTERS = 5;
/** Letters of a local part that confirms a name without the family name. */
const CONFIRMING_INITIALS = 3;

/** Display names that are spellings of one name, counted together. */
interface NameGroup {
  readonly forms: { readonly name: PersonName; readonly count: number }[];
  count: number;
}

/** The full names of an address, grouped by agreement. */
export interface NameGroups {
  readonly groups: readonly NameGroup[];
  /** Uses with any name. */
  readonly total: number;
  /** The mailbox itself wrote them, so names used by others are ignored. */
  readonly isOwn: boolean;
}

export const NO_GROUPS: NameGroups = { groups: [], total: 0, isOwn: false };

/** For an address without display names. */
export const NO_NAMING: Naming = { isOwn: false, uses: 0, of: 0, isShared: false };

/** The owner's use has priority over others' use: others confuse addresses, and write lists of names. */
export function nameGroups(names: readonly CountedText[], confirming: string): NameGroups {
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

/** True for placeholders of programs without a name: the address, or its local part. */
export function repeatsAddress(displayName: string, local: string): boolean {
  const bare = displayName.replace(/<.*$/, "").replace(/['"\s]/g, "");
  return bare.includes("@") || bare.toLowerCase() === local;
}

/** A remark in parentheses. */
const REMARK = /\(([^()]{3,60})\)/;

/**
 * Returns the full name of a display name; the one in parentheses if the address repeats it: `Ann Reed (Bo Lund)` at
 * `blund@`.
 */
function nameWithin(displayName: string, confirming: string): PersonName | null {
  const name = parsePersonName(displayName);
  const remark = name === null ? undefined : REMARK.exec(displayName)?.[1];
  const other = remark === undefined ? null : parsePersonName(remark);
  if (name === null || other === null || isConfirmed(name, confirming, false)) return name;
  return isConfirmed(other, confirming, false) ? other : name;
}

/**
 * Returns the one full name of an address. Returns null if two names that differ both have a share (a shared mailbox),
 * or if the local part spells another full name than the display name (an assistant, a forwarder).
 * @param confirming lower-case text that may repeat the name: local part or directory leaf.
 */
export function nameEvidence({ groups, total, isOwn }: NameGroups, local: string | null, confirming: string): NameUses {
  const spelled = local === null || addressKind(local) !== "person" ? null : nameFromLocalPart(local);
  const isAlone = groups.length === 1;
  const strong = groups.filter(
    (group) =>
      group.count >= total * NAME_SHARE &&
      (isOwn || group.count >= NAME_USES || isConfirmed(nameOfGroup(group), confirming, isAlone)),
  );
  const naming = { isOwn, uses: strong[0]?.count ?? 0, of: total, isShared: strong.length > 1 };
  if (strong.length === 0) return { name: groups.length === 0 ? spelled : null, naming };
  if (strong.length > 1) return { name: null, naming };
  const name = nameOfGroup(strong[0]!);
  const fits =
    spelled === null ||
    namesAgree(name, spelled) ||
    spellsPartOf(local!, name) ||
    (isOwn && spelled.family === name.given);
  return { name: fits ? name : null, naming };
}

/**
 * True when a local part spells part of a name, or spells it in another order: `carol.doe` for Carol St Doe,
 * `joann.doe` for Jo Ann Doe, `joe.doe` for Larry Joe Doe, `l..doe` for Ann L. Doe, `doe'.'ann` for Ann Doe. It must
 * contain the family name and only parts of the name, or be its first words (`fritz.ten` for Fritz ten Doe), as
 * truncated by directories.
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

function addToGroup(groups: NameGroup[], name: PersonName, count: number): void {
  let group = groups.find(({ forms }) => forms.every((form) => areSpellingsOfOne(form.name, name)));
  if (group === undefined) groups.push((group = { forms: [], count: 0 }));
  group.forms.push({ name, count });
  group.count += count;
}

/**
 * The preferred form of a group: the most used with middle names if they are frequent enough, else the most used
 * without.
 */
function nameOfGroup({ forms, count }: NameGroup): PersonName {
  const full = forms.filter(({ name }) => name.middle !== "");
  const isFull = full.reduce((sum, form) => sum + form.count, 0) >= count * NAME_SHARE;
  const eligible = isFull || full.length === forms.length ? full : forms.filter(({ name }) => name.middle === "");
  return eligible.reduce((best, form) => (form.count > best.count ? form : best)).name;
}

/** @param isAlone true if there is no other name: then the family name, or an abbreviation, is sufficient */
function isConfirmed(name: PersonName, confirming: string, isAlone: boolean): boolean {
  const letters = foldName(confirming);
  if (isAlone && (letters === name.family || isAbbreviated(name, letters))) return true;
  if (spellsPartOf(confirming, name)) return true;
  const family = name.family.slice(0, CONFIRMING_LETTERS);
  return (
    letters.startsWith(name.given.charAt(0) + family) ||
    [name.given.charAt(0), name.given].some((given) => isMisspelled(letters, given + name.family)) ||
    (name.family.length >= CONFIRMING_LETTERS && letters.includes(name.family))
  );
}

/** True for `ann`, `annr`, `reeda` and `amr`, made of the name Ann M. Reed. */
function isAbbreviated({ given, middle, family }: PersonName, letters: string): boolean {
  if (letters.length < CONFIRMING_INITIALS) return false;
  const initials = [given, ...middle.split(" "), family].map((word) => word.charAt(0)).join("");
  const made = [given, given + family.charAt(0), family + given.charAt(0), initials];
  return made.includes(letters) || fullGivenNames(letters).includes(given);
}

/** Replacement of a letter that a charset lacks: one mark, or one per byte. */
const LOST_LETTERS = /\p{L}[?\uFFFD]{1,4}|[?\uFFFD]{1,4}\p{L}/u;
/** Longest display name that is checked. */
const MAX_DAMAGED_CHARACTERS = 240;

/** Returns the first name of an address with lost letters; null without one, or if the address has an intact name. */
export function damagedNameAmong(names: readonly CountedText[], { groups }: NameGroups): string | null {
  if (groups.length > 0) return null;
  for (const { text, count } of names)
    if (count > 0 && text.length <= MAX_DAMAGED_CHARACTERS && LOST_LETTERS.test(text)) return text;
  return null;
}
