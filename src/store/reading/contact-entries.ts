import type { MessageOrdinal } from "../../mail/records/ordinal.ts";
import type { ContactRole, NumberLists, Recipients } from "../../search/indexing/search-source.ts";
import { MAX_MESSAGE_ORDINAL } from "../contract/archive-writer.ts";

/**
 * Which contacts appear in which messages: per contact one blob of 32-bit entries, newest message first, undated last.
 * An entry is the message's ordinal with the contact's roles in the top four bits. A table of pairs with an index would
 * be eight times as large and cost as much as all other indexes together.
 */

/** Roles of a contact in a message, as bits. */
export const ROLES = { from: 1, to: 2, cc: 4, bcc: 8 } as const;
/** Above the bits of the largest ordinal. */
export const ROLE_SHIFT = 32 - Math.clz32(MAX_MESSAGE_ORDINAL);

export const entryMessage = (entry: number): MessageOrdinal => (entry & MAX_MESSAGE_ORDINAL) as MessageOrdinal;
export const entryRoles = (entry: number): number => entry >>> ROLE_SHIFT;

/** The entries of one contact as stored. */
export function readEntries(blob: Uint8Array): Uint32Array {
  const entries = new Uint32Array(blob.byteLength >> 2);
  new Uint8Array(entries.buffer).set(blob.subarray(0, entries.byteLength));
  return entries;
}

const ROLE_BITS: Readonly<Record<ContactRole, number>> = {
  from: ROLES.from,
  to: ROLES.to,
  cc: ROLES.cc | ROLES.bcc,
};

/** The messages in the entries of a contact that name it in a role. */
export function messagesInRole(entries: Uint32Array, role: ContactRole): number[] {
  const bit = ROLE_BITS[role];
  const messages: number[] = [];
  for (const entry of entries) if ((entryRoles(entry) & bit) !== 0) messages.push(entryMessage(entry));
  return messages;
}

/** The entries of a contact. */
export interface ContactEntries {
  readonly contact: number;
  readonly entries: Uint32Array;
}

const RECIPIENT_BITS: Readonly<Record<Recipients, number>> = { to: ROLE_BITS.to, all: ROLE_BITS.to | ROLE_BITS.cc };

/** Recipients of every message below `count`, for the search index. Iterates the contacts twice. */
export function recipientLists(contacts: () => Iterable<ContactEntries>, of: Recipients, count: number): NumberLists {
  const bits = RECIPIENT_BITS[of];
  const starts = new Uint32Array(count + 1);
  visitRecipients(contacts(), bits, (message) => starts[message + 1]!++);
  for (let message = 1; message <= count; message++) starts[message]! += starts[message - 1]!;
  const values = new Uint32Array(starts[count]!);
  const next = starts.slice();
  visitRecipients(contacts(), bits, (message, contact) => {
    values[next[message]!++] = contact;
  });
  return { starts, values };
}

function visitRecipients(
  contacts: Iterable<ContactEntries>,
  bits: number,
  visit: (message: number, contact: number) => void,
): void {
  for (const { contact, entries } of contacts)
    for (const entry of entries) if ((entryRoles(entry) & bits) !== 0) visit(entryMessage(entry), contact);
}
