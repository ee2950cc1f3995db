import { DataStream } from "./data-stream.ts";
import { NODE_ID, NODE_TYPE, nodeType } from "./node-entry.ts";
import { Properties } from "./properties.ts";
import { type NodeData, PropertyContext } from "./property-context.ts";
import { PID } from "./property-ids.ts";
import type { Store } from "./store.ts";
import { TableContext } from "./table-context.ts";

/** Attachments of one message that are read. */
const MAX_ATTACHMENTS = 20_000;

/** `PidTagAttachMethod` ([MS-OXCMSG] 2.2.2.9). */
export type AttachmentMethod = "none" | "value" | "reference" | "embedded" | "ole";
const METHODS: readonly AttachmentMethod[] = ["none", "value", "reference", "reference", "reference", "embedded", "ole", "reference"];

export interface AttachmentObject {
  readonly properties: Properties;
  readonly method: AttachmentMethod;
  /** Size of the data without reading it; 0 for references. */
  sizeBytes(): number;
  /** Data of attachments by value and of OLE objects; empty for all others. */
  bytes(): Buffer;
  /** Where the message attached lies, for `embedded`; null when there is none or it is lost. */
  messageNode(): NodeData | null;
}

interface Holder {
  readonly context: PropertyContext;
  readonly codePage: number | null;
}

/** Attachments in the order of the attachment table; when that is lost, every attachment node the message has. */
export function readAttachments(store: Store, holder: Holder): readonly AttachmentObject[] {
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

function attachmentNodes(store: Store, context: PropertyContext): ReadonlySet<number> {
  const subnode = context.subnode(NODE_ID.attachmentTable);
  const table = subnode === null ? null : TableContext.open(store.database, subnode);
  const nids = new Set<number>();
  table?.eachRowId((nid) => nids.add(nid));
  for (const nid of context.subnodes().keys()) if (nodeType(nid) === NODE_TYPE.attachment) nids.add(nid);
  return nids;
}

function attachmentOf(store: Store, context: PropertyContext, holder: Holder): AttachmentObject {
  const properties = new Properties(context, { codePage: holder.codePage, names: store.context.names });
  const method = METHODS[properties.integer(PID.attachMethod) ?? 1] ?? "value";
  return {
    properties,
    method,
    sizeBytes: () => dataSize(store, context),
    bytes: () => (method === "value" || method === "ole" ? readData(store, context) : Buffer.alloc(0)),
    messageNode: () => (method === "embedded" ? objectNode(context) : null),
  };
}

/** OLE data, messages and, in some stores, plain data are object properties: subnodes of the attachment ([MS-PST] 2.3.3.5). */
function objectNode(context: PropertyContext): NodeData | null {
  const place = context.objectOf(PID.attachData);
  return place === null ? null : context.subnode(place.nid);
}

/** The data where it is large; null where it lies in the properties themselves. */
function dataStream(store: Store, context: PropertyContext): DataStream | null {
  const node = objectNode(context);
  return node === null ? context.streamOf(PID.attachData) : new DataStream(store.database, node.dataBid);
}

function dataSize(store: Store, context: PropertyContext): number {
  return dataStream(store, context)?.size() ?? context.bytesOf(PID.attachData)?.length ?? 0;
}

function readData(store: Store, context: PropertyContext): Buffer {
  const node = objectNode(context);
  if (node !== null) return new DataStream(store.database, node.dataBid).bytes();
  return context.bytesOf(PID.attachData) ?? Buffer.alloc(0);
}
