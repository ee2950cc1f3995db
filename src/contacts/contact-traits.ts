import type { AddressProfile } from "./address-profile.ts";
import type { AddressBook } from "./addresses/address-book.ts";
import { localPartOf } from "./addresses/address-form.ts";
import { isSharedDirectory, parseDirectoryName } from "./addresses/directory-name.ts";
import { foldAcross } from "./names/fold-across.ts";
import { type FullName, fullNameOf } from "./names/full-name.ts";
import { bareDisplayName, type PersonName } from "./names/person-name.ts";

/** Properties of a contact for comparison with others. */
export interface ContactTraits {
  /** The smallest of its addresses: the same whatever the order of the sources. */
  readonly key: string;
  /** Its most used address, which merges name. */
  readonly address: number;
  /** The full name of its addresses; null if they have none, or one without evidential value. */
  readonly name: FullName | null;
  /** The full name that one of its addresses spells, if none was written with them. */
  readonly spelledName: FullName | null;
  /** The owner wrote it, or it is known by name only. */
  readonly isOwnName: boolean;
  /** A given name used alone with its addresses, or "". */
  readonly givenName: string;
  /** Local parts, letters and digits only. */
  readonly locals: readonly string[];
  /** Registrable domains, except those of free mail. */
  readonly organizations: readonly string[];
  readonly directories: readonly DirectoryEntry[];
  /** Texts that may repeat the name: local parts, entries of directories. */
  readonly echoes: readonly string[];
  /** A mailbox shared by several people. Has a name if nearly all of its mail is signed with it. */
  readonly role: "none" | "signed" | "shared";
  /** True if it has another name that identifies nobody. */
  readonly isVoid: boolean;
}

export interface DirectoryEntry {
  /** Minimum letters of the organization and of the last name. */
  readonly organization: string;
  readonly leaf: string;
}

/** A role address counts as a person's if it signs at least this share and number of its messages with one name. */
const SIGNED_SHARE = 0.9;
const SIGNED_USES = 3;
/**
 * Minimum share of uses from which a name that only others wrote counts; and for an address used by several writers.
 */
const OTHERS_SHARE = 0.2;
const OTHERS_SHARE_OF_MANY = 0.05;
const MANY_WRITERS = 3;
/** Weight of a name used by the owner relative to one used by others. */
const OWN_WEIGHT = 5;

/** An address of a contact with its properties. */
interface OwnAddress {
  readonly address: number;
  readonly profile: AddressProfile;
}

/** @param writers number of different contacts that wrote to it. */
export function traitsOf(book: AddressBook, addresses: readonly OwnAddress[], writers: number): ContactTraits {
  const named = mostWritten(addresses);
  const locals = [...new Set(addresses.map(({ profile }) => localLetters(profile)))].filter((local) => local !== "");
  const directories = addresses.flatMap(({ profile }) => directoryOf(profile));
  const echoes = [...locals, ...directories.map(({ leaf }) => leaf)];
  const name = named === null ? null : fullNameOf(named.profile.name!);
  const isVoid = named !== null && isNothingSaid(book, named, { writers, isEchoed: isEchoed(name!, echoes) });
  return {
    ...mainAddress(book, addresses),
    name: isVoid ? null : name,
    spelledName: named === null ? spelledNameOf(book, addresses) : null,
    isVoid,
    isOwnName: named !== null && (named.profile.naming.isOwn || named.profile.normal.form === "name"),
    givenName: named === null ? usedGivenName(book, addresses) : "",
    locals,
    organizations: [...new Set(addresses.flatMap(({ profile }) => profile.organization ?? []))],
    directories,
    echoes,
    role: roleOf(addresses),
  };
}

/** The address whose written name has the most weight; on a tie, the smaller name. */
function mostWritten(addresses: readonly OwnAddress[]): OwnAddress | null {
  let best: OwnAddress | null = null;
  for (const own of addresses) {
    if (own.profile.name === null || own.profile.isSpelledOnly) continue;
    const difference = best === null ? 1 : weightOf(own) - weightOf(best);
    if (difference > 0 || (difference === 0 && own.profile.name.shown < best!.profile.name!.shown)) best = own;
  }
  return best;
}

/** The name that its most used address of two words spells; on a tie, the smaller. */
function spelledNameOf(book: AddressBook, addresses: readonly OwnAddress[]): FullName | null {
  const spelling = addresses.filter(({ profile }) => profile.kind === "person" && isPlainName(profile.name));
  if (spelling.length === 0) return null;
  const { address } = mainAddress(book, spelling);
  return fullNameOf(spelling.find((own) => own.address === address)!.profile.name!);
}

