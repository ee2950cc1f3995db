import type { ArchivedMessage } from "../mail/archive.ts";
import { formatInstant, type Instant } from "../mail/dates/instant.ts";
import type { Address } from "../mail/records/address.ts";
import type { Attachment } from "../mail/records/message.ts";
import { formatCount } from "../text/tokens/format-count.ts";
import { plainLine } from "./plain-text.ts";

/** Maximum people named per field; the others are counted. */
const MAX_NAMED = 8;
/** Maximum attachments listed. */
const MAX_ATTACHMENTS = 10;

/** `Ann Lee <ann@x.example>`. */
export function personText(person: Address | null): string {
  if (person === null) return "(nobody)";
  const name = plainLine(person.name);
  const email = plainLine(person.email);
  if (name === "" || email === "") return name || email || "(nobody)";
  return `${name} <${email}>`;
}

/** Some people, and how many more there are. */
export function peopleText(people: readonly Address[], total = people.length): string {
  const named = people.slice(0, MAX_NAMED).map(personText);
  const more = total - named.length;
  return [...named, ...(more > 0 ? [`and ${formatCount(more)} more`] : [])].join(", ");
}

/** To the minute, in UTC. */
export function dateText(instant: Instant | null): string {
  return formatInstant(instant)?.slice(0, 16).replace("T", " ") ?? "undated";
}

/** @param number of the attachment in its message, from 1 */
export function attachmentLine(attachment: Attachment, number: number): string {
  const { filename, mediaType, sizeBytes, linkTarget, attachedMessage } = attachment;
  const kept = linkTarget === null ? `${formatCount(sizeBytes)} bytes` : `link to ${plainLine(linkTarget)}`;
  const within = attachedMessage === null ? "" : `, in ${plainLine(attachedMessage)}`;
  return `Attachment ${number}: ${plainLine(filename)} (${plainLine(mediaType)}, ${kept}${within})`;
}

/** Header of a message, one line per field, without empty fields. */
export function headerLines(message: ArchivedMessage): readonly string[] {
  const { attachments, occurrences } = message;
  const files = attachments.slice(0, MAX_ATTACHMENTS).map((file, index) => attachmentLine(file, index + 1));
  const fields: readonly (readonly [string, string])[] = [
    ["Subject", plainLine(message.subject) || "(no subject)"],
    ["From", personText(message.from)],
    ["To", peopleText(message.to)],
    ["Cc", peopleText(message.cc)],
    ["Bcc", peopleText(message.bcc)],
    ["Date", `${dateText(message.sentAt ?? message.receivedAt)} UTC`],
    ["Mailbox", plainLine(message.mailbox)],
    ["Message-ID", plainLine(message.messageId)],
  ];
  return [
    `${message.id}, ${message.threadId}, ${message.topicId}`,
    ...fields.flatMap(([name, value]) => (value === "" ? [] : [`${name}: ${value}`])),
    ...(occurrences.length > 1 ? [`Also in ${formatCount(occurrences.length - 1)} other locations`] : []),
    ...files,
    ...(attachments.length > files.length
      ? [`${formatCount(attachments.length - files.length)} more attachments`]
      : []),
  ];
}
