import type { Archive } from "../../../mail/archive.ts";
import type { LinkedAddress } from "../../../mail/exploration.ts";
import type { Address } from "../../../mail/records/address.ts";
import type { PersonWire } from "../wire/wire.ts";

export function personWire({ name, email, contactId }: LinkedAddress): PersonWire {
  return { name, email, contact_id: contactId };
}

/** Resolves all addresses of a response to people at once. */
export async function peopleIn(
  archive: Archive,
  addresses: readonly Address[],
): Promise<(address: Address) => PersonWire> {
  const emails = Array.from(new Set(addresses.map(({ email }) => email)));
  const contacts = await archive.contacts.ofAddresses(emails);
  const contactOf = new Map(emails.map((email, at) => [email, contacts[at]!]));
  return ({ name, email }) => {
    const contact = contactOf.get(email) ?? null;
    // Many programs write no names; other mail of the same person may have one.
    return personWire({ name: name === "" ? (contact?.name ?? "") : name, email, contactId: contact?.id ?? null });
  };
}
