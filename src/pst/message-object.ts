import { type AttachmentObject, readAttachments } from "./attachment-object.ts";
import type { MapiAddress } from "./mapi-address.ts";
import { NODE_ID } from "./node-entry.ts";
import { Properties, type StoreContext } from "./properties.ts";
import { type NodeData, PropertyContext } from "./property-context.ts";
import { PID } from "./property-ids.ts";
import type { Store } from "./store.ts";
import { TableContext } from "./table-context.ts";
import { ansiOfInternetCodePage } from "./text-code-page.ts";

/** Messages in messages in messages: Outlook itself refuses beyond a few. */
const MAX_EMBEDDED_DEPTH = 16;
/** Recipients of one message that are read; distribution lists of companies reach some ten thousand. */
const MAX_RECIPIENTS = 50_000;

/** `PidTagRecipientType`; its flag bits above the low four are dropped. */
export type RecipientRole = "originator" | "to" | "cc" | "bcc";
const ROLES: readonly RecipientRole[] = ["originator", "to", "cc", "bcc"];

export interface Recipient {
  readonly role: RecipientRole;
  readonly mailbox: MapiAddress;
  /** `PidTagRecipientFlags`: 2 marks the organizer of a meeting. */
  readonly flags: number;
  /** `PidTagRecipientTrackStatus` ([MS-OXOCAL] 2.2.4.10.3). */
  readonly trackStatus: number;
}

/** A message, appointment, contact or any other item of a store: properties, recipients, attachments. */
export interface MessageObject {
  readonly properties: Properties;
  readonly recipients: readonly Recipient[];
  readonly attachments: readonly AttachmentObject[];
  /** 0 for an item of a folder, 1 for a message attached to it, and so on. */
  readonly depth: number;
}

/** An object without its attachments: enough to know whom it names. */
export type AddressedObject = Pick<MessageObject, "properties" | "recipients">;

/** Reads the object a node holds; null when it holds no properties. Text and attachment data are read later, when asked for. */
export function readMessageObject(store: Store, node: NodeData, depth: number): MessageObject | null {
  const context = PropertyContext.open(store.database, node);
  if (context === null) return null;
  const { properties, recipients } = addressedObject(store, context);
  const attachments = readAttachments(store, { context, codePage: properties.codePage });
  // Named one by one: an object spread and then extended has a hidden class of its own each time, and whoever reads it pays.
  return { properties, recipients, attachments, depth };
}

/** The same without looking for attachments. */
export function readAddressedObject(store: Store, node: NodeData): AddressedObject | null {
  const context = PropertyContext.open(store.database, node);
  return context === null ? null : addressedObject(store, context);
}

function addressedObject(store: Store, context: PropertyContext): AddressedObject {
  const codePage = codePageOf(store, new Properties(context, store.context));
  const properties = new Properties(context, { codePage, names: store.context.names });
  return { properties, recipients: readRecipients(store, context, properties) };
}

/** The message attached to another; null when it is lost or nested too deep. @param depth that of the message it is attached to. */
export function readEmbeddedMessage(store: Store, attachment: AttachmentObject, depth: number): MessageObject | null {
  const node = attachment.messageNode();
  if (node === null) return null;
  if (depth < MAX_EMBEDDED_DEPTH) return readMessageObject(store, node, depth + 1);
  store.database.log.note("limit-reached", `messages nested deeper than ${MAX_EMBEDDED_DEPTH}`);
  return null;
}

/** The message's own word, then the store's, then what it was sent in; else each text is looked at. */
function codePageOf(store: Store, properties: Properties): number | null {
  return (
    positive(properties.integer(PID.messageCodePage)) ??
    positive(store.context.codePage) ??
    ansiOfInternetCodePage(properties.integer(PID.internetCodePage))
  );
}

function positive(value: number | null): number | null {
  return value !== null && value > 0 ? value : null;
}

function readRecipients(store: Store, context: PropertyContext, message: Properties): readonly Recipient[] {
  const subnode = context.subnode(NODE_ID.recipientTable);
  const table = subnode === null ? null : TableContext.open(store.database, subnode);
  if (table === null) return [];
  const recipients: Recipient[] = [];
  const about: StoreContext = { codePage: message.codePage, names: store.context.names };
  const rows = table.rows();
  for (let row = rows.next(); row !== null; row = rows.next()) {
    if (recipients.length >= MAX_RECIPIENTS) {
      store.database.log.note("limit-reached", `more than ${MAX_RECIPIENTS} recipients`);
      break;
    }
    recipients.push(recipientOf(new Properties(row, about)));
  }
  return recipients;
}

function recipientOf(row: Properties): Recipient {
  return {
    role: ROLES[(row.integer(PID.recipientType) ?? 1) & 0x0f] ?? "to",
    mailbox: {
      name: row.text(PID.recipientDisplayName) ?? row.text(PID.displayName),
      type: row.text(PID.addressType),
      email: row.text(PID.emailAddress),
      smtp: row.text(PID.smtpAddress),
      entryId: row.binary(PID.recipientEntryId) ?? row.binary(PID.entryId),
    },
    flags: row.integer(PID.recipientFlags) ?? 0,
    trackStatus: row.integer(PID.recipientTrackStatus) ?? 0,
  };
}
