import type { Archive } from "../mail/archive.ts";
import type { ContactDetail } from "../mail/records/contact.ts";
import type { ContactId } from "../mail/records/ids.ts";
import { countOf } from "../text/tokens/format-count.ts";

/** A contact that may be the same person as another. */
interface SuggestedContact {
  readonly id: ContactId;
  readonly name: string;
  readonly email: string;
  readonly message_count: number;
}

/** Two contacts that may be one person. */
interface SuggestedPair {
  readonly one: SuggestedContact;
  readonly other: SuggestedContact;
  readonly bits: number;
  readonly reason: string;
}

/** Contacts that may be one person, sorted by the number of their messages. */
export async function suggestionsOf(archive: Archive): Promise<readonly SuggestedPair[]> {
  const { people } = await archive.provenance();
  const pairs: SuggestedPair[] = [];
  for (const { one, other, bits, reason } of people?.suggestions ?? []) {
    const [first, second] = await archive.contacts.ofAddresses([one, other]);
    const contacts = [first, second].map((contact) => (contact ? archive.contacts.get(contact.id) : null));
    const [a, b] = await Promise.all(contacts);
    if (a && b && a.id !== b.id) pairs.push({ one: suggested(a), other: suggested(b), bits, reason });
  }
  return pairs;
}

function suggested({ id, name, email, messageCount }: ContactDetail): SuggestedContact {
  return { id, name, email, message_count: messageCount };
}

export function suggestionLines(pairs: readonly SuggestedPair[]): readonly string[] {
  if (pairs.length === 0) return ["No suggestions"];
  return pairs.flatMap(({ one, other, bits, reason }) => [
    `${bits.toFixed(1)} bits  ${line(one)} and ${line(other)}`,
    `          ${reason}`,
  ]);
}

function line({ name, email, message_count: messages }: SuggestedContact): string {
  return `${name} <${email}> (${countOf(messages, "message")})`;
}
