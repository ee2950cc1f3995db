import { NumberedTexts } from "../../columns/numbered-texts.ts";
import { PagedInt32Column } from "../../columns/paged-column.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import type { Contact } from "../../mail/records/contact.ts";
import { ordinalOf } from "../../mail/records/ids.ts";
import type { ContactOrdinal } from "../../mail/records/ordinal.ts";

/**
 * Ordinals of the contacts of an earlier run by every address or, without one, by name, both in lower case. Mostly
 * stored in a file.
 */
export class ContactsByAddress {
  private readonly texts: NumberedTexts;
  private readonly ordinals: PagedInt32Column;

  constructor(memory: PagedMemory) {
    this.texts = new NumberedTexts(memory);
    this.ordinals = new PagedInt32Column(memory);
  }

  enter({ id, name, email, aliases }: Contact): void {
    const ordinal = ordinalOf("contact", id)!;
    for (const address of [email, ...aliases]) if (address !== "") this.set(address.toLowerCase(), ordinal);
    if (email === "") this.set(name.toLowerCase(), ordinal);
  }

  /** @param text in lower case */
  get(text: string): ContactOrdinal | undefined {
    const number = this.texts.find(text);
    return number < 0 ? undefined : (this.ordinals.at(number) as ContactOrdinal);
  }

  /** If two contacts have the same address, the later one counts. */
  private set(text: string, ordinal: ContactOrdinal): void {
    const number = this.texts.numberOf(text);
    if (number === this.ordinals.length) this.ordinals.push(ordinal);
    else this.ordinals.set(number, ordinal);
  }
}
