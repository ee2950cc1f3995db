import { bundledShare } from "../contacts/names/common-names.ts";
import { foldAcross } from "../contacts/names/fold-across.ts";
import { fullGivenNames } from "../contacts/names/given-names.ts";
import { foldName, parsePersonName } from "../contacts/names/person-name.ts";
import type { ContactOrdinal } from "../mail/records/ordinal.ts";
import { NAME_FORMS } from "./found-mention.ts";

/** A contact and how it is called. */
export interface NamedContact {
  readonly ordinal: ContactOrdinal;
  readonly name: string;
  readonly email: string;
}

/** Where several contacts have a name. */
const SEVERAL = -1;

/** The names of the people of an archive, in all the ways in which texts write them. */
export class KnownPeople {
  private readonly contactByName = new Map<string, number>();
  private readonly contactByFamily = new Map<string, number>();
  private readonly labels = new Map<number, string>();

  constructor(contacts: Iterable<NamedContact>) {
    for (const { ordinal, name, email } of contacts) {
      const parsed = parsePersonName(name);
      if (parsed === null) continue;
      const { given, family, shown } = parsed;
      // `Kai Billing <billing@kai.example>` is a part of a company.
      if (new RegExp(`[@.]${given}\\.`, "i").test(email)) continue;
      this.labels.set(ordinal, shown);
      for (const form of isRare(family) ? fullGivenNames(given) : [given])
        this.add(this.contactByName, `${form} ${family}`, ordinal);
      if (!isRare(family)) continue;
      this.add(this.contactByName, `${given[0]}. ${family}`, ordinal);
      this.add(this.contactByFamily, family, ordinal);
    }
  }

  private add(names: Map<string, number>, name: string, contact: number): void {
    const known = names.get(name);
    names.set(name, known === undefined || known === contact ? contact : SEVERAL);
  }

  labelOf(contact: ContactOrdinal): string {
    return this.labels.get(contact) ?? "";
  }

  /** The only contact that a found name fits; null where there is none, or several. */
  named(found: string): ContactOrdinal | null {
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

/** True for family names that few people have: of common ones others may be meant. */
const isRare = (family: string): boolean => bundledShare(foldAcross(family)) === 0;

function onlyOne(contact: number | undefined): ContactOrdinal | null {
  return contact === undefined || contact === SEVERAL ? null : (contact as ContactOrdinal);
}
