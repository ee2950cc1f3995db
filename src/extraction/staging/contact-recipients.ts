import type { Address } from "../../mail/records/address.ts";
import type { MessageEnvelope } from "../../mail/records/message.ts";

/**
 * Maximum recipients of a message that become contacts, including those of Reply-To. The largest distribution lists
 * have some thousand.
 */
export const MAX_RECIPIENT_CONTACTS = 10_000;
/**
 * Bytes that contacts of any message may produce in outputs. An archive of one short message has 0.42 MB, so it stays
 * below 1 MB.
 */
export const FREE_CONTACT_BYTES = 560_000;
/** Output bytes per byte of a message. A character has at least one byte in any charset. */
const GROWTH_MAX = 20;
/** Number of times that outputs contain a recipient: in fields, index, row and pages. */
const TIMES_RECIPIENT_WRITTEN = 7;
/** The same for a subject, which thread lists contain as well. */
const TIMES_SUBJECT_WRITTEN = 12;
/** Bytes of a contact in the outputs, not counting its address: rows, a page of the wiki, and its line in lists. */
export const BYTES_A_CONTACT = 2_100;
/** Number of times they contain the address of a contact, and its name, not counting the fields of the message. */
const TIMES_CONTACT_WRITTEN = { email: 22, name: 5 } as const;

type RecipientField = "to" | "cc" | "bcc" | "replyTo";
/** Number of people in a message, plus one if it has a subject. */
type People = Pick<MessageEnvelope, "from" | "sender" | RecipientField> & Partial<Pick<MessageEnvelope, "subject">>;

/**
 * Limits recipients to the number that become contacts, for the main thread. Redacted if the archive is: later runs
 * have nothing else.
 */
export function contactRecipients<E extends People>(envelope: E): E {
  const contacts = recipientContacts(envelope);
  return recipientCount(envelope) > contacts ? { ...envelope, ...firstRecipients(envelope, contacts) } : envelope;
}

/**
 * Number of recipients that become contacts, the first ones, so that outputs are not many times as large as the
 * message.
 */
export function recipientContacts(envelope: People): number {
  return areFewAndShort(envelope) ? recipientCount(envelope) : countedContacts(envelope);
}

/** Bytes that a character may be in UTF-8: one unit of UTF-16. */
const MAX_BYTES_A_UNIT = 3;

/** True for nearly all mail: the limit holds even if every character takes the maximum of bytes. */
function areFewAndShort({ from, sender, to, cc, bcc, replyTo, subject = "" }: People): boolean {
  let most = subject.length * (MAX_BYTES_A_UNIT * TIMES_SUBJECT_WRITTEN - GROWTH_MAX);
  if (from !== null) most += mostBytes(from);
  if (sender !== null) most += mostBytes(sender);
  return most + mostBytesOf(to) + mostBytesOf(cc) + mostBytesOf(bcc) + mostBytesOf(replyTo) <= FREE_CONTACT_BYTES;
}

function mostBytesOf(addresses: readonly Address[]): number {
  let most = 0;
  for (let at = 0; at < addresses.length; at++) most += mostBytes(addresses[at]!);
  return most;
}

/** Bytes of a contact, minus the allowance for a recipient. */
function mostBytes({ name, email }: Address): number {
  const { email: timesEmail, name: timesName } = TIMES_CONTACT_WRITTEN;
  const spelled =
    (timesEmail + TIMES_RECIPIENT_WRITTEN) * email.length + (timesName + TIMES_RECIPIENT_WRITTEN) * name.length;
  return BYTES_A_CONTACT + MAX_BYTES_A_UNIT * spelled;
}

function countedContacts(envelope: People): number {
  const { from, sender, to, cc, bcc, replyTo, subject = "" } = envelope;
  const recipients = [to, cc, bcc, replyTo];
  let room = FREE_CONTACT_BYTES + Math.min(0, allowance(subject, TIMES_SUBJECT_WRITTEN));
  for (const author of [from, sender]) if (author !== null) room -= bytesOfContact(author);
  for (const field of recipients)
    for (const { name, email } of field)
      room += allowance(name, TIMES_RECIPIENT_WRITTEN) + allowance(email, TIMES_RECIPIENT_WRITTEN);
  let count = 0;
  for (const field of recipients)
    for (const address of field) {
      room -= bytesOfContact(address);
      if (room < 0 || count === MAX_RECIPIENT_CONTACTS) return count;
      count++;
    }
  return count;
}

/** Additional bytes that a text may take in UTF-8; negative if it was shorter in its charset. */
function allowance(text: string, times: number): number {
  return GROWTH_MAX * text.length - times * Buffer.byteLength(text);
}

function bytesOfContact({ name, email }: Address): number {
  const { email: timesEmail, name: timesName } = TIMES_CONTACT_WRITTEN;
  return BYTES_A_CONTACT + timesEmail * Buffer.byteLength(email) + timesName * Buffer.byteLength(name);
}

/** Of all four fields. */
export function recipientCount({ to, cc, bcc, replyTo }: Pick<MessageEnvelope, RecipientField>): number {
  return to.length + cc.length + bcc.length + replyTo.length;
}

/** Counts recipients in field order: To before Cc, and so on. */
export function firstRecipients(
  envelope: Pick<MessageEnvelope, RecipientField>,
  most: number,
): Pick<MessageEnvelope, RecipientField> {
  let room = most;
  const take = (addresses: readonly Address[]): readonly Address[] => {
    const taken = addresses.slice(0, room);
    room -= taken.length;
    return taken;
  };
  return { to: take(envelope.to), cc: take(envelope.cc), bcc: take(envelope.bcc), replyTo: take(envelope.replyTo) };
}
