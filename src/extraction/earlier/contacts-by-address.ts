import { NumberedTexts } from "../../columns/numbered-texts.ts";
import { PagedInt32Column } from "../../columns/paged-column.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import { PagedTextColumn } from "../../columns/paged-text-column.ts";
import type { ContactOrdinal } from "../../mail/records/ordinal.ts";
import type { ContactAddresses } from "../../store/contract/rows.ts";

/**
 * Ordinals of the contacts of an earlier run by every address or, without one, by name, both in lower case. Mostly
 * stored in a file.
 */
export class ContactsByAddress {
  private readonly texts: NumberedTexts;
  private readonly ordinals: PagedInt32Column;
  /** By ordinal. */
  private readonly names: PagedTextColumn;
  private readonly emails: PagedTextColumn;

  constructor(memory: PagedMemory) {
    this.names = new PagedTextColumn(memory);
    this.emails = new PagedTextColumn(memory);
    this.texts = new NumberedTexts(memory);
    this.ordinals = new PagedInt32Column(memory);
  }

  enter({ ordinal, name, email, aliases }: ContactAddresses): void {
    for (const address of [email, ...aliases]) if (address !== "") this.set(address.toLowerCase(), ordinal);
    if (email === "") this.set(name.toLowerCase(), ordinal);
    for (const [column, text] of [
      [this.names, name],
      [this.emails, email],
    ] as const) {
      while (column.length <= ordinal) column.push("");
      column.set(ordinal, text);
    }
  }

  /** @param text in lower case */
  get(text: string): ContactOrdinal | undefined {
    const number = this.texts.find(text);
    return number < 0 ? undefined : (this.ordinals.at(number) as ContactOrdinal);
  }

  /** Name of the contact that has an address, in lower case. */
  nameOf(address: string): string | undefined {
    const ordinal = this.get(address);
    return ordinal === undefined ? undefined : this.names.at(ordinal);
  }

  /** Text of a contact among the participants of a thread. */
  textOf(contact: ContactOrdinal): string {
    return this.emails.at(contact) || this.names.at(contact);
  }

  /** If two contacts have the same address, the later one counts. */
  private set(text: string, ordinal: ContactOrdinal): void {
    const number = this.texts.numberOf(text);
    if (number === this.ordinals.length) this.ordinals.push(ordinal);
    else this.ordinals.set(number, ordinal);
  }
}
