import { mapiCrc } from "../../src/properties/crc.ts";
import { PROPERTY_SET, type PropertyName } from "../../src/properties/named-properties.ts";
import { fixedSizeOf, TYPE } from "../../src/properties/property-bytes.ts";
import { PID } from "../../src/properties/property-ids.ts";
import { FOLDER_TABLE, NODE_ID, NODE_TYPE, tableOfFolder } from "../../src/pst/ndb/node-entry.ts";
import { nameMapProperties } from "./name-map.ts";
import {
  binary,
  integer,
  type TableColumn,
  type TableRowValues,
  text,
  time,
  type WrittenProperty,
  writeProperties,
  writeTable,
} from "./property-writer.ts";
import { PstWriter, type StoreFormat, type StoreSink, type WrittenSubnode } from "./pst-writer.ts";

export interface WrittenAttachment {
  readonly properties: readonly WrittenProperty[];
  /** By value, from a buffer. */
  readonly data?: Buffer;
  /** OLE object: its data as a subnode of the attachment. */
  readonly ole?: Buffer;
  readonly message?: WrittenMessage;
  /** Streams of an OLE object that a .msg file stores as a storage. */
  readonly streams?: ReadonlyMap<string, Buffer>;
  /** Method number, if it differs from the usual one for the content; null for none. */
  readonly method?: number | null;
}

/** Properties of an attachment, beginning with its method. @param usual the method for its content */
export function withMethod(
  { method = undefined, properties }: WrittenAttachment,
  usual: number,
): readonly WrittenProperty[] {
  const number = method === undefined ? usual : method;
  return number === null ? properties : [integer(PID.attachMethod, number), ...properties];
}

export interface WrittenRecipient {
  /** 1 To, 2 Cc, 3 Bcc. */
  readonly type: 1 | 2 | 3;
  readonly name: string;
  readonly email: string;
  readonly addressType?: string;
  readonly smtp?: string;
  /** 2 for the organizer of a meeting. */
  readonly flags?: number;
  /** Response of the recipient: 2 tentative, 3 accepted, 4 declined. */
  readonly trackStatus?: number;
}

export interface WrittenMessage {
  readonly properties: readonly WrittenProperty[];
  readonly recipients?: readonly WrittenRecipient[];
  readonly attachments?: readonly WrittenAttachment[];
  /** Properties in the row of its folder that the item itself does not have, as in an OST. */
  readonly listed?: readonly WrittenProperty[];
}

export interface WrittenFolder {
  readonly nid: number;
  readonly name: string;
}

const SUBTREE = 0x8022;
const RECIPIENT_COLUMNS: readonly TableColumn[] = [
  { id: PID.recipientType, type: TYPE.integer32 },
  { id: PID.displayName, type: TYPE.string },
  { id: PID.addressType, type: TYPE.string },
  { id: PID.emailAddress, type: TYPE.string },
  { id: PID.smtpAddress, type: TYPE.string },
];
const MEETING_COLUMNS: readonly TableColumn[] = [
  { id: PID.recipientFlags, type: TYPE.integer32 },
  { id: PID.recipientTrackStatus, type: TYPE.integer32 },
];
const FOLDER_COLUMNS: readonly TableColumn[] = [
  { id: PID.displayName, type: TYPE.string },
  { id: PID.contentCount, type: TYPE.integer32 },
  { id: 0x3603, type: TYPE.integer32 },
  { id: 0x360a, type: TYPE.boolean },
];
const CONTENT_COLUMNS: readonly TableColumn[] = [
  { id: PID.messageClass, type: TYPE.string },
  { id: PID.subject, type: TYPE.string },
  { id: PID.clientSubmitTime, type: TYPE.time },
  { id: PID.messageFlags, type: TYPE.integer32 },
  { id: PID.deliveryTime, type: TYPE.time },
];
const TIME_COLUMNS: readonly TableColumn[] = [
  { id: PID.creationTime, type: TYPE.time },
  { id: PID.lastModificationTime, type: TYPE.time },
];
const ATTACHMENT_COLUMNS: readonly TableColumn[] = [
  { id: PID.attachSize, type: TYPE.integer32 },
  { id: PID.attachMethod, type: TYPE.integer32 },
];

/**
 * Writes complete stores for tests and benchmarks: folders, messages, attachments, named properties, a password.
 * Messages are streamed.
 */
export class StoreWriter {
  readonly writer: PstWriter;
  private readonly password: string | null;
  private readonly storeProperties: readonly WrittenProperty[];
  private readonly folders: {
    readonly nid: number;
    readonly name: string;
    readonly parent: number;
    readonly rows: TableRowValues[];
  }[] = [];
  /** libpff refuses stores whose name map is empty. */
  private readonly names: PropertyName[] = [
    { set: PROPERTY_SET.common, name: 0x8501 },
    { set: PROPERTY_SET.publicStrings, name: "Keywords" },
  ];
  private nextFolder = 0x401;
  private nextMessage = 0x10000;

