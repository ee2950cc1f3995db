import type { Address } from "../../mail/address.ts";
import type { CalendarEntry } from "../../mail/calendar-event.ts";
import { ownMessageId } from "../../mail/content-key.ts";
import type { Instant } from "../../mail/instant.ts";
import type { Finding } from "../../mail/message.ts";
import type { StagedAttachment, StagedMessage } from "./staged-record.ts";

/** Name and email in turn. */
export type PackedAddresses = readonly string[];

/**
 * A staged message as a list: in JSON the names of its fields would be more than half of it, and take longer to write and to read than
 * what they name.
 */
export type PackedMessage = readonly [
  key: string,
  mailbox: string,
  location: string,
  flags: readonly string[],
  sha256: string,
  sizeBytes: number,
  subject: string,
  sentAt: Instant | null,
  receivedAt: Instant | null,
  from: PackedAddresses,
  sender: PackedAddresses,
  replyTo: PackedAddresses,
  to: PackedAddresses,
  cc: PackedAddresses,
  bcc: PackedAddresses,
  inReplyTo: readonly string[],
  references: readonly string[],
  conversationIndexRoot: string | null,
  gmailThreadId: string | null,
  isAutomatic: boolean,
  attachments: readonly StagedAttachment[],
  calendar: readonly CalendarEntry[],
  findings: readonly Finding[],
  subjectKey: string,
];

export function packMessage(message: StagedMessage): PackedMessage {
  const { key, envelope, mailbox, location, flags, sha256, sizeBytes, gmailThreadId, isAutomatic } = message;
  return [
    key,
    mailbox,
    location,
    flags,
    sha256,
    sizeBytes,
    envelope.subject,
    envelope.sentAt,
    envelope.receivedAt,
    packAddress(envelope.from),
    packAddress(envelope.sender),
    packAddresses(envelope.replyTo),
    packAddresses(envelope.to),
    packAddresses(envelope.cc),
    packAddresses(envelope.bcc),
    envelope.inReplyTo,
    envelope.references,
    envelope.conversationIndexRoot,
    gmailThreadId,
    isAutomatic,
    message.attachments,
    message.calendar,
    message.findings,
    message.subjectKey,
  ];
}

export function unpackMessage(packed: PackedMessage): StagedMessage {
  const key = packed[0];
  const sha256 = packed[4];
  return {
    kind: "message",
    key,
    envelope: {
      messageId: key === ownMessageId(sha256) ? null : key,
      inReplyTo: packed[15],
      references: packed[16],
      conversationIndexRoot: packed[17],
      subject: packed[6],
      from: unpackAddress(packed[9]),
      sender: unpackAddress(packed[10]),
      replyTo: unpackAddresses(packed[11]),
      to: unpackAddresses(packed[12]),
      cc: unpackAddresses(packed[13]),
      bcc: unpackAddresses(packed[14]),
      sentAt: packed[7],
      receivedAt: packed[8],
    },
    subjectKey: packed[23],
    mailbox: packed[1],
    location: packed[2],
    flags: packed[3],
    sha256,
    sizeBytes: packed[5],
    gmailThreadId: packed[18],
    isAutomatic: packed[19],
    attachments: packed[20],
    calendar: packed[21],
    findings: packed[22],
  };
}

const NOBODY: PackedAddresses = [];

function packAddress(address: Address | null): PackedAddresses {
  return address === null ? NOBODY : [address.name, address.email];
}

function packAddresses(addresses: readonly Address[]): PackedAddresses {
  const packed: string[] = [];
  for (const { name, email } of addresses) packed.push(name, email);
  return packed;
}

function unpackAddress(packed: PackedAddresses): Address | null {
  return packed.length === 0 ? null : { name: packed[0]!, email: packed[1]! };
}

function unpackAddresses(packed: PackedAddresses): readonly Address[] {
  const addresses: Address[] = [];
  for (let at = 0; at + 1 < packed.length; at += 2) addresses.push({ name: packed[at]!, email: packed[at + 1]! });
  return addresses;
}
