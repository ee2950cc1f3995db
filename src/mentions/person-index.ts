import { registrableDomain } from "../contacts/addresses/organization.ts";
import { bundledShare } from "../contacts/names/common-names.ts";
import { foldAcross } from "../contacts/names/fold-across.ts";
import { foldName, type PersonName, parsePersonName } from "../contacts/names/person-name.ts";
import type { ContactOrdinal } from "../mail/records/ordinal.ts";
import { equivalentGivenNames, fullGivenNames } from "../mail/words/given-names.ts";
import { wordSet } from "../mail/words/word-table.ts";
import { NAME_FORMS } from "./found-mention.ts";

/** A contact and how it is called. */
export interface ContactNames {
  readonly ordinal: ContactOrdinal;
  readonly name: string;
  readonly email: string;
  readonly messages: number;
}

/** Marks a name of several contacts. */
const SEVERAL = -1;
/** How many times more messages than its namesakes together the contact that a name means must have. */
const MANY_MORE = 4;
const NOBODY: readonly ContactOrdinal[] = [];

/** Words in the names of senders of advertisements and of shared mailboxes. No list of given names has them. */
const NOT_GIVEN = wordSet(
  "special community body customer task future shopper shoppers sports sport custom first lose preferred fare another online " +
    "free daily weekly best great big good new hot lucky easy fast smart true real super top local national global world united " +
    "american business home health travel money credit gold silver golden buffalo sour psychic insync lyris managing dear the " +
    "email internet web digital video music game games book books gift gifts shopping discount energy power gas oil water " +
    "market markets stock stocks trade private public general human legal press radio television green blue red black white",
);
const NOT_FAMILY = wordSet(
  "offers offer deals deal shop shops store stores force relations care card cards discount online alert creek bayou traveler " +
    "travel watcher fair expo club weight realm interaction investments conferencing network networks magazine digest express " +
    "direct connection exchange systems software solutions technologies technology partners associates society foundation " +
    "institute university college school club forum summit conference house hotel resort airlines bank capital group realty",
);

/** Given and family name. */
const WORDS_OF_FULL_NAME = 2;

/** Names kept with their contacts. */
const MAX_FOUND = 1 << 16;

/** Names of people in an archive, in all forms in which texts write them. */
export class PersonIndex {
  private readonly contactByName = new Map<string, number>();
  private readonly contactByFamily = new Map<string, number>();
  /** Family names of people, and if they are rare. */
  private readonly families = new Map<string, boolean>();
  /** Cached: the folded form of a family name of contacts, null for another word. */
  private readonly foldedFamilies = new Map<string, string | null>();
  /** Contacts by a given and a family name that several have. */
  private readonly namesakes = new Map<string, ContactOrdinal[]>();
  /** Messages of every person. */
  private readonly messages = new Map<ContactOrdinal, number>();
  /** Full names of contacts that are not people. */
  private readonly notPeople = new Set<string>();
  private readonly labels = new Map<number, string>();
  /** Domain of every contact, including authors that are not people. */
  private readonly domains = new Map<number, string>();
  private readonly familiesByGiven = new Map<string, string>();
  /** Cached results of `withName`: texts repeat names. */
  private readonly found = new Map<string, readonly ContactOrdinal[]>();

  constructor(contacts: Iterable<ContactNames>) {
    const people: (readonly [PersonName, ContactNames])[] = [];
    const registered = new Map<string, string>();
    for (const contact of contacts) {
      const host = hostOf(contact.email);
      const domain = registered.get(host) ?? registrableDomain(host);
      registered.set(host, domain);
      this.domains.set(contact.ordinal, domain);
      const parsed = parsePersonName(contact.name);
      const words = contact.name.split(" ", WORDS_OF_FULL_NAME + 1);
      if (parsed === null && words.length === WORDS_OF_FULL_NAME) this.notPeople.add(words.map(foldName).join(" "));
      if (parsed === null) continue;
      const families = this.familiesByGiven.get(parsed.given) ?? parsed.family;
      this.familiesByGiven.set(parsed.given, families === parsed.family ? families : "");
      people.push([parsed, contact]);
    }
    for (const [name, contact] of people)
      if (this.isPerson(name.given, name.family, contact.email)) this.addPerson(name, contact);
      else this.notPeople.add(`${name.given} ${name.family}`);
  }

  private addPerson({ given, family, shown }: PersonName, { ordinal, messages }: ContactNames): void {
    this.labels.set(ordinal, shown);
    const isRare = this.families.get(family) ?? isRareFamily(family);
    this.families.set(family, isRare);
    this.messages.set(ordinal, messages);
    for (const form of isRare ? fullGivenNames(given) : [given]) {
      const name = `${form} ${family}`;
      const known = this.contactByName.get(name);
      this.add(this.contactByName, name, ordinal);
      if (known === SEVERAL) this.namesakes.get(name)!.push(ordinal);
      else if (known !== undefined) this.namesakes.set(name, [known as ContactOrdinal, ordinal]);
    }
    if (!isRare) return;
    this.add(this.contactByName, `${given[0]}. ${family}`, ordinal);
    this.add(this.contactByFamily, family, ordinal);
  }

