import type { Instant } from "../../mail/dates/instant.ts";
import type { Address } from "../../mail/records/address.ts";
import type { MessageEnvelope } from "../../mail/records/message.ts";
import { wellFormed } from "../../mail/words/unicode.ts";
import { parseAddressList } from "../syntax/address-list.ts";
import { isAutomatic } from "../syntax/automatic-mail.ts";
import { parseDate, parseReceivedDate } from "../syntax/date-time.ts";
import { decapsulateAddresses } from "../syntax/encapsulated-address.ts";
import {
  bodyEndOf,
  bodyStartOf,
  decodedField,
  findField,
  firstField,
  type HeaderBlock,
  rawField,
} from "../syntax/header-block.ts";
import { readMessageId, readMessageIds } from "../syntax/message-ids.ts";
import { MAX_ADDRESSES, simpleAddresses } from "../syntax/simple-addresses.ts";
import { kindOfHeader } from "./message-kind.ts";

/** Bytes of a conversation index that name the conversation: header, time, GUID ([MS-OXOMSG] 2.2.1.3). */
const CONVERSATION_ROOT_BYTES = 22;
/** Characters of base64 that contain them, including the next group. */
const CONVERSATION_ROOT_CHARACTERS = 32;
/** Maximum Received fields that are searched for a date: relays without a readable clock are rare. */
const MAX_RECEIVED_TRIES = 5;

/**
 * Parses the envelope of a message from its header fields. Missing or unreadable values are null or empty. `charset`
 * is that of raw 8-bit text (see `fieldCharset`), `storedAt` the date when it was stored.
 */
export function readEnvelope(
  fields: HeaderBlock,
  charset: string | null = null,
  storedAt: Instant | null = null,
): MessageEnvelope {
  const received = receivedAt(fields);
  const to = addresses(fields, "to", charset);
  return {
    messageId: readMessageId(firstField(fields, "message-id")),
    inReplyTo: readMessageIds(firstField(fields, "in-reply-to")),
    references: readMessageIds(firstField(fields, "references")),
    conversationIndexRoot: conversationRoot(firstField(fields, "thread-index")),
    subject: wellFormed(decodedField(fields, "subject", charset).trim()),
    // Some programs quote the field like a separator of a mailbox.
    from: firstAddress(fields, "from", charset) ?? firstAddress(fields, ">from", charset),
    sender: firstAddress(fields, "sender", charset),
    replyTo: addresses(fields, "reply-to", charset),
    // Old servers add it to mail without recipients.
    to: to.length > 0 ? to : addresses(fields, "apparently-to", charset),
    cc: addresses(fields, "cc", charset),
    bcc: addresses(fields, "bcc", charset),
    sentAt: sentAt(firstField(fields, "date"), received ?? storedAt),
    receivedAt: received,
    gmailThreadId: decodedField(fields, "x-gm-thrid") || null,
    isAutomatic: isAutomatic(fields),
    messageKind: kindOfHeader(fields),
  };
}

function sentAt(field: string, near: Instant | null): Instant | null {
  if (field === "") return null;
  return parseDate(field) ?? (near === null ? null : parseDate(field, near));
}

/** All fields of the name: RFC 5322 3.6 allows one, but gateways write one per recipient. */
function addresses(fields: HeaderBlock, name: string, charset: string | null): readonly Address[] {
  let index = findField(fields, name);
  if (index < 0) return [];
  const first = mailboxesOf(fields, index, charset);
  index = findField(fields, name, index + 1);
  if (index < 0) return first;
  const all = [...first];
  for (; index >= 0 && all.length < MAX_ADDRESSES; index = findField(fields, name, index + 1)) {
    for (const address of mailboxesOf(fields, index, charset)) all.push(address);
  }
  return all;
}

/** Addresses of a field, decoded from Exchange encapsulation. */
function mailboxesOf(fields: HeaderBlock, index: number, charset: string | null): readonly Address[] {
  return decapsulateAddresses(writtenMailboxes(fields, index, charset));
}

