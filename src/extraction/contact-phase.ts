import { type ResolvedContacts, resolveContacts } from "../contacts/resolve-contacts.ts";
import type { Ledger } from "./ledger.ts";

/** Contacts of the archive: the ordinal of each address, and what resolution says of each. */
export interface NumberedContacts {
  readonly resolved: ResolvedContacts;
  /** Ordinal by contact index of `resolved`. */
  readonly ordinalOf: Int32Array;
  readonly last: number;
}

/** Resolves the addresses of the whole archive to contacts and gives each contact its number. */
export function numberContacts(
  ledger: Ledger,
  merge: boolean,
  earlier: { readonly contactOfAddress: ReadonlyMap<string, number>; readonly next: number },
): NumberedContacts {
  const resolved = resolveContacts(ledger.book, merge);
  const ordinalOf = new Int32Array(resolved.contacts.length);
  const taken = new Set<number>();
  for (const [index, contact] of resolved.contacts.entries()) {
    const known = [contact.email, ...contact.aliases, contact.email === "" ? contact.name : ""]
      .map((text) => earlier.contactOfAddress.get(text.toLowerCase()))
      .filter((ordinal) => ordinal !== undefined && !taken.has(ordinal)) as number[];
    // Of several contacts that new evidence joins, the smallest number stays; a contact that it parts keeps its number with the first.
    const smallest = known.length === 0 ? 0 : Math.min(...known);
    ordinalOf[index] = smallest;
    if (smallest > 0) taken.add(smallest);
  }
  let last = earlier.next - 1;
  for (let index = 0; index < ordinalOf.length; index += 1) if (ordinalOf[index] === 0) ordinalOf[index] = ++last;
  return { resolved, ordinalOf, last };
}

/** Figures of one contact that are counted over all messages, by contact index. */
export interface ContactFigures {
  readonly sent: Uint32Array;
  readonly received: Uint32Array;
  /** Messages sent or received, each once. */
  readonly messages: Uint32Array;
  /** Dated messages only; NaN when there is none. */
  readonly firstSeen: Float64Array;
  readonly lastSeen: Float64Array;
}

export function countContacts(ledger: Ledger, contacts: NumberedContacts): ContactFigures {
  const { contactOf, contacts: all } = contacts.resolved;
  const figures = {
    sent: new Uint32Array(all.length),
    received: new Uint32Array(all.length),
    messages: new Uint32Array(all.length),
    firstSeen: new Float64Array(all.length).fill(Number.NaN),
    lastSeen: new Float64Array(all.length).fill(Number.NaN),
  };
  const add = (column: Uint32Array, contact: number): void => {
    column[contact] = (column[contact] as number) + 1;
  };
  for (let message = 0; message < ledger.messageCount; message += 1) {
    const received = new Set<number>();
    for (const { address } of ledger.recipientsOf(message)) received.add(contactOf[address] as number);
    const from = ledger.from.at(message) < 0 ? -1 : (contactOf[ledger.from.at(message)] as number);
    for (const contact of received) add(figures.received, contact);
    if (from >= 0) {
      add(figures.sent, from);
      received.add(from);
    }
    const at = ledger.sentAt.at(message);
    for (const contact of received) {
      add(figures.messages, contact);
      if (Number.isNaN(at)) continue;
      if (!((figures.firstSeen[contact] as number) <= at)) figures.firstSeen[contact] = at;
      if (!((figures.lastSeen[contact] as number) >= at)) figures.lastSeen[contact] = at;
    }
  }
  return figures;
}
