import type { AddressEvidence } from "../mail/records/contact.ts";
import { REDACTION_OPENING } from "../mail/records/provenance.ts";
import { wellFormed } from "../mail/words/unicode.ts";
import type { AddressProfile } from "./address-profile.ts";
import type { AddressBook } from "./addresses/address-book.ts";
import { domainOf } from "./addresses/address-form.ts";
import type { CountedText } from "./addresses/text-counts.ts";
import { BY_HAND, type Merge } from "./merge-forest.ts";
import { bareDisplayName, foldName, parsePersonName } from "./names/person-name.ts";
import { isMachineHost, isRoleWord } from "./names/role-address.ts";
import type { ResolvedContact } from "./resolved-contact.ts";

/** Longest displayed name; longer ones were entered in the wrong field. */
const MAX_SHOWN_CHARACTERS = 160;

/** The part of a profile that a summary needs. */
export type SummarizedAddress = Pick<AddressProfile, "normal" | "kind" | "name">;

/** Data of a contact's addresses. */
interface KnownAddresses {
  readonly profiles: ReadonlyMap<number, SummarizedAddress>;
  /** Name and main address set by the user, or null. */
  readonly given: { readonly name: string; readonly address: number } | null;
  /** Name of a contact that has not changed since an earlier run; its profiles need no names. */
  readonly unchangedName?: string;
}

/**
 * Summarizes a contact: the main address is the most used internet mailbox if there is one, then the newest; the name
 * is the form that it uses most itself, else others, among those with two words and without an address. A name and
 * main address set by the user take precedence. @param addresses indices, ascending. @param merges reasons for
 * joining them
 */
export function summarizeContact(
  book: AddressBook,
  addresses: readonly number[],
  { profiles, given, unchangedName }: KnownAddresses,
  merges: readonly Merge[],
): ResolvedContact {
  const isMain = (address: number): number => Number(address === given?.address);
  const ranked =
    addresses.length === 1
      ? addresses
      : [...addresses].sort((a, b) => isMain(b) - isMain(a) || compareAddresses(book, profiles, a, b));
  const main = ranked[0]!;
  const email = spellingOf(book, main);
  const kinds = addresses.map((address) => profiles.get(address)!.kind);
  const aliases = new Set(ranked.map((address) => (book.keyOf(address) === "" ? "" : spellingOf(book, address))));
  aliases.delete("");
  aliases.delete(email);
  const domains = new Set<string>();
  for (const address of addresses) {
    const domain = domainOf(profiles.get(address)!.normal);
    if (domain !== null) domains.add(domain);
  }
  return {
    name: given?.name ?? unchangedName ?? contactName(book, ranked, profiles),
    email: book.keyOf(main) === "" ? "" : email,
    aliases: [...aliases],
    domains: [...domains],
    evidence: explainAddresses(book, { ranked, merges, isGiven: given !== null }).map((evidence, at) =>
      at === 0 && kinds.includes("list") ? asList(evidence) : evidence,
    ),
    isRobot: kinds.includes("robot") || [...domains].some(isMachineHost),
    isRole: kinds.includes("role") && !kinds.includes("person"),
  };
}

function compareAddresses(
  book: AddressBook,
  profiles: ReadonlyMap<number, SummarizedAddress>,
  a: number,
  b: number,
): number {
  return (
    readability(profiles.get(a)!) - readability(profiles.get(b)!) ||
    book.usesOf(b) - book.usesOf(a) ||
    Math.sign(book.lastUsedOf(b) - book.lastUsedOf(a)) ||
    a - b
  );
}

/** Order of forms: internet mailboxes, then gateway spellings, then directory names and mere names. */
function readability({ normal }: SummarizedAddress): number {
  if (normal.form === "smtp") return normal.respelling === "none" || normal.respelling === "gmail" ? 0 : 1;
  return normal.form === "name" ? 3 : 2;
}

