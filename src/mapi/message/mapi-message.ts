import { decodeCharset } from "../../charset/decode-charset.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import type { Address } from "../../mail/records/address.ts";
import type { AttachmentPart, CalendarPart, Finding, Message, MessageEnvelope } from "../../mail/records/message.ts";
import { formatOfName } from "../../mail/records/source-formats.ts";
import type { ListMail } from "../../mime/envelope/list-author.ts";
import { parseMessageHeader, withoutHeader } from "../../mime/envelope/message-header.ts";
import { decapsulateAddress, mayBeEncapsulated } from "../../mime/syntax/encapsulated-address.ts";
import { readMessageId, readMessageIds } from "../../mime/syntax/message-ids.ts";
import type { Properties } from "../../properties/properties.ts";
import { PID } from "../../properties/property-ids.ts";
import { displayedAddress, displayedAddresses, displayedNames } from "../objects/displayed-address.ts";
import { decodedText } from "../objects/encoded-text.ts";
import {
  hasX500Name,
  joinedDirectory,
  readOneOff,
  resolveAddress,
  type X500Directory,
  x500Directory,
} from "../objects/mapi-address.ts";
import { messageFlags } from "../objects/message-flags.ts";
import { kindOfObject } from "../objects/message-kind.ts";
import type { MessageObject, RecipientRole } from "../objects/message-object.ts";
import { renderMessage } from "../objects/message-rendering.ts";
import { type Senders, sendersOf } from "../objects/senders.ts";
import { richBodies } from "../rtf/rich-body.ts";
import { attachmentParts, type ItemFiles, NO_ITEM_FILES, type PartContext } from "./attachment-parts.ts";

/** Bytes of a conversation index that name the conversation ([MS-OXOMSG] 2.2.1.3). */
const CONVERSATION_ROOT_BYTES = 22;
/** Mail to a list of lists: reply-to entries are few. */
const MAX_REPLY_TO = 100;
const SENDING_TIMES: readonly number[] = [PID.clientSubmitTime, PID.providerSubmitTime, PID.reportTime];
/** A line that old Exchange servers put before the headers; it is not a field and would end the block. */
const EXCHANGE_LINE = /^Microsoft Mail Internet Headers[^\n]*\n/;

/**
 * Converts an Outlook message to the result of the MIME parser: transport headers first, then the properties.
 * @param known X.500 names known from the file.
 * @param files writes attached items that are not messages.
 */
export function readMapiMessage(
  object: MessageObject,
  known: X500Directory,
  files: ItemFiles = NO_ITEM_FILES,
): Message {
  const { properties } = object;
  const headers = transportHeaders(properties);
  const bodies = richBodies(properties);
  const attachments = attachmentParts(object, partContext(known, { htmlBody: bodies.htmlBody, files }));
  const findings: Finding[] = [...attachments.findings];
  if (!bodies.isIntact)
    findings.push({ code: "rtf-damaged", message: "the compressed RTF body does not match its CRC" });
  if (isSubjectLost(properties)) findings.push({ code: "subject-lost", message: "the subject cannot be read" });
  const mail = ofList(headers, readEnvelope({ object, headers, textBody: bodies.textBody }, known));
  return {
    envelope: mail.envelope,
    textBody: bodies.textBody,
    htmlBody: bodies.htmlBody,
    attachments: attachments.parts,
    calendarParts: calendarParts(attachments.parts),
    labels: [],
    marks: [],
    exportedNames: null,
    listAddress: mail.listAddress,
    findings: [...findings, ...mail.findings],
  };
}

/** The author is not always in From: list headers take precedence, then properties. */
function ofList(headers: ListMail | null, envelope: MessageEnvelope): ListMail {
  if (headers === null) return withoutHeader(envelope);
  return { listAddress: headers.listAddress, findings: headers.findings, envelope };
}

/** True if there is a subject but no text. */
function isSubjectLost(properties: Properties): boolean {
  return properties.has(PID.subject) && properties.source.rangeOf(PID.subject) === null;
}