  private isPerson(given: string, family: string, email: string): boolean {
    // `Kai Billing <billing@kai.example>` is a part of a company.
    const domain = email.slice(email.lastIndexOf("@")).toLowerCase();
    if (domain.startsWith(`@${given}.`) || domain.includes(`.${given}.`)) return false;
    if (this.isGivenName(given)) return !NOT_FAMILY.has(family);
    return !(NOT_GIVEN.has(given) || NOT_FAMILY.has(family) || domainOf(email).startsWith(`${family}.`));
  }

  /** True for names of lists, and names shared by people of several families. */
  private isGivenName(given: string): boolean {
    if (bundledShare(given) > 0 || fullGivenNames(given).length > 1) return true;
    return this.familiesByGiven.get(given) === "" && !NOT_GIVEN.has(given);
  }

  private add(names: Map<string, number>, name: string, contact: number): void {
    const known = names.get(name);
    names.set(name, known === undefined || known === contact ? contact : SEVERAL);
  }

  /** True for a given and a family name that contacts have, people or not. */
  isNameOfContact(given: string, family: string): boolean {
    return (
      this.notPeople.has(`${given} ${family}`) ||
      equivalentGivenNames(given).some((form) => this.contactByName.has(`${form} ${family}`))
    );
  }

  /** True for a given and a family name of people of the archive. */
  isNameOfPerson(given: string, family: string): boolean {
    return this.contactByName.has(`${given} ${family}`);
  }

  labelOf(contact: ContactOrdinal): string {
    return this.labels.get(contact) ?? "";
  }

  /**
   * Of the contacts with a name, returns those that it may mean in a text. Of people with a common family name, only
   * those in the author's organization count: newspapers write about others. Of several contacts, the name means the
   * one with by far the most messages, that one of the author's organization, or the only one with exactly this given
   * name. A name that the author has means the author.
   */
  meant(found: string, contacts: readonly ContactOrdinal[], author: ContactOrdinal | null): readonly ContactOrdinal[] {
    if (author !== null && contacts.includes(author)) return [author];
    const family = this.familyOf(found.slice(Math.max(1, found.lastIndexOf(" ") + 1)));
    const isClear = family !== null && this.families.get(family) === true;
    if (isClear && contacts.length === 1) return contacts;
    const domain = author === null ? undefined : this.domains.get(author);
    const colleagues = contacts.filter((contact) => this.domains.get(contact) === domain);
    const most = this.mostUsed(contacts);
    if (isClear) return most ?? this.mostUsed(colleagues) ?? this.exactly(found) ?? contacts;
    const meant = most ?? contacts;
    return meant.some((contact) => colleagues.includes(contact)) ? meant : NOBODY;
  }

  /** Returns the contact with by far the most messages, or null. */
  private mostUsed(contacts: readonly ContactOrdinal[]): readonly ContactOrdinal[] | null {
    const counts = contacts.map((contact) => this.messages.get(contact)!);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const most = contacts.filter((_, at) => counts[at]! >= MANY_MORE * (total - counts[at]!));
    return most.length === 1 ? most : null;
  }

  /** Returns the contact with exactly this given name, or null if none or several have it. */
  private exactly(found: string): readonly ContactOrdinal[] | null {
    const contacts = this.allOf(found.slice(1).split(" ").map(foldName).join(" "), this.contactByName);
    return contacts.length === 1 ? contacts : null;
  }

  /** Contacts with a name as texts write it. */
  withName(found: string): readonly ContactOrdinal[] {
    const known = this.found.get(found);
    if (known !== undefined) return known;
    const contacts = this.contactsOf(found);
    if (contacts.length === 0) return NOBODY;
    if (this.found.size === MAX_FOUND) this.found.clear();
    this.found.set(found, contacts);
    return contacts;
  }

  private contactsOf(found: string): readonly ContactOrdinal[] {
    const blank = found.lastIndexOf(" ");
    const folded = this.familyOf(found.slice(Math.max(1, blank + 1)));
    if (folded === null) return NOBODY;
    if (found[0] === NAME_FORMS.titled) return this.allOf(folded, this.contactByFamily);
    const given = found.slice(1, blank);
    if (given.endsWith(".")) return this.allOf(`${foldName(given)}. ${folded}`, this.contactByName);
    const forms = this.families.get(folded) ? fullGivenNames(foldName(given)) : [foldName(given)];
    const contacts = forms.flatMap((form) => this.allOf(`${form} ${folded}`, this.contactByName));
    return contacts.length < 2 ? contacts : [...new Set(contacts)];
  }

  /** The folded form of a family name that contacts have. */
  private familyOf(word: string): string | null {
    const known = this.foldedFamilies.get(word);
    if (known !== undefined) return known;
    if (this.foldedFamilies.size === MAX_FOUND) this.foldedFamilies.clear();
    const folded = foldName(word);
    const family = this.families.has(folded) ? folded : null;
    this.foldedFamilies.set(word, family);
    return family;
  }

  /** Returns the contacts that have a name; none if several share a form other than given and family name. */
  private allOf(name: string, names: ReadonlyMap<string, number>): readonly ContactOrdinal[] {
    const contact = names.get(name);
    if (contact === undefined) return NOBODY;
    return contact === SEVERAL ? (this.namesakes.get(name) ?? NOBODY) : [contact as ContactOrdinal];
  }
}

/** True for rare family names: a common one may mean someone else. */
const isRareFamily = (family: string): boolean => bundledShare(foldAcross(family)) === 0;

const hostOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1).toLowerCase();
const domainOf = (email: string): string => registrableDomain(hostOf(email));