/** Removes `mailto:` before addresses, written by web forms, and `SMTP:`, written by Exchange. */
function writtenMailboxes(fields: HeaderBlock, index: number, charset: string | null): readonly Address[] {
  const simple = simpleAddresses(fields.text, bodyStartOf(fields, index), bodyEndOf(fields, index));
  if (simple !== null) return simple;
  const field = withoutEscapes(rawField(fields, index));
  const [, local, domain, name] = NAMED_HIDDEN_ADDRESS.exec(field) ?? [];
  if (name !== undefined) return [{ name, email: `${local}@${domain}` }];
  const found = parseAddressList(withAngles(withAt(field)), charset);
  if (!found.some(({ email }) => MAILTO.test(email))) return found;
  return found.map(({ name, email }) => ({ name, email: email.replace(MAILTO, "") }));
}

/** Some web archives escape the brackets. */
function withoutEscapes(field: string): string {
  return field.includes("&lt;") ? field.replaceAll("&lt;", "<").replaceAll("&gt;", ">") : field;
}

const MAILTO = /^(?:mailto|smtp):/i;

/**
 * `ann at mill.example (Ann Reed)`: how Pipermail hides addresses from harvesters. Without a known name, the
 * parentheses contain the original address.
 */
const HIDDEN_ADDRESS = /^\s*([^\s@()<>,;:"]{1,64}) at ([a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,8})(?=\s*(?:\(|$))/i;

/** One such address with a name of plain words, the usual form in a list archive. */
const NAMED_HIDDEN_ADDRESS =
  /^([\w.+-]{1,64}) at ([a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,8}) \((\w[\w.-]*(?: [\w.-]+){0,9})\)$/;

function withAt(field: string): string {
  return field.includes("<") ? field : field.replace(HIDDEN_ADDRESS, "$1@$2");
}

/**
 * `Ann Reed [mailto:ann@mill.example]`: Outlook's form in quoted headers, which some programs copy to actual headers.
 * A literal domain, `ann@[192.0.2.1]`, has no "@" inside.
 */
const BRACKETED_ADDRESS = /\[(?:mailto:)?([^\s@[\]<>()\\,;:"]{1,64}@[a-z\d.-]{1,255})\](?=\s*(?:[,;]|$))/gi;

function withAngles(field: string): string {
  return field.includes("[") ? field.replace(BRACKETED_ADDRESS, "<$1>") : field;
}

/** Phrases before the only address are its name, split at unquoted commas: `Reed, Ann, Mill <ann@mill.example>`. */
function firstAddress(fields: HeaderBlock, name: string, charset: string | null): Address | null {
  const found = addresses(fields, name, charset);
  const at = found.findIndex(({ email }) => email !== "");
  const first = found[Math.max(at, 0)];
  if (first === undefined) return null;
  if (at < 1 || first.name === "") return first;
  const names = found.slice(0, at + 1).map((address) => address.name);
  return { name: names.join(", "), email: first.email };
}

/** Date of the last hop, which comes first; hops without a readable date are skipped. */
function receivedAt(fields: HeaderBlock): Instant | null {
  let index = findField(fields, "received");
  for (let tries = 0; index >= 0 && tries < MAX_RECEIVED_TRIES; tries++) {
    const instant = parseReceivedDate(rawField(fields, index));
    if (instant !== null) return instant;
    index = findField(fields, "received", index + 1);
  }
  return null;
}

function conversationRoot(field: string): string | null {
  if (field === "") return null;
  const bytes = Buffer.from(field.replace(/\s/g, "").slice(0, CONVERSATION_ROOT_CHARACTERS), "base64");
  return bytes.length < CONVERSATION_ROOT_BYTES ? null : bytes.toString("hex", 0, CONVERSATION_ROOT_BYTES);
}