/** The most used spelling, or the first; the name for a name alone. */
function spellingOf(book: AddressBook, address: number): string {
  const texts = book.keyOf(address) === "" ? book.namesOf(address) : book.spellingsOf(address);
  return wellFormed(mostCounted(texts)?.text.trim() ?? book.keyOf(address));
}

function mostCounted<T extends Pick<CountedText, "count">>(texts: readonly T[]): T | undefined {
  let most = texts[0];
  for (const text of texts) if (most !== undefined && text.count > most.count) most = text;
  return most;
}

function contactName(
  book: AddressBook,
  ranked: readonly number[],
  profiles: ReadonlyMap<number, SummarizedAddress>,
): string {
  const counts = new Map<string, { readonly text: string; count: number; own: number }>();
  for (const address of ranked) {
    for (const { text, count, own } of book.namesOf(address)) {
      const shown = nameToShow(text);
      if (shown === "") continue;
      const form = counts.get(shown) ?? { text: shown, count: 0, own: 0 };
      form.count += count;
      form.own += own;
      counts.set(shown, form);
    }
  }
  const forms = [...counts.values()];
  const wholes = forms.filter(({ text }) => text.includes(" "));
  const ownNames = wholes.filter(({ own }) => own > 0).map(({ text, own }) => ({ text, count: own }));
  const whole = mostCounted(ownNames) ?? mostCounted(wholes);
  if (whole !== undefined) return whole.text;
  for (const address of ranked) {
    const name = profiles.get(address)!.name;
    if (name !== null) return wellFormed(name.shown);
  }
  // "e-mail" or "HR" alone is less informative than the address.
  return (
    mostCounted(forms.filter(({ text }) => !isRoleWord(foldName(text)) && !isLowerCaseWord(text)))?.text ??
    spellingOf(book, ranked[0]!)
  );
}

/** `houston`, `pr`: typed to address mail, not a name. */
function isLowerCaseWord(text: string): boolean {
  return /^\p{Ll}+$/u.test(text);
}

/** A display name as it is shown; "" for addresses, redacted text and remains of directory names. */
function nameToShow(displayName: string): string {
  const text = displayName.slice(0, MAX_SHOWN_CHARACTERS);
  if (text.includes(REDACTION_OPENING)) return "";
  const shown = parsePersonName(text)?.shown ?? bareDisplayName(text);
  return shown.includes("@") || shown.includes("=") ? "" : wellFormed(shown);
}

/** Marks a contact as a mailing list next to the explanation of its addresses. */
function asList({ address, reason }: AddressEvidence): AddressEvidence {
  return { address, reason: `a mailing list; ${reason}` };
}

/** Addresses of one contact, the main one first, and what joined them. */
interface ExplainedAddresses {
  readonly ranked: readonly number[];
  readonly merges: readonly Merge[];
  /** The user chose the main address. */
  readonly isGiven: boolean;
}

/** Walks from the main address along the merges, so that each address is explained by one already explained. */
function explainAddresses(
  book: AddressBook,
  { ranked, merges, isGiven }: ExplainedAddresses,
): readonly AddressEvidence[] {
  const main = ranked[0]!;
  const evidence: AddressEvidence[] = [
    {
      address: spellingOf(book, main),
      reason:
        ranked.length === 1 ? "the only address" : isGiven ? "main address, by hand" : "main address, the most used",
    },
  ];
  if (ranked.length === 1) return evidence;
  const neighbors = new Map<number, { readonly address: number; readonly reason: string }[]>();
  for (const address of ranked) neighbors.set(address, []);
  for (const { one, other, reason } of merges) {
    neighbors.get(one)!.push({ address: other, reason });
    neighbors.get(other)!.push({ address: one, reason });
  }
  const explained = new Set([main]);
  const waiting = [main];
  for (const from of waiting) {
    for (const { address, reason } of neighbors.get(from)!) {
      if (explained.has(address)) continue;
      explained.add(address);
      waiting.push(address);
      const why = reason === BY_HAND ? reason : `${reason} as ${spellingOf(book, from)}`;
      evidence.push({ address: spellingOf(book, address), reason: why });
    }
  }
  return evidence;
}
