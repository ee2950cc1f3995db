import type { Archive } from "../../../mail/archive.ts";
import type { Contact } from "../../../mail/records/contact.ts";
import { foldKey } from "../../../mail/words/fold-key.ts";
import type { NAMESAKE_REASONS, PersonDetailWire } from "../wire/wire-people.ts";

/** Contacts searched for the same name, and maximum namesakes returned. */
const LOOKED_AT = 500;
const MAX_NAMESAKES = 20;

type Reason = (typeof NAMESAKE_REASONS)[number];

/** The rule of docs/explanation/threads-and-contacts.md that kept them apart, in words. */
const EXPLANATIONS: Readonly<Record<Reason, string>> = {
  merging_was_off: "addresses were not merged in this archive: each is a separate contact",
  no_full_name: "same name, but not a full name with first and last name",
  no_address: "same name, but one of them has no address",
  other_organisation: "same name, but a different organization",
  no_evidence: "same name and organization, but the addresses belong to a role, a group or another name",
};

/** Contacts of the same name, with the reason why they are not merged. */
export async function namesakesOf(archive: Archive, contact: Contact): Promise<PersonDetailWire["namesakes"]> {
  const name = foldKey(contact.name);
  if (name === "") return [];
  const { items } = await archive.contacts.list("frequency", { limit: LOOKED_AT, offset: 0 }, contact.name);
  const others = items
    .filter((other) => other.id !== contact.id && foldKey(other.name) === name)
    .slice(0, MAX_NAMESAKES);
  if (others.length === 0) return [];
  const { options } = await archive.provenance();
  const counts = await archive.explore.hits(others.map(({ id }) => ({ query: `person:${id}`, match: "all" })));
  return others.map((other, at) => {
    const reason = options.mergeContacts ? reasonBetween(contact, other) : "merging_was_off";
    return {
      contact_id: other.id,
      name: other.name,
      email: other.email,
      messages: counts[at]!.messages,
      reason,
      explanation: EXPLANATIONS[reason],
    };
  });
}

function reasonBetween(one: Contact, other: Contact): Reason {
  if (one.email === "" || other.email === "") return "no_address";
  if (!/\S[\s,]+\S/.test(one.name.trim())) return "no_full_name";
  return other.domains.some((domain) => one.domains.includes(domain)) ? "no_evidence" : "other_organisation";
}
