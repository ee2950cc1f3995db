import { writtenLine, writtenText } from "../../calendar/written-lines.ts";
import type { Contact } from "../../mail/contact.ts";
import { formatInstant } from "../../mail/instant.ts";

/** A contact as a vCard 4.0 (RFC 6350). The name is not parted: which of its words is the family's, nobody said. */
export function vcard({ id, name, email, aliases, messageCount, firstSeen, lastSeen }: Contact): string {
  const shown = name === "" ? email : name;
  const emails = [email, ...aliases].filter((address) => address.includes("@"));
  const seen = [formatInstant(firstSeen)?.slice(0, 10), formatInstant(lastSeen)?.slice(0, 10)];
  const lines = [
    "BEGIN:VCARD",
    "VERSION:4.0",
    `UID:${id}`,
    `FN:${writtenText(shown === "" ? id : shown)}`,
    ...emails.map((address, index) => `EMAIL${index === 0 ? ";PREF=1" : ""}:${writtenText(address)}`),
    `NOTE:${writtenText(`${messageCount} messages${seen[0] === undefined ? "" : ` from ${seen[0]} to ${seen[1] ?? seen[0]}`}`)}`,
    "END:VCARD",
  ];
  return lines.map(writtenLine).join("");
}
