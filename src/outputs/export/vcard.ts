import { escapeCardText, foldLine } from "../../calendar/escape-content.ts";
import { formatInstant } from "../../mail/dates/instant.ts";
import type { Contact } from "../../mail/records/contact.ts";

/** Fields of a contact on a card. */
type CardContact = Pick<Contact, "id" | "name" | "email" | "aliases" | "messageCount" | "firstSeen" | "lastSeen">;

/** A contact as a vCard 4.0 (RFC 6350). The name is not split, because its family name is unknown. */
export function vcard(contact: CardContact): string {
  const { id, name, email, aliases, messageCount, firstSeen, lastSeen } = contact;
  const shown = name === "" ? email : name;
  const emails = [email, ...aliases].filter((address) => address.includes("@"));
  const seen = [formatInstant(firstSeen)?.slice(0, 10), formatInstant(lastSeen)?.slice(0, 10)];
  const lines = [
    "BEGIN:VCARD",
    "VERSION:4.0",
    `UID:${id}`,
    `FN:${escapeCardText(shown === "" ? id : shown)}`,
    ...emails.map((address, index) => `EMAIL${index === 0 ? ";PREF=1" : ""}:${escapeCardText(address)}`),
    `NOTE:${escapeCardText(`${messageCount} messages${seen[0] === undefined ? "" : ` from ${seen[0]} to ${seen[1] ?? seen[0]}`}`)}`,
    "END:VCARD",
  ];
  return lines.map(foldLine).join("");
}
