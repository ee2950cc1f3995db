import type { Address } from "../../mail/address.ts";
import type { Finding, MessageEnvelope } from "../../mail/message.ts";

/**
 * Characters kept of a subject: 64 KiB. It stands on every page that names the message; mail programs cut at a few
 * hundred.
 */
export const MAX_SUBJECT_LENGTH = 64 * 1024;
/**
 * Characters kept of an address, and of a display name. RFC 5321 allows 320 of an address, Exchange 1,024 of a
 * directory name.
 */
export const MAX_ADDRESS_LENGTH = 1024;
/**
 * Recipients of one message that become contacts at most, those of Reply-To among them. The largest lists that programs
 * send to have some thousand.
 */
export const MAX_RECIPIENT_CONTACTS = 10_000;
/**
 * Recipients that become contacts however short the message is: real mail of a company has had 1,029, and none of them
 * may be lost.
 */
export const MIN_RECIPIENT_CONTACTS = 1_100;
/**
 * Recipients that become contacts beside those for the size of the message: with all outputs a contact is 2.3 KB, so
 * these are 1 MB.
 */
export const FREE_RECIPIENT_CONTACTS = 400;
/**
 * Bytes of a message for each further one. An address is 26 bytes, or 40 with a name: without this a message would come
 * out seventy times as large, and with it, from 90 KB on, at most twenty times.
 */
export const BYTES_A_CONTACT = 128;
/** Recipients of one message that are kept at all: 600,000 in 14 MB have been seen in attacks. */
export const MAX_RECIPIENTS = 50_000;
/**
 * Characters of a Message-ID: a line of mail has 998 (RFC 5322 2.1.1). A longer one names nothing that another message
 * could refer to.
 */
export const MAX_MESSAGE_ID_LENGTH = 2048;

export interface BoundedEnvelope {
  readonly envelope: MessageEnvelope;
  /** What was cut; empty for nearly all mail. */
  readonly findings: readonly Finding[];
}

/**
 * The envelope as the archive holds it: a header of 16 MB must not come out again in every list, page, row and index.
 */
export function boundEnvelope(envelope: MessageEnvelope, sizeBytes: number): BoundedEnvelope {
  const contacts = recipientContacts(sizeBytes);
  if (isBounded(envelope, contacts)) return { envelope, findings: [] };
  const findings: Finding[] = [];
  const { subject, messageId } = envelope;
  if (subject.length > MAX_SUBJECT_LENGTH)
    findings.push({
      code: "subject-cut",
      message: `subject of ${subject.length} characters cut after ${MAX_SUBJECT_LENGTH}`,
    });
  const ids =
    [...envelope.references, ...envelope.inReplyTo].filter(isLongId).length +
    (messageId !== null && isLongId(messageId) ? 1 : 0);
  if (ids > 0) {
    const message = `${ids} Message-IDs of more than ${MAX_MESSAGE_ID_LENGTH} characters left out`;
    findings.push({ code: "message-id-too-long", message });
  }
  const recipients = recipientCount(envelope);
  if (recipients > contacts) {
    const kept = recipients > MAX_RECIPIENTS ? `the first ${MAX_RECIPIENTS} were` : "all were";
    const message = `more than ${contacts} recipients in ${sizeBytes} bytes: ${kept} kept, the first ${contacts} are contacts`;
    findings.push({ code: "recipients-cut", message });
  }
  const longAddresses = addressesOf(envelope).reduce((count, address) => count + (isLongAddress(address) ? 1 : 0), 0);
  if (longAddresses > 0)
    findings.push({
      code: "address-cut",
      message: `${longAddresses} addresses or names cut after ${MAX_ADDRESS_LENGTH} characters`,
    });
  return { envelope: cutEnvelope(envelope), findings };
}

/** Asked of every message: nothing is made for those that pass. */
function isBounded(envelope: MessageEnvelope, contacts: number): boolean {
  const { subject, messageId, references, inReplyTo, from, sender, to, cc, bcc, replyTo } = envelope;
  if (subject.length > MAX_SUBJECT_LENGTH || recipientCount(envelope) > contacts) return false;
  if ((messageId !== null && isLongId(messageId)) || references.some(isLongId) || inReplyTo.some(isLongId))
    return false;
  if ((from !== null && isLongAddress(from)) || (sender !== null && isLongAddress(sender))) return false;
  return !(to.some(isLongAddress) || cc.some(isLongAddress) || bcc.some(isLongAddress) || replyTo.some(isLongAddress));
}

/** The same with no more recipients than become contacts: what the main thread learns of a message. */
export function contactRecipients(envelope: MessageEnvelope, sizeBytes: number): MessageEnvelope {
  const contacts = recipientContacts(sizeBytes);
  return recipientCount(envelope) > contacts ? { ...envelope, ...firstRecipients(envelope, contacts) } : envelope;
}

/** How many recipients of a message of a size become contacts. */
function recipientContacts(sizeBytes: number): number {
  const bySize = FREE_RECIPIENT_CONTACTS + Math.floor(sizeBytes / BYTES_A_CONTACT);
  return Math.min(MAX_RECIPIENT_CONTACTS, Math.max(MIN_RECIPIENT_CONTACTS, bySize));
}

function recipientCount({ to, cc, bcc, replyTo }: MessageEnvelope): number {
  return to.length + cc.length + bcc.length + replyTo.length;
}

function addressesOf({ from, sender, to, cc, bcc, replyTo }: MessageEnvelope): readonly Address[] {
  const authors = [from, sender].filter((address) => address !== null);
  return [...authors, ...to, ...cc, ...bcc, ...replyTo];
}

function isLongId(id: string): boolean {
  return id.length > MAX_MESSAGE_ID_LENGTH;
}

function isLongAddress({ name, email }: Address): boolean {
  return name.length > MAX_ADDRESS_LENGTH || email.length > MAX_ADDRESS_LENGTH;
}

function cutEnvelope(envelope: MessageEnvelope): MessageEnvelope {
  const { to, cc, bcc, replyTo } = firstRecipients(envelope, MAX_RECIPIENTS);
  const { from, sender, messageId, references, inReplyTo } = envelope;
  return {
    ...envelope,
    messageId: messageId !== null && isLongId(messageId) ? null : messageId,
    references: references.filter((id) => !isLongId(id)),
    inReplyTo: inReplyTo.filter((id) => !isLongId(id)),
    subject: cutText(envelope.subject, MAX_SUBJECT_LENGTH),
    from: from === null ? null : cutAddress(from),
    sender: sender === null ? null : cutAddress(sender),
    to: to.map(cutAddress),
    cc: cc.map(cutAddress),
    bcc: bcc.map(cutAddress),
    replyTo: replyTo.map(cutAddress),
  };
}

function firstRecipients(
  envelope: MessageEnvelope,
  most: number,
): Pick<MessageEnvelope, "to" | "cc" | "bcc" | "replyTo"> {
  let room = most;
  const take = (addresses: readonly Address[]): readonly Address[] => {
    const taken = addresses.slice(0, room);
    room -= taken.length;
    return taken;
  };
  return { to: take(envelope.to), cc: take(envelope.cc), bcc: take(envelope.bcc), replyTo: take(envelope.replyTo) };
}

function cutAddress(address: Address): Address {
  if (!isLongAddress(address)) return address;
  return { name: cutText(address.name, MAX_ADDRESS_LENGTH), email: cutText(address.email, MAX_ADDRESS_LENGTH) };
}

/** A cut must not part the two halves of a character. */
function cutText(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).toWellFormed();
}
