import type { Identity } from "./draft.ts";
import { type Person, personOf } from "./people.ts";
import type { SeededRandom } from "./seeded-random.ts";

/**
 * How a person signs what they send: nearly always from work, now and then from home or from an address of before the
 * merger.
 */
export function senderIdentity(key: string, random: SeededRandom): Identity {
  const person = personOf(key);
  const others = person.otherEmails.filter((email) => email.includes("@"));
  const email = others.length > 0 && random.chance(9) ? random.pick(others) : person.email;
  return { name: `${person.first} ${person.last}`, email };
}

/**
 * How somebody else addresses them: plainly, in the spelling of Exchange, quoted, without a name, or by an old X.500
 * address.
 */
export function recipientIdentity(key: string, random: SeededRandom): Identity {
  const person = personOf(key);
  const spelling = random.below(20);
  if (spelling < 4 && person.company === "Halvorsen & Pike")
    return { name: `${person.last}, ${person.first}`, email: recipientEmail(person, random) };
  if (spelling === 4) return { name: `'${person.email}'`, email: person.email };
  if (spelling === 5) return { name: "", email: person.email };
  if (spelling === 6) return { name: `${person.first} ${person.last}`, email: person.email.toUpperCase() };
  return { name: `${person.first} ${person.last}`, email: recipientEmail(person, random) };
}

function recipientEmail(person: Person, random: SeededRandom): string {
  return person.otherEmails.length > 0 && random.chance(7) ? random.pick(person.otherEmails) : person.email;
}
