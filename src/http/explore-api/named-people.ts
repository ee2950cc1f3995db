import type { Address } from "../../mail/address.ts";
import type { Archive } from "../../mail/archive.ts";
import type { NamedAddress } from "../../mail/exploration.ts";
import type { PersonWire } from "./wire.ts";

export function personWire({ name, email, contactId }: NamedAddress): PersonWire {
  return { name, email, contact_id: contactId };
}

/** Addresses as people: all that an answer names are looked up at once. */
export async function peopleIn(
  archive: Archive,
  addresses: readonly Address[],
): Promise<(address: Address) => PersonWire> {
  const emails = Array.from(new Set(addresses.map(({ email }) => email)));
  const contacts = await archive.contacts.ofAddresses(emails);
  const contactOf = new Map(emails.map((email, at) => [email, contacts[at]!]));
  return ({ name, email }) => personWire({ name, email, contactId: contactOf.get(email) ?? null });
}
