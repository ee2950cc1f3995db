import { registrableDomain } from "../contacts/addresses/organisation.ts";
import { bundledShare } from "../contacts/names/common-names.ts";
import { foldAcross } from "../contacts/names/fold-across.ts";
import { equivalentGivenNames, fullGivenNames } from "../contacts/names/given-names.ts";
import { foldName, type PersonName, parsePersonName } from "../contacts/names/person-name.ts";
import { addressKind } from "../contacts/names/role-address.ts";
import type { ContactOrdinal } from "../mail/records/ordinal.ts";
import { wordSet } from "../mail/words/word-table.ts";
import { NAME_FORMS } from "./found-mention.ts";

/** A contact and how it is called. */
export interface ContactNames {
  readonly ordinal: ContactOrdinal;
  readonly name: string;
  readonly email: string;
}

/** Marks a name of several contacts. */
const SEVERAL = -1;

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
export class KnownPeople {
  private readonly contactByName = new Map<string, number>();
  private readonly contactByFamily = new Map<string, number>();
  /** Full names of contacts that are not people. */
  private readonly notPeople = new Set<string>();
  private readonly labels = new Map<number, string>();
  /** Domain of every contact, including authors that are not people. */
  private readonly domains = new Map<number, string>();
  private readonly familiesByGiven = new Map<string, string>();
  /** Cached results of `only`: texts repeat names, and capitalized words that are not names. */
  private readonly found = new Map<string, ContactOrdinal | null>();

  constructor(contacts: Iterable<ContactNames>) {
    const people: (PersonName & ContactNames)[] = [];
    for (const contact of contacts) {
      this.domains.set(contact.ordinal, domainOf(contact.email));
      const parsed = parsePersonName(contact.name);
      const words = contact.name.split(" ", WORDS_OF_FULL_NAME + 1);
      if (parsed === null && words.length === WORDS_OF_FULL_NAME) this.notPeople.add(words.map(foldName).join(" "));
      if (parsed === null || addressKind(localPart(contact.email)) === "list") continue;
      const families = this.familiesByGiven.get(parsed.given) ?? parsed.family;
      this.familiesByGiven.set(parsed.given, families === parsed.family ? families : "");
      people.push({ ...parsed, ...contact });
    }
    for (const person of people)
      if (this.isPerson(person.given, person.family, person.email)) this.addPerson(person);
      else this.notPeople.add(`${person.given} ${person.family}`);
  }

  private addPerson({ ordinal, given, family, shown }: PersonName & ContactNames): void {
    this.labels.set(ordinal, shown);
    for (const form of isRare(family) ? fullGivenNames(given) : [given])
      this.add(this.contactByName, `${form} ${family}`, ordinal);
    if (!isRare(family)) return;
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
    return bundledShare(given) > 0 || fullGivenNames(given).length > 1 || this.familiesByGiven.get(given) === "";
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

  labelOf(contact: ContactOrdinal): string {
    return this.labels.get(contact) ?? "";
  }

  /**
   * The only contact that matches a name in a text, or null. Of people with a common family name, only those in the
   * author's organization count: newspapers write about others.
   */
  named(found: string, author: ContactOrdinal | null): ContactOrdinal | null {
    const contact = this.only(found);
    if (contact === null || isRare(foldName(found.slice(found.lastIndexOf(" ") + 1)))) return contact;
    return author !== null && this.domains.get(author) === this.domains.get(contact) ? contact : null;
  }

  private only(found: string): ContactOrdinal | null {
    const known = this.found.get(found);
    if (known !== undefined) return known;
    if (this.found.size === MAX_FOUND) this.found.clear();
    const contact = this.fitting(found);
    this.found.set(found, contact);
    return contact;
  }

  private fitting(found: string): ContactOrdinal | null {
    const name = found.slice(1);
    if (found[0] === NAME_FORMS.titled) return onlyOne(this.contactByFamily.get(foldName(name)));
    const [given, family] = name.split(" ") as [string, string];
    const initial = given.endsWith(".") ? "." : "";
    for (const form of initial === "" ? fullGivenNames(foldName(given)) : [foldName(given)]) {
      const contact = this.contactByName.get(`${form}${initial} ${foldName(family)}`);
      if (contact !== undefined && (form === foldName(given) || isRare(foldName(family)))) return onlyOne(contact);
    }
    return null;
  }
}

/** True for rare family names: a common one may mean someone else. */
const isRare = (family: string): boolean => bundledShare(foldAcross(family)) === 0;

const localPart = (email: string): string => email.slice(0, email.lastIndexOf("@")).toLowerCase();
const domainOf = (email: string): string => registrableDomain(email.slice(email.lastIndexOf("@") + 1).toLowerCase());

function onlyOne(contact: number | undefined): ContactOrdinal | null {
  return contact === undefined || contact === SEVERAL ? null : (contact as ContactOrdinal);
}