  constructor(
    sink: StoreSink,
    format: StoreFormat,
    store: { readonly password?: string; readonly properties?: readonly WrittenProperty[] } = {},
  ) {
    this.writer = new PstWriter(sink, format);
    this.password = store.password ?? null;
    this.storeProperties = store.properties ?? [];
    this.folders.push({ nid: NODE_ID.rootFolder, name: "Root", parent: NODE_ID.rootFolder, rows: [] });
    this.folders.push({ nid: SUBTREE, name: "Top of Personal Folders", parent: NODE_ID.rootFolder, rows: [] });
  }

  /** @param parent nid of the parent folder; by default the user's top folder. @returns the nid. */
  addFolder(name: string, parent: number = SUBTREE): number {
    this.nextFolder++;
    const nid = (this.nextFolder << 5) | 0x02;
    this.folders.push({ nid, name, parent, rows: [] });
    return nid;
  }

  /** The id of a named property in this store. */
  named(name: PropertyName): number {
    const known = this.names.findIndex((other) => other.set === name.set && other.name === name.name);
    if (known >= 0) return 0x8000 + known;
    this.names.push(name);
    return 0x8000 + this.names.length - 1;
  }

  /** @param isListed false omits it from the contents table: an orphan. @returns the nid. */
  addMessage(folder: number, message: WrittenMessage, isListed = true): number {
    this.nextMessage++;
    const nid = ((this.nextMessage << 5) | 0x04) >>> 0;
    const node = this.writeMessage(message);
    this.writer.addNode({ nid, ...node }, folder);
    if (isListed)
      this.folders.find((other) => other.nid === folder)!.rows.push({ id: nid, values: contentsRow(message) });
    return nid;
  }

  /** A message of the folder other than mail: a rule, a view. @returns the nid. */
  addAssociated(folder: number, message: WrittenMessage): number {
    this.nextMessage++;
    const nid = ((this.nextMessage << 5) | NODE_TYPE.associatedMessage) >>> 0;
    this.writer.addNode({ nid, ...this.writeMessage(message) }, folder);
    return nid;
  }

  /** Writes the current folders, names and trees, so that the store could be closed here. More may follow. */
  commit(): void {
    this.writeIndex();
    this.writer.commit();
  }

  finish(): number {
    this.writeIndex();
    return this.writer.finish();
  }

  private writeIndex(): void {
    for (const folder of this.folders) this.writeFolder(folder);
    const subtree = Buffer.alloc(24);
    subtree.writeUInt32LE(SUBTREE, 20);
    const crc = this.password === null ? 0 : mapiCrc(Buffer.from(this.password, "latin1"));
    const store = [
      text(PID.displayName, "Test store"),
      binary(PID.ipmSubtreeEntryId, subtree),
      integer(PID.passwordCrc, crc),
      ...this.storeProperties,
    ];
    this.writer.addNode({ nid: NODE_ID.store, ...writeProperties(this.writer, store) }, 0);
    this.writer.addNode(
      { nid: NODE_ID.nameToIdMap, ...writeProperties(this.writer, nameMapProperties(this.names)) },
      0,
    );
  }

  /** Writes the data of a message that gets a node later. */
  writeMessage(message: WrittenMessage): { readonly dataBid: number; readonly subnodeBid: number } {
    const subnodes: WrittenSubnode[] = [];
    const recipients = (message.recipients ?? []).map((recipient, index) => ({
      id: index,
      values: recipientValues(recipient),
    }));
    const isMeeting = recipients.some(({ values }) => MEETING_COLUMNS.some(({ id }) => values.has(id)));
    const columns = isMeeting ? [...RECIPIENT_COLUMNS, ...MEETING_COLUMNS] : RECIPIENT_COLUMNS;
    subnodes.push({ nid: NODE_ID.recipientTable, ...writeTable(this.writer, columns, recipients) });
    const rows: { id: number; values: Map<number, Buffer> }[] = [];
    for (const [index, attachment] of (message.attachments ?? []).entries()) {
      const nid = ((0x401 + index) << 5) | 0x05;
      subnodes.push({ nid, ...this.writeAttachment(attachment) });
      rows.push({ id: nid, values: new Map() });
    }
    if (rows.length > 0)
      subnodes.push({ nid: NODE_ID.attachmentTable, ...writeTable(this.writer, ATTACHMENT_COLUMNS, rows) });
    return writeProperties(this.writer, message.properties, subnodes);
  }

