import {
  PagedFloat64Column,
  PagedInt32Column,
  PagedUint8Column,
  PagedUint32Column,
} from "../../columns/paged-column.ts";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import type { PagedObjects } from "../../columns/paged-objects.ts";
import { addressKey } from "../../contacts/addresses/address-form.ts";
import type { SettledCorrections } from "../../contacts/corrections/correction.ts";
import { resolveContacts } from "../../contacts/resolve-contacts.ts";
import type { ResolvedContact } from "../../contacts/resolved-contact.ts";
import type { EarlierRules, RuleLine } from "../../contacts/rule-results.ts";
import { ArchiveError } from "../../errors.ts";
import type { PeopleSuggestion } from "../../mail/records/contact.ts";
import { type ContactOrdinal, FIRST_MESSAGE, type MarkedColumn } from "../../mail/records/ordinal.ts";
import { MAX_CONTACTS } from "../../store/contract/archive-writer.ts";
import type { Ledger } from "../ledger/deduplicate.ts";
import { correspondenceOf } from "../ledger/ledger-correspondence.ts";
import { StagedContacts } from "../staging/staged-contacts.ts";

/** Contacts of the archive: contact by address, ordinals, and results of the resolution. */
export interface NumberedContacts {
  /** Contact index by address. */
  readonly contactOf: PagedInt32Column;
  /** Addresses of a contact, by its index. */
  addressesOf(contact: number): readonly number[];
  /** By contact index. */
  readonly contacts: StagedContacts;
  /** Ordinal by contact index. */
  readonly ordinalOf: MarkedColumn<ContactOrdinal>;
  readonly last: ContactOrdinal;
  readonly suggestions: readonly PeopleSuggestion[];
  /** Results of the rules, for later runs. */
  readonly rules: PagedObjects<RuleLine>;
}

/** Inputs for numbering contacts. */
interface ContactNumbering {
  /** False keeps every address a separate contact. */
  readonly merge: boolean;
  readonly corrections: SettledCorrections;
  /** Results of the rules in an earlier run, or null. */
  readonly rules: EarlierRules | null;
  /** Ordinals of an earlier run by address or, without one, by name; both in lower case. */
  readonly earlier: Pick<ReadonlyMap<string, ContactOrdinal>, "get">;
  /** Ordinals released by corrections, by address key; used first. */
  readonly released: ReadonlyMap<string, ContactOrdinal>;
  /** First unused ordinal. */
  readonly next: ContactOrdinal;
  /** Path of a new file in which contacts are stored until their rows are written. */
  readonly path: string;
  readonly memory: PagedMemory;
}

/** Resolves the addresses of the whole archive to contacts and gives each contact its number. Throws ARCHIVE_FULL. */
export function numberContacts(ledger: Ledger, numbering: ContactNumbering, most = MAX_CONTACTS): NumberedContacts {
  const { merge, corrections, rules, earlier, released, next, path, memory } = numbering;
  const { book } = ledger;
  const mail = correspondenceOf(ledger);
  const resolved = resolveContacts(book, memory, merge, { mail, corrections, earlier: rules });
  const { contactOf, count, addressesOf, summaries, suggestions } = resolved;
  requireRoom(count, most);
  const ordinalOf = new Int32Array(count) as MarkedColumn<ContactOrdinal>;
  /** By earlier ordinal: 1 if a contact already has it. */
  const taken = new PagedUint8Column(memory);
  taken.extend(next, 0);
  function* numbered(): Generator<ResolvedContact> {
    let index = 0;
    for (const contact of summaries()) {
      const known = [contact.email, ...contact.aliases, contact.email === "" ? contact.name : ""]
        .map((text) => released.get(addressKey(text)) ?? earlier.get(text.toLowerCase()))
        .filter((ordinal) => ordinal !== undefined && taken.at(ordinal) === 0) as ContactOrdinal[];
      // If new evidence joins contacts, the smallest number stays; if it splits a contact, the first part keeps the
      // number.
      if (known.length > 0) {
        const smallest = known.reduce((least, ordinal) => Math.min(least, ordinal) as ContactOrdinal);
        ordinalOf[index] = smallest;
        taken.set(smallest, 1);
      }
      index++;
      yield contact;
    }
  }
  const contacts = new StagedContacts(path, numbered(), memory);
  taken.clear();
  let free = next;
  for (const [index, ordinal] of ordinalOf.entries()) if (ordinal < 1) ordinalOf[index] = free++ as ContactOrdinal;
  requireRoom(free - 1, most);
  return {
    contactOf,
    addressesOf,
    contacts,
    ordinalOf,
    last: (free - 1) as ContactOrdinal,
    rules: resolved.rules,
    suggestions: suggestions.map(({ one, other, bits, reason }) => ({
      one: book.keyOf(one),
      other: book.keyOf(other),
      bits,
      reason,
    })),
  };
}

