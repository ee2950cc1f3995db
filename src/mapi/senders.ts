import type { Properties } from "../properties/properties.ts";
import { PID } from "../properties/property-ids.ts";
import type { MapiAddress } from "./mapi-address.ts";

/** In whose name an item was sent, and who sent it ([MS-OXOMSG] 2.2.1.48-58). */
export interface Senders {
  readonly represented: MapiAddress;
  readonly sending: MapiAddress;
}

/** Where an item keeps the parts of a mailbox. */
interface MailboxIds {
  readonly name: number;
  readonly type: number;
  readonly email: number;
  readonly smtp: number;
  readonly entryId: number;
}

const REPRESENTED: MailboxIds = {
  name: PID.sentRepresentingName,
  type: PID.sentRepresentingAddressType,
  email: PID.sentRepresentingEmail,
  smtp: PID.sentRepresentingSmtp,
  entryId: PID.sentRepresentingEntryId,
};
const SENDING: MailboxIds = {
  name: PID.senderName,
  type: PID.senderAddressType,
  email: PID.senderEmail,
  smtp: PID.senderSmtp,
  entryId: PID.senderEntryId,
};

const RECEIVED_FOR: MailboxIds = {
  name: PID.receivedRepresentingName,
  type: PID.receivedRepresentingAddressType,
  email: PID.receivedRepresentingEmail,
  smtp: PID.receivedRepresentingSmtp,
  entryId: PID.receivedRepresentingEntryId,
};
const RECEIVED_BY: MailboxIds = {
  name: PID.receivedByName,
  type: PID.receivedByAddressType,
  email: PID.receivedByEmail,
  smtp: PID.receivedBySmtp,
  entryId: PID.receivedByEntryId,
};

/** Whose mailbox an item came to ([MS-OXOMSG] 2.2.1.24-37): for whom, then by whom it was received. */
export function receiversOf(properties: Properties): readonly MapiAddress[] {
  return [mailboxOf(properties, RECEIVED_FOR), mailboxOf(properties, RECEIVED_BY)];
}

export function sendersOf(properties: Properties): Senders {
  return { represented: mailboxOf(properties, REPRESENTED), sending: mailboxOf(properties, SENDING) };
}

function mailboxOf(properties: Properties, ids: MailboxIds): MapiAddress {
  return {
    name: properties.text(ids.name),
    type: properties.text(ids.type),
    email: properties.text(ids.email),
    smtp: properties.text(ids.smtp),
    entryId: properties.binary(ids.entryId),
  };
}
