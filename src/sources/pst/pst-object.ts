import { messageCharsets } from "../../mapi/objects/message-charsets.ts";
import {
  type AddressedObject,
  type AttachmentObject,
  attachmentObject,
  MAX_ATTACHMENTS,
  MAX_EMBEDDED_DEPTH,
  MAX_RECIPIENTS,
  type MessageObject,
  type Recipient,
  recipientOf,
} from "../../mapi/objects/message-object.ts";
import type { PropertyNames } from "../../properties/named-properties.ts";
import { Properties, type StoreContext } from "../../properties/properties.ts";
import { bytesOf } from "../../properties/property-bytes.ts";
import { PID } from "../../properties/property-ids.ts";
import type { TextCharsets } from "../../properties/text-code-page.ts";
import { type NodeData, PropertyContext } from "../../pst/ltp/property-context.ts";
import { TableContext } from "../../pst/ltp/table-context.ts";
import type { MessageStore } from "../../pst/messaging/message-store.ts";
import { DataStream } from "../../pst/ndb/data-stream.ts";
import { NODE_ID, NODE_TYPE, nodeType } from "../../pst/ndb/node-entry.ts";

/**
 * Reads the object of a node ([MS-PST] 2.4.5); null if it has no properties. Text and attachment data are read on
 * demand.
 */
export function readPstObject(store: MessageStore, node: NodeData, depth = 0): MessageObject | null {
  const context = PropertyContext.open(store.database, node);
  if (context === null) return null;
  const about = new MessageContext(context, store.context);
  const { properties, recipients } = addressedObject(store, context, about);
  const attachments = readAttachments(store, { context, about, depth });
  // Properties are listed individually: a spread object gets its own hidden class, which slows down its readers.
  return { properties, recipients, attachments, depth };
}

/** The same, without attachments. */
export function readAddressedObject(store: MessageStore, node: NodeData): AddressedObject | null {
  const context = PropertyContext.open(store.database, node);
  return context === null ? null : addressedObject(store, context, new MessageContext(context, store.context));
}

/** The context of a message. Its charsets are determined when an 8-bit text is read: most messages have none. */
class MessageContext implements StoreContext {
  readonly names: PropertyNames;
  private found: TextCharsets | null = null;

  constructor(
    private readonly source: PropertyContext,
    private readonly ofStore: StoreContext,
  ) {
    this.names = ofStore.names;
  }

  get charsets(): TextCharsets {
    this.found ??= messageCharsets(new Properties(this.source, this.ofStore), this.ofStore.charsets);
    return this.found;
  }
}

function addressedObject(store: MessageStore, context: PropertyContext, about: StoreContext): AddressedObject {
  const properties = new Properties(context, about);
  return { properties, recipients: readRecipients(store, context, about) };
}

function readRecipients(store: MessageStore, context: PropertyContext, about: StoreContext): readonly Recipient[] {
  const subnode = context.subnode(NODE_ID.recipientTable);
  const table = subnode === null ? null : TableContext.open(store.database, subnode);
  if (table === null) return [];
  const recipients: Recipient[] = [];
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

/** The message whose attachments are read. */
interface Holder {
  readonly context: PropertyContext;
  readonly about: StoreContext;
  readonly depth: number;
}

/** Attachments in the order of the attachment table; if that is lost, every attachment node of the message. */
function readAttachments(store: MessageStore, holder: Holder): readonly AttachmentObject[] {
  const attachments: AttachmentObject[] = [];
  for (const nid of attachmentNodes(store, holder.context)) {
    if (attachments.length >= MAX_ATTACHMENTS) {
      store.database.log.note("limit-reached", `more than ${MAX_ATTACHMENTS} attachments`);
      break;
    }
    const subnode = holder.context.subnode(nid);
    const context = subnode === null ? null : PropertyContext.open(store.database, subnode);
    if (context === null) store.database.log.note("structure-damaged", `attachment 0x${nid.toString(16)} is lost`);
    else attachments.push(attachmentOf(store, context, holder));
  }
  return attachments;
}

function attachmentNodes(store: MessageStore, context: PropertyContext): ReadonlySet<number> {
  const subnode = context.subnode(NODE_ID.attachmentTable);
  const table = subnode === null ? null : TableContext.open(store.database, subnode);
  const nids = new Set<number>();
  table?.eachRowId((nid) => nids.add(nid));
  for (const nid of context.subnodes().keys()) if (nodeType(nid) === NODE_TYPE.attachment) nids.add(nid);
  return nids;
}

function attachmentOf(store: MessageStore, context: PropertyContext, holder: Holder): AttachmentObject {
  const properties = new Properties(context, holder.about);
  return attachmentObject(properties, {
    hasObject: context.objectOf(PID.attachData) !== null,
    data: store.database.whileItem(() => readData(store, context)),
    embedded: store.database.whileItem(() => readEmbedded(store, context, holder.depth)),
  });
}

function readEmbedded(store: MessageStore, context: PropertyContext, depth: number): MessageObject | null {
  const node = objectNode(context);
  if (node === null) return null;
  if (depth < MAX_EMBEDDED_DEPTH) return readPstObject(store, node, depth + 1);
  store.database.log.note("limit-reached", `messages nested deeper than ${MAX_EMBEDDED_DEPTH}`);
  return null;
}

/**
 * OLE data, messages and, in some stores, plain data are object properties: subnodes of the attachment ([MS-PST]
 * 2.3.3.5).
 */
function objectNode(context: PropertyContext): NodeData | null {
  const place = context.objectOf(PID.attachData);
  return place === null ? null : context.subnode(place.nid);
}

function readData(store: MessageStore, context: PropertyContext): Buffer {
  const node = objectNode(context);
  if (node !== null) return new DataStream(store.database, node.dataBid).bytes();
  return bytesOf(context, PID.attachData) ?? Buffer.alloc(0);
}