  private writeAttachment(attachment: WrittenAttachment): { readonly dataBid: number; readonly subnodeBid: number } {
    const objectNid = (0x501 << 5) | 0x1f;
    if (attachment.data !== undefined) {
      const data = binary(PID.attachData, attachment.data);
      return writeProperties(this.writer, [...withMethod(attachment, 1), data]);
    }
    const place = Buffer.alloc(8);
    if (attachment.ole !== undefined) {
      place.writeUInt32LE(objectNid, 0);
      place.writeUInt32LE(attachment.ole.length, 4);
      const object: WrittenProperty = { id: PID.attachData, type: TYPE.object, bytes: place };
      const data = { nid: objectNid, dataBid: this.writer.addData(attachment.ole), subnodeBid: 0 };
      return writeProperties(this.writer, [...withMethod(attachment, 6), object], [data]);
    }
    if (attachment.message !== undefined) {
      const nid = ((0x601 << 5) | 0x04) >>> 0;
      place.writeUInt32LE(nid, 0);
      const object: WrittenProperty = { id: PID.attachData, type: TYPE.object, bytes: place };
      const message = { nid, ...this.writeMessage(attachment.message) };
      return writeProperties(this.writer, [...withMethod(attachment, 5), object], [message]);
    }
    return writeProperties(this.writer, attachment.properties);
  }

  private writeFolder(folder: {
    readonly nid: number;
    readonly name: string;
    readonly parent: number;
    readonly rows: readonly TableRowValues[];
  }): void {
    const children = this.folders.filter((other) => other.parent === folder.nid && other.nid !== folder.nid);
    const properties = [
      text(PID.displayName, folder.name),
      integer(PID.contentCount, folder.rows.length),
      integer(0x3603, 0),
      { id: 0x360a, type: TYPE.boolean, bytes: Buffer.from([children.length > 0 ? 1 : 0]) },
    ];
    this.writer.addNode({ nid: folder.nid, ...writeProperties(this.writer, properties) }, folder.parent);
    const hierarchy = children.map((child) => ({
      id: child.nid,
      values: new Map([[PID.displayName as number, utf16(child.name)]]),
    }));
    this.addTable(folder.nid, FOLDER_TABLE.hierarchy, writeTable(this.writer, FOLDER_COLUMNS, hierarchy));
    const hasTimes = folder.rows.some(({ values }) => TIME_COLUMNS.some(({ id }) => values.has(id)));
    const columns = hasTimes ? [...CONTENT_COLUMNS, ...TIME_COLUMNS] : CONTENT_COLUMNS;
    this.addTable(folder.nid, FOLDER_TABLE.contents, writeTable(this.writer, columns, folder.rows));
    this.addTable(folder.nid, FOLDER_TABLE.associated, writeTable(this.writer, CONTENT_COLUMNS, []));
  }

  private addTable(
    folder: number,
    type: number,
    node: { readonly dataBid: number; readonly subnodeBid: number },
  ): void {
    this.writer.addNode({ nid: tableOfFolder(folder, type), ...node }, 0);
  }
}

function utf16(value: string): Buffer {
  return Buffer.from(value, "utf16le");
}

/** Properties of a message that its folder repeats. */
function contentsRow({ properties, listed = [] }: WrittenMessage): ReadonlyMap<number, Buffer> {
  const values = new Map<number, Buffer>([[PID.messageClass, utf16("IPM.Note")]]);
  for (const { id, type, bytes } of properties)
    if (CONTENT_COLUMNS.some((column) => column.id === id && column.type === type)) values.set(id, bytes);
  for (const { id, bytes } of listed) values.set(id, bytes);
  return values;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(fixedSizeOf(TYPE.integer32)!);
  bytes.writeUInt32LE(value);
  return bytes;
}

function recipientValues(recipient: WrittenRecipient): Map<number, Buffer> {
  const values = new Map<number, Buffer>([
    [PID.recipientType, int32(recipient.type)],
    [PID.displayName, utf16(recipient.name)],
    [PID.addressType, utf16(recipient.addressType ?? "SMTP")],
    [PID.emailAddress, utf16(recipient.email)],
  ]);
  if (recipient.smtp !== undefined) values.set(PID.smtpAddress, utf16(recipient.smtp));
  if (recipient.flags !== undefined) values.set(PID.recipientFlags, int32(recipient.flags));
  if (recipient.trackStatus !== undefined) values.set(PID.recipientTrackStatus, int32(recipient.trackStatus));
  return values;
}

/** The usual properties of a message. */
export function mailProperties(mail: {
  readonly subject: string;
  readonly body: string;
  readonly sentAt: number;
  readonly from: string;
}): WrittenProperty[] {
  return [
    text(PID.messageClass, "IPM.Note"),
    text(PID.subject, mail.subject),
    text(PID.body, mail.body),
    time(PID.clientSubmitTime, mail.sentAt),
    time(PID.deliveryTime, mail.sentAt + 1000),
    integer(PID.messageFlags, 1),
    text(PID.senderName, mail.from),
    text(PID.senderAddressType, "SMTP"),
    text(PID.senderEmail, mail.from),
    text(PID.sentRepresentingName, mail.from),
    text(PID.sentRepresentingAddressType, "SMTP"),
    text(PID.sentRepresentingEmail, mail.from),
  ];
}
