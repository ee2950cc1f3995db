import type { Address } from "../../mail/records/address.ts";
import type { Finding, MessageEnvelope } from "../../mail/records/message.ts";
import { firstRecipients, recipientContacts, recipientCount } from "../staging/contact-recipients.ts";

/**
 * Limit of a subject in bytes of UTF-8. Every page that names the message contains it; mail programs truncate at a few
 * hundred.
 */
export const MAX_SUBJECT_BYTES = 64 * 1024;
/**
 * Characters kept of an address, and of a display name. RFC 5321 allows 320 of an address, Exchange 1,024 of a
 * directory name.
 */
export const MAX_ADDRESS_LENGTH = 1024;
/** Maximum recipients kept per message: attacks have had 600,000 in 14 MB. */
export const MAX_RECIPIENTS = 50_000;
/**
 * Maximum characters of a Message-ID: a line of mail has 998 (RFC 5322 2.1.1). No other message can refer to a longer
 * one.
 */
export const MAX_MESSAGE_ID_LENGTH = 2048;

interface BoundedEnvelope {
  readonly envelope: MessageEnvelope;
  /** Truncated fields; empty for nearly all mail. */
  readonly findings: readonly Finding[];
}

/** Limits the envelope, so that a header of 16 MB does not appear in every list, page, row and index. */
export function boundEnvelope(envelope: MessageEnvelope): BoundedEnvelope {
  if (isBounded(envelope)) return { envelope, findings: [] };
  const findings: Finding[] = [];
  const cut = cutEnvelope(envelope);
  const { subject, messageId } = envelope;
  if (isLongSubject(subject)) {
    const message = `subject of ${Buffer.byteLength(subject)} bytes truncated to ${MAX_SUBJECT_BYTES}`;
    findings.push({ code: "subject-cut", message });
  }
  const ids =
    [...envelope.references, ...envelope.inReplyTo].filter(isLongId).length +
    (messageId !== null && isLongId(messageId) ? 1 : 0);
  if (ids > 0) {
    const message = `${ids} Message-IDs of more than ${MAX_MESSAGE_ID_LENGTH} characters omitted`;
    findings.push({ code: "message-id-too-long", message });
  }
  const recipients = recipientCount(envelope);
  if (recipients > recipientContacts(cut)) {
    const kept = recipients > MAX_RECIPIENTS ? `the first ${MAX_RECIPIENTS} were` : "all were";
    findings.push({
      code: "recipients-cut",
      message: `${recipients} recipients: ${kept} kept, but not all became contacts`,
    });
  }
  const longAddresses = addressesOf(envelope).reduce((count, address) => count + (isLongAddress(address) ? 1 : 0), 0);
  if (longAddresses > 0)
    findings.push({
      code: "address-cut",
      message: `${longAddresses} addresses or names truncated to ${MAX_ADDRESS_LENGTH} characters`,
    });
  return { envelope: cut, findings };
}

/** Called for every message, so it allocates nothing if they pass. */
function isBounded(envelope: MessageEnvelope): boolean {
  const { subject, messageId, references, inReplyTo, from, sender, to, cc, bcc, replyTo } = envelope;
  if (isLongSubject(subject) || recipientContacts(envelope) < recipientCount(envelope)) return false;
  if ((messageId !== null && isLongId(messageId)) || references.some(isLongId) || inReplyTo.some(isLongId))
    return false;
  if ((from !== null && isLongAddress(from)) || (sender !== null && isLongAddress(sender))) return false;
  return !(to.some(isLongAddress) || cc.some(isLongAddress) || bcc.some(isLongAddress) || replyTo.some(isLongAddress));
}

function addressesOf({ from, sender, to, cc, bcc, replyTo }: MessageEnvelope): readonly Address[] {
  const authors = [from, sender].filter((address) => address !== null);
  return [...authors, ...to, ...cc, ...bcc, ...replyTo];
}

function isLongSubject(subject: string): boolean {
  return subject.length > MAX_SUBJECT_BYTES || Buffer.byteLength(subject) > MAX_SUBJECT_BYTES;
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
    subject: cutSubject(envelope.subject),
    from: from === null ? null : cutAddress(from),
    sender: sender === null ? null : cutAddress(sender),
    to: to.map(cutAddress),
    cc: cc.map(cutAddress),
    bcc: bcc.map(cutAddress),
    replyTo: replyTo.map(cutAddress),
  };
}

function cutSubject(subject: string): string {
  if (!isLongSubject(subject)) return subject;
  // Without the first bytes of a character whose last ones are cut off.
  return new TextDecoder().decode(Buffer.from(subject).subarray(0, MAX_SUBJECT_BYTES), { stream: true });
}

function cutAddress(address: Address): Address {
  if (!isLongAddress(address)) return address;
  return { name: cutText(address.name, MAX_ADDRESS_LENGTH), email: cutText(address.email, MAX_ADDRESS_LENGTH) };
}

/** Never cuts between the halves of a surrogate pair. */
function cutText(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).toWellFormed();
}