/** Three words spell the name of a list or a company as often as that of a person. */
export function isPlainName(name: PersonName | null): name is PersonName {
  return name !== null && name.middle.length <= 1;
}

function weightOf({ profile: { naming } }: OwnAddress): number {
  return naming.isOwn ? naming.uses * OWN_WEIGHT : naming.uses;
}

function isNothingSaid(
  book: AddressBook,
  { address, profile }: OwnAddress,
  { writers, isEchoed }: { readonly writers: number; readonly isEchoed: boolean },
): boolean {
  if (profile.naming.isOwn || profile.normal.form === "name" || isEchoed) return false;
  const share = profile.naming.uses / Math.max(1, book.usesOf(address));
  return share < (writers >= MANY_WRITERS ? OTHERS_SHARE_OF_MANY : OTHERS_SHARE);
}

/** Minimum letters of a family name that a local part must contain, and a sufficient number for longer names. */
const ECHOED_LETTERS = 3;
const ECHOED_BEGINNING = 5;

/** True if a text contains the family name, or its beginning. */
export function isEchoed({ given, family }: FullName, texts: readonly string[]): boolean {
  const beginning = family.slice(0, ECHOED_BEGINNING);
  return texts.some((text) => {
    const folded = foldAcross(text);
    return (
      (beginning.length >= ECHOED_LETTERS && folded.includes(beginning)) ||
      folded.startsWith(given.charAt(0) + beginning) ||
      (given.length >= ECHOED_LETTERS && [given, given + family.charAt(0)].includes(folded))
    );
  });
}

function mainAddress(book: AddressBook, addresses: readonly OwnAddress[]): Pick<ContactTraits, "key" | "address"> {
  let [main, key] = [addresses[0]!.address, textOf(book, addresses[0]!)];
  let mainKey = key;
  for (const own of addresses.slice(1)) {
    const text = textOf(book, own);
    if (text < key) key = text;
    const difference = book.usesOf(own.address) - book.usesOf(main);
    if (difference > 0 || (difference === 0 && text < mainKey)) [main, mainKey] = [own.address, text];
  }
  return { key, address: main };
}

function textOf(book: AddressBook, { address, profile }: OwnAddress): string {
  return book.keyOf(address) || profile.normal.text;
}

/**
 * Returns the single word most used as a name of the addresses, not counting words in lower case; on a tie, the
 * smaller.
 */
function usedGivenName(book: AddressBook, addresses: readonly OwnAddress[]): string {
  const counts = new Map<string, number>();
  for (const { address } of addresses) {
    for (const { text, count } of book.namesOf(address)) {
      const word = bareDisplayName(text.slice(0, 80)).trim();
      if (/^\p{Lu}\p{L}{2,20}$/u.test(word)) counts.set(foldAcross(word), (counts.get(foldAcross(word)) ?? 0) + count);
    }
  }
  const [most] = [...counts].sort(([a, ones], [b, others]) => others - ones || (a < b ? -1 : 1));
  return most?.[0] ?? "";
}

function localLetters({ normal }: AddressProfile): string {
  return withoutSigns(localPartOf(normal) ?? "");
}

function directoryOf({ normal }: AddressProfile): readonly DirectoryEntry[] {
  const entry = normal.form === "x500" ? parseDirectoryName(normal.text) : null;
  if (entry === null || entry.organization === "" || isSharedDirectory(entry.organization)) return [];
  return [{ organization: lettersOf(entry.organization), leaf: lettersOf(entry.leaf) }];
}

export function lettersOf(text: string): string {
  return withoutSigns(text.toLowerCase());
}

/** Only the letters and digits of a text; testing for ASCII first saves most of the time. */
function withoutSigns(text: string): string {
  if (/^[A-Za-z\d]*$/.test(text)) return text;
  return text.replaceAll(/^[\0-\x7F]*$/.test(text) ? /[^A-Za-z\d]/g : /[^\p{L}\d]/gu, "");
}

function roleOf(addresses: readonly OwnAddress[]): ContactTraits["role"] {
  const roles = addresses.filter(({ profile }) => profile.kind === "role");
  if (roles.length === 0) return "none";
  const isSigned = roles.every(
    ({ profile: { name, naming } }) =>
      name !== null && naming.isOwn && naming.uses >= SIGNED_USES && naming.uses >= naming.of * SIGNED_SHARE,
  );
  return isSigned ? "signed" : "shared";
}