/** Context for attachments: attached messages become RFC 5322 text. */
export function partContext(known: X500Directory, about: Pick<PartContext, "htmlBody" | "files">): PartContext {
  return {
    htmlBody: about.htmlBody,
    files: about.files,
    render(nested) {
      const invitation = about.files.invitationOf(nested, known);
      return renderMessage(readMapiMessage(nested, known, about.files), {
        transportHeaders: transportHeaderText(nested.properties),
        flags: messageFlags(nested.properties),
        invitations: invitation === null ? [] : [invitation],
      });
    },
  };
}

/** Parsed transport header; null if the message was never sent by SMTP. */
export function transportHeaders(properties: Properties): ListMail | null {
  const text = transportHeaderText(properties);
  return text === null ? null : parseMessageHeader(text);
}

/** The transport header block, or null. */
function transportHeaderText(properties: Properties): string | null {
  const stored = properties.text(PID.transportHeaders) ?? "";
  const lines = stored.includes("\n") ? stored : stored.replaceAll("\r", "\n");
  const text = lines.trimStart().replace(EXCHANGE_LINE, "").trim();
  return text === "" ? null : text;
}

/** A message with its transport headers and its text. */
interface HeadedObject {
  readonly object: MessageObject;
  readonly headers: ListMail | null;
  readonly textBody: string | null;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a field an expression: what is added up are the fallbacks from headers to properties
function readEnvelope(read: HeadedObject, known: X500Directory): MessageEnvelope {
  const { object, textBody } = read;
  const headers = read.headers?.envelope ?? null;
  // The property contains the From address that the list wrote.
  const isOfList = read.headers !== null && read.headers.findings.length > 0;
  const { properties } = object;
  const senders = sendersOf(properties);
  const directory = directoryOf(object, senders, known);
  const table = { object, directory };
  const { from, sender } = resolvedSenders(senders, directory);
  const references = readMessageIds(properties.text(PID.internetReferences) ?? "");
  const inReplyTo = readMessageIds(properties.text(PID.inReplyTo) ?? reportedId(properties) ?? "");
  const sentAt = headers?.sentAt ?? sendingTime(properties);
  return {
    messageId: headers?.messageId ?? readMessageId(properties.text(PID.internetMessageId) ?? ""),
    inReplyTo: headers !== null && headers.inReplyTo.length > 0 ? headers.inReplyTo : inReplyTo,
    references: headers !== null && headers.references.length > 0 ? headers.references : references,
    conversationIndexRoot: headers?.conversationIndexRoot ?? conversationRoot(properties),
    // The property is decoded Unicode; the header may contain the same text as raw bytes in an unknown charset.
    subject: (ownSubject(properties) ?? headers?.subject ?? otherSubject(properties) ?? "").trim(),
    from: settled(isOfList ? headers!.from : betterOf(headers?.from ?? null, from), directory),
    sender: settled(
      headers?.sender ?? (sender?.email.toLowerCase() === from?.email.toLowerCase() ? null : sender),
      directory,
    ),
    replyTo:
      headers !== null && headers.replyTo.length > 0
        ? settledAll(headers.replyTo, directory)
        : replyTo(properties, directory),
    to: addressees(headers?.to ?? NOBODY, "to", table),
    cc: addressees(headers?.cc ?? NOBODY, "cc", table),
    bcc: addressees(headers?.bcc ?? NOBODY, "bcc", table),
    sentAt,
    // The store knows when it received the message; the topmost hop may be a relay from the day before.
    receivedAt:
      properties.time(PID.deliveryTime) ??
      headers?.receivedAt ??
      (sentAt === null ? (properties.time(PID.creationTime) ?? properties.time(PID.lastModificationTime)) : null),
    gmailThreadId: headers?.gmailThreadId ?? null,
    isAutomatic: headers?.isAutomatic ?? false,
    messageKind: kindOfObject(object, headers?.messageKind ?? "mail", textBody),
  };
}

function ownSubject(properties: Properties): string | null {
  const subject = properties.subject();
  return subject === null ? null : decodedText(subject);
}

/** The subject of the conversation, or of the message that a report is about. */
function otherSubject(properties: Properties): string | null {
  return properties.text(PID.conversationTopic) ?? properties.text(PID.originalSubject);
}

/** The message that a report is about. */
function reportedId(properties: Properties): string | null {
  const id = properties.text(PID.originalMessageId);
  return id !== null && properties.text(PID.messageClass)?.toLowerCase().startsWith("report.") === true ? id : null;
}

/** When the sender sent it, its server took it, or the report was made. */
function sendingTime(properties: Properties): Instant | null {
  for (const id of SENDING_TIMES) {
    const time = properties.time(id);
    if (time !== null) return time;
  }
  return null;
}

/** Unwraps an encapsulated address, possibly an X.500 name with a known address. */
function settled(address: Address | null, directory: X500Directory): Address | null {
  if (address === null) return null;
  const bare = decapsulateAddress(address);
  return bare.email.startsWith("/") ? { ...bare, email: directory.get(bare.email.toLowerCase()) ?? bare.email } : bare;
}

function settledAll(addresses: readonly Address[], directory: X500Directory): readonly Address[] {
  for (const { email } of addresses) {
    if (email.startsWith("/") || mayBeEncapsulated(email))
      return addresses.map((address) => settled(address, directory)!);
  }
  return addresses;
}

/** The sender of an item according to its properties, and all its addresses; for appointments, too. */
export function senderAddress(
  object: MessageObject,
  known: X500Directory,
): { readonly sender: Address | null; readonly directory: X500Directory } {
  const senders = sendersOf(object.properties);
  const directory = directoryOf(object, senders, known);
  return { sender: resolvedSenders(senders, directory).from, directory };
}

/**
 * The represented and the actual sender of an item. If one is only a name and the other the same name with an address,
 * both get the address: a name alone would become a separate contact.
 */
function resolvedSenders(
  { represented, sending }: Senders,
  directory: X500Directory,
): { readonly from: Address | null; readonly sender: Address | null } {
  const from = resolveAddress(represented, directory);
  const sender = resolveAddress(sending, directory);
  if (from === null || sender === null) return { from: from ?? sender, sender };
  if (from.name.toLowerCase() !== sender.name.toLowerCase()) return { from, sender };
  return { from: from.email === "" ? sender : from, sender: sender.email === "" ? from : sender };
}

/** X.500 names from the item, then from the file. */
function directoryOf(object: MessageObject, { represented, sending }: Senders, known: X500Directory): X500Directory {
  const isNamed =
    hasX500Name(represented) || hasX500Name(sending) || object.recipients.some(({ mailbox }) => hasX500Name(mailbox));
  if (!isNamed) return known;
  const own = x500Directory([...object.recipients.map(({ mailbox }) => mailbox), represented, sending]);
  return own.size === 0 ? known : joinedDirectory(own, known);
}

function recipientsOf(object: MessageObject, role: RecipientRole, directory: X500Directory): readonly Address[] {
  const found: Address[] = [];
  for (const recipient of object.recipients) {
    if (recipient.role !== role) continue;
    const address = resolveAddress(recipient.mailbox, directory);
    if (address !== null) found.push(address);
  }
  return found.length > 0 ? found : shownAddresses(object.properties, role);
}

/** Used if the recipient table of a message, or all its rows of a role, are lost. */
function shownAddresses(properties: Properties, role: RecipientRole): readonly Address[] {
  const id = role === "to" ? PID.displayTo : role === "cc" ? PID.displayCc : PID.displayBcc;
  return displayedAddresses(properties.text(id));
}

/** Returns the header's mailbox, unless only the property has an SMTP address. */
function betterOf(header: Address | null, property: Address | null): Address | null {
  if (header === null) return property;
  return property !== null && isSmtp(property) && !isSmtp(header) ? property : header;
}

const NOBODY: readonly Address[] = [];

/** Recipients of a message, and known addresses of their X.500 names. */
interface RecipientTable {
  readonly object: MessageObject;
  readonly directory: X500Directory;
}

/**
 * The header's list, unless the recipient table has more SMTP addresses: headers of mail that never left Exchange
 * contain X.500 names.
 */
function addressees(
  header: readonly Address[],
  role: RecipientRole,
  { object, directory }: RecipientTable,
): readonly Address[] {
  const known = countSmtp(header);
  // Usually the table has no more mailboxes than the header and is not read.
  const mayKnowMore = header.length === 0 || object.recipients.length === 0 || countRole(object, role) > known;
  const listed = mayKnowMore ? recipientsOf(object, role, directory) : NOBODY;
  const isHeader = header.length > 0 && known >= countSmtp(listed);
  return isHeader
    ? withNames(settledAll(header, directory), role, { object, directory })
    : settledAll(listed, directory);
}

/** Adds names of the recipient table to addresses that the header lists without one. */
function withNames(
  addresses: readonly Address[],
  role: RecipientRole,
  { object, directory }: RecipientTable,
): readonly Address[] {
  if (addresses.every(({ name }) => name !== "")) return addresses;
  const names = new Map<string, string>();
  for (const recipient of object.recipients) {
    const address = recipient.role === role ? resolveAddress(recipient.mailbox, directory) : null;
    if (address !== null) names.set(address.email.toLowerCase(), address.name);
  }
  return addresses.map(({ name, email }) => ({ name: name || (names.get(email.toLowerCase()) ?? ""), email }));
}

function countRole({ recipients }: MessageObject, role: RecipientRole): number {
  let count = 0;
  for (const recipient of recipients) if (recipient.role === role) count++;
  return count;
}

function countSmtp(addresses: readonly Address[]): number {
  let count = 0;
  for (const address of addresses) if (isSmtp(address)) count++;
  return count;
}

function isSmtp(address: Address): boolean {
  return address.email.includes("@") && !address.email.startsWith("/");
}

/**
 * PidTagReplyRecipientEntries: a counted list of entry ids, each padded to four bytes ([MS-OXCDATA] 2.3.3), with
 * their names in the same order. A name may contain an address that the entry id lacks.
 */
function replyTo(properties: Properties, directory: X500Directory): readonly Address[] {
  const names = displayedNames(properties.text(PID.replyRecipientNames)).slice(0, MAX_REPLY_TO);
  const bytes = properties.binary(PID.replyRecipientEntries);
  if (bytes === null || bytes.length < 8) return names.map(displayedAddress);
  const found: Address[] = [];
  const count = Math.min(bytes.readUInt32LE(0), MAX_REPLY_TO);
  let at = 8;
  for (let index = 0; index < count && at + 4 <= bytes.length; index++) {
    const length = bytes.readUInt32LE(at);
    const entryId = bytes.subarray(at + 4, Math.min(bytes.length, at + 4 + length));
    const name = names.length === count ? names[index]! : null;
    const mailbox = readOneOff(entryId, (text) => properties.decodeAnsi(text)) ?? {
      name,
      email: null,
      smtp: null,
      entryId,
    };
    const address = resolveAddress(mailbox, directory);
    if (address !== null) found.push(address);
    at += 4 + Math.ceil(length / 4) * 4;
  }
  return found.length > 0 ? found : names.map(displayedAddress);
}

function conversationRoot(properties: Properties): string | null {
  const index = properties.binary(PID.conversationIndex);
  return index === null || index.length < CONVERSATION_ROOT_BYTES
    ? null
    : index.toString("hex", 0, CONVERSATION_ROOT_BYTES);
}

/** iCalendar text in an attachment, where Outlook keeps invitations of other calendars. */
function calendarParts(parts: readonly AttachmentPart[]): readonly CalendarPart[] {
  const found: CalendarPart[] = [];
  for (const part of parts) {
    if (part.mediaType !== "text/calendar" && formatOfName(part.filename)?.name !== "ics") continue;
    const text = decodeCharset(part.bytes(), "utf-8");
    if (/^\s*BEGIN:VCALENDAR/i.test(text.slice(0, 200))) found.push({ text, method: null });
  }
  return found;
}
