import type { Properties } from "../../properties/properties.ts";
import { PID } from "../../properties/property-ids.ts";
import { displayedAddress } from "./displayed-address.ts";
import { type MapiAddress, smtpOfSearchKey, x500Name } from "./mapi-address.ts";

/** The author of an item and its sender on behalf ([MS-OXOMSG] 2.2.1.48-58). */
export interface Senders {
  readonly represented: MapiAddress;
  readonly sending: MapiAddress;
}

/** Properties of a mailbox in an item. */
interface MailboxIds {
  readonly name: number;
  readonly email: number;
  readonly smtp: number;
  readonly entryId: number;
  readonly searchKey: number | null;
}

const REPRESENTED: MailboxIds = {
  name: PID.sentRepresentingName,
  email: PID.sentRepresentingEmail,
  smtp: PID.sentRepresentingSmtp,
  entryId: PID.sentRepresentingEntryId,
  searchKey: PID.sentRepresentingSearchKey,
};
const SENDING: MailboxIds = {
  name: PID.senderName,
  email: PID.senderEmail,
  smtp: PID.senderSmtp,
  entryId: PID.senderEntryId,
  searchKey: PID.senderSearchKey,
};

const RECEIVED_FOR: MailboxIds = {
  name: PID.receivedRepresentingName,
  email: PID.receivedRepresentingEmail,
  smtp: PID.receivedRepresentingSmtp,
  entryId: PID.receivedRepresentingEntryId,
  searchKey: null,
};
const RECEIVED_BY: MailboxIds = {
  name: PID.receivedByName,
  email: PID.receivedByEmail,
  smtp: PID.receivedBySmtp,
  entryId: PID.receivedByEntryId,
  searchKey: null,
};

/** Recipient of an item ([MS-OXOMSG] 2.2.1.24-37): represented recipient first, then actual recipient. */
export function receiversOf(properties: Properties): readonly MapiAddress[] {
  return [mailboxOf(properties, RECEIVED_FOR), mailboxOf(properties, RECEIVED_BY)];
}

export function sendersOf(properties: Properties): Senders {
  const represented = mailboxOf(properties, REPRESENTED);
  const sending = mailboxOf(properties, SENDING);
  if (hasSmtp(sending)) return { represented, sending };
  const smtp = creatorAddress(properties, sending) ?? accountAddress(properties);
  if (smtp === null) return { represented, sending };
  const isSelf = !hasSmtp(represented) && isSame(represented, sending);
  return { represented: isSelf ? { ...represented, smtp } : represented, sending: { ...sending, smtp } };
}

function hasSmtp({ email, smtp }: MapiAddress): boolean {
  return smtp?.includes("@") === true || (email?.includes("@") === true && !email.startsWith("/"));
}

/** True for mailboxes with the same X.500 name, or with the same name if at least one has no other identity. */
function isSame(one: MapiAddress, other: MapiAddress): boolean {
  const names = [x500Name(one), x500Name(other)].map((name) => name?.toLowerCase() ?? null);
  if (names[0] !== null && names[1] !== null) return names[0] === names[1];
  return one.name !== null && one.name.toLowerCase() === other.name?.toLowerCase();
}

/** `PidTagMessageFlags`: the owner of the mailbox sent it. */
const FROM_ME = 0x20;

/** True for a sent item: it was never received, and no server wrote a header. */
function isSentItem(properties: Properties): boolean {
  if (((properties.integer(PID.messageFlags) ?? 0) & FROM_ME) !== 0) return true;
  return !properties.has(PID.transportHeaders) && !properties.has(PID.receivedByName);
}

/** Address of the creator of an item; the sender if it was sent. */
function creatorAddress(properties: Properties, sending: MapiAddress): string | null {
  const smtp = properties.text(PID.creatorSmtp);
  if (smtp === null || !smtp.includes("@") || smtp.startsWith("/")) return null;
  const name = properties.text(PID.creatorName);
  const entryId = properties.binary(PID.creatorEntryId);
  if (name === null && entryId === null) return isSentItem(properties) ? smtp : null;
  const creator = { name, email: null, smtp, entryId };
  return isSame(creator, sending) || (isSentItem(properties) && x500Name(sending) === null) ? smtp : null;
}

/** The address of the account that sent an item: `00000002\x01ann@x.example\x01ann@x.example`. */
function accountAddress(properties: Properties): string | null {
  if (!isSentItem(properties)) return null;
  const parts = properties.text(PID.primarySendAccount)?.split("\x01") ?? [];
  return parts.map((part) => displayedAddress(part).email).find((email) => email !== "") ?? null;
}

function mailboxOf(properties: Properties, ids: MailboxIds): MapiAddress {
  const email = properties.text(ids.email);
  const smtp = properties.text(ids.smtp);
  const isInKey = email === null && smtp === null && ids.searchKey !== null;
  return {
    name: properties.text(ids.name),
    email,
    smtp: isInKey ? smtpOfSearchKey(properties.binary(ids.searchKey)) : smtp,
    entryId: properties.binary(ids.entryId),
  };
}