function requireRoom(contacts: number, most: number): void {
  if (contacts > most) throw new ArchiveError("ARCHIVE_FULL", `an archive can contain at most ${most} contacts`);
}

/** The contact (ordinal) that an address belongs to. */
export function contactOfAddress(contacts: NumberedContacts, address: number): ContactOrdinal {
  return contacts.ordinalOf[contacts.contactOf.at(address)]!;
}

/** Text of a contact among the participants of a thread: its main address, or its name. */
export function textOfContact({ contacts }: NumberedContacts, contact: number): string {
  return contacts.emailOf(contact) || contacts.nameOf(contact);
}

/** Figures of one contact that are counted over all messages, by contact index. */
export interface ContactFigures {
  readonly sent: PagedUint32Column;
  readonly received: PagedUint32Column;
  /** Messages sent or received, each once. */
  readonly messages: PagedUint32Column;
  /** Dated messages only; NaN without any. */
  readonly firstSeen: PagedFloat64Column;
  readonly lastSeen: PagedFloat64Column;
}

export function countContacts(ledger: Ledger, contacts: NumberedContacts, memory: PagedMemory): ContactFigures {
  const { contactOf, contacts: all } = contacts;
  const figures = {
    sent: new PagedUint32Column(memory),
    received: new PagedUint32Column(memory),
    messages: new PagedUint32Column(memory),
    firstSeen: new PagedFloat64Column(memory),
    lastSeen: new PagedFloat64Column(memory),
  };
  for (const column of [figures.sent, figures.received, figures.messages]) column.extend(all.length, 0);
  for (const column of [figures.firstSeen, figures.lastSeen]) column.extend(all.length, Number.NaN);
  // The last counted message of each contact: a message may name a contact in several fields.
  const receivedIn = new PagedInt32Column(memory);
  const seenIn = new PagedInt32Column(memory);
  for (const column of [receivedIn, seenIn]) column.extend(all.length, -1);
  const add = (column: PagedUint32Column, contact: number): void => column.set(contact, column.at(contact) + 1);
  const see = (contact: number, message: number): void => {
    if (seenIn.at(contact) === message) return;
    seenIn.set(contact, message);
    add(figures.messages, contact);
    const at = ledger.sentAt.at(message);
    if (Number.isNaN(at)) return;
    if (!(figures.firstSeen.at(contact) <= at)) figures.firstSeen.set(contact, at);
    if (!(figures.lastSeen.at(contact) >= at)) figures.lastSeen.set(contact, at);
  };
  for (let message = FIRST_MESSAGE; message < ledger.messageCount; message++) {
    for (const { address } of ledger.recipientsOf(message)) {
      const contact = contactOf.at(address);
      if (receivedIn.at(contact) !== message) add(figures.received, contact);
      receivedIn.set(contact, message);
      see(contact, message);
    }
    const from = ledger.from.at(message);
    if (from < 0) continue;
    const contact = contactOf.at(from);
    add(figures.sent, contact);
    see(contact, message);
  }
  for (const column of [receivedIn, seenIn]) column.clear();
  return figures;
}
