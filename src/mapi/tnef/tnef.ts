import type { AttachmentPart } from "../../mail/records/message.ts";
import { ByteReader } from "../../properties/byte-reader.ts";
import { FILETIME_EPOCH_MS, type Properties } from "../../properties/properties.ts";
import { TYPE } from "../../properties/property-bytes.ts";
import { PID } from "../../properties/property-ids.ts";
import { charsetOfCodePage, type TextCharsets, textCharsets } from "../../properties/text-code-page.ts";
import { attachmentParts, type ItemFiles, NO_ITEM_FILES } from "../message/attachment-parts.ts";
import { partContext } from "../message/mapi-message.ts";
import { NO_DIRECTORY } from "../objects/mapi-address.ts";
import { messageCharsets } from "../objects/message-charsets.ts";
import {
  type AttachmentObject,
  attachmentObject,
  MAX_ATTACHMENTS,
  MAX_EMBEDDED_DEPTH,
  MAX_RECIPIENTS,
  type MessageObject,
  recipientOf,
} from "../objects/message-object.ts";
import { MAC_BINARY_ENCODING } from "../objects/packed-file.ts";
import { richBodies } from "../rtf/rich-body.ts";
import { readTnefRows, readTnefValues, type TnefValue, type TnefValues, tnefProperties } from "./tnef-properties.ts";

/** A legacy attribute and its property ([MS-OXTNEF] 2.1.3.3). */
interface LegacyAttribute {
  readonly attribute: number;
  readonly property: number;
  readonly as: "text" | "class" | "time";
}

/** Used if the message lacks such a property. */
const LEGACY_ATTRIBUTES: readonly LegacyAttribute[] = [
  { attribute: 0x0001_8004, property: PID.subject, as: "text" },
  { attribute: 0x0002_800c, property: PID.body, as: "text" },
  { attribute: 0x0007_8008, property: PID.messageClass, as: "class" },
  { attribute: 0x0003_8005, property: PID.clientSubmitTime, as: "time" },
  { attribute: 0x0003_8006, property: PID.deliveryTime, as: "time" },
  { attribute: 0x0003_0006, property: PID.startDate, as: "time" },
  { attribute: 0x0003_0007, property: PID.endDate, as: "time" },
];

/** Classes under the names that they had before Outlook (lower case). */
const CLASSES: ReadonlyMap<string, string> = new Map([
  ["ipm.microsoft mail.note", "IPM.Note"],
  ["ipm.microsoft mail.read receipt", "REPORT.IPM.Note.IPNRN"],
  ["ipm.microsoft mail.non-delivery", "REPORT.IPM.Note.NDR"],
  ["ipm.microsoft schedule.mtgreq", "IPM.Schedule.Meeting.Request"],
  ["ipm.microsoft schedule.mtgrespp", "IPM.Schedule.Meeting.Resp.Pos"],
  ["ipm.microsoft schedule.mtgrespn", "IPM.Schedule.Meeting.Resp.Neg"],
  ["ipm.microsoft schedule.mtgrespa", "IPM.Schedule.Meeting.Resp.Tent"],
  ["ipm.microsoft schedule.mtgcncl", "IPM.Schedule.Meeting.Canceled"],
]);

/** The value as a property; null if the attribute has none. */
function legacyValue({ as }: LegacyAttribute, data: Buffer): TnefValue | null {
  if (as === "time") return timeValue(data);
  const end = data.indexOf(0);
  const bytes = end < 0 ? data : data.subarray(0, end);
  if (as === "text") return { type: TYPE.string8, bytes };
  const name = bytes.toString("latin1");
  return { type: TYPE.string8, bytes: Buffer.from(CLASSES.get(name.toLowerCase()) ?? name, "latin1") };
}

/** Year, month, day, hour, minute, second and weekday, 16 bits each ([MS-OXTNEF] 2.1.3.3.2). */
function timeValue(data: Buffer): TnefValue | null {
  if (data.length < 12) return null;
  const [year, month, day, hour, minute, second] = [0, 2, 4, 6, 8, 10].map((at) => data.readUInt16LE(at));
  const instant = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!);
  if (year! < 1601 || month! < 1 || month! > 12 || Number.isNaN(instant)) return null;
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(instant + FILETIME_EPOCH_MS) * 10_000n);
  return { type: TYPE.time, bytes };
}

/** Contents of a `winmail.dat` ([MS-OXTNEF]): the Outlook message that was sent with a plain text. */
interface TnefContent {
  readonly subject: string | null;
  readonly messageClass: string | null;
  readonly textBody: string | null;
  readonly htmlBody: string | null;
  readonly attachments: readonly AttachmentPart[];
  readonly properties: Properties;
  readonly object: MessageObject;
}

const SIGNATURE = 0x223e_9f78;
const HEADER_SIZE = 6;
/** Maximum attributes of one stream: a message has about twenty, and a few per attachment. */
const MAX_ATTRIBUTES = 100_000;

/** Attribute ids ([MS-OXTNEF] 2.1.3.3); the upper half is the type of the data. */
const ATTRIBUTE = {
  attachData: 0x0006_800f,
  attachTitle: 0x0001_8010,
  attachTransportName: 0x0006_9001,
  attachRendering: 0x0006_9002,
  messageProperties: 0x0006_9003,
  recipients: 0x0006_9004,
  attachment: 0x0006_9005,
  codePage: 0x0006_9007,
} as const;

/** Attributes by id, and those of each attachment. */
interface TnefAttributes {
  readonly own: ReadonlyMap<number, Buffer>;
  readonly attachments: readonly ReadonlyMap<number, Buffer>[];
}

const OF_ATTACHMENT: ReadonlySet<number> = new Set([
  ATTRIBUTE.attachData,
  ATTRIBUTE.attachTitle,
  ATTRIBUTE.attachTransportName,
  ATTRIBUTE.attachment,
]);

/** True for the first bytes of a TNEF stream. */
export function hasTnefSignature(head: Buffer): boolean {
  return head.length >= HEADER_SIZE && head.readUInt32LE(0) === SIGNATURE;
}

/** The message of a TNEF stream; null if the bytes are invalid. */
export function openTnef(bytes: Buffer): MessageObject | null {
  return readObject(bytes, 0);
}

/**
 * Reads a TNEF stream; null if the bytes are invalid. From a damaged stream, returns what precedes the damage.
 * @param files writes attached items that are not messages.
 */
export function readTnef(bytes: Uint8Array, files: ItemFiles = NO_ITEM_FILES): TnefContent | null {
  const stream = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const object = readObject(stream, 0);
  if (object === null) return null;
  const { properties } = object;
  const { textBody, htmlBody } = richBodies(properties);
  const { parts } = attachmentParts(object, partContext(NO_DIRECTORY, { htmlBody, files }));
  return {
    subject: properties.subject(),
    messageClass: properties.text(PID.messageClass),
    textBody,
    htmlBody,
    attachments: parts.map((part) => (part.contentId === null ? part : { ...part, disposition: "inline" })),
    properties,
    object,
  };
}

function readObject(stream: Buffer, depth: number): MessageObject | null {
  if (!hasTnefSignature(stream)) return null;
  const { own, attachments } = attributesOf(stream);
  const values = readTnefValues(new ByteReader(own.get(ATTRIBUTE.messageProperties) ?? Buffer.alloc(0)));
  for (const row of LEGACY_ATTRIBUTES) {
    const data = own.get(row.attribute);
    const value = data === undefined || values.values.has(row.property) ? null : legacyValue(row, data);
    if (value !== null) values.values.set(row.property, value);
  }
  const ofStream = textCharsets([charsetOfCodePage(codePageOf(own.get(ATTRIBUTE.codePage)))]);
  const charsets = messageCharsets(tnefProperties(values, ofStream), ofStream);
  const rows = readTnefRows(own.get(ATTRIBUTE.recipients) ?? Buffer.alloc(0), MAX_RECIPIENTS);
  return {
    properties: tnefProperties(values, charsets),
    recipients: rows.map((row) => recipientOf(tnefProperties(row, charsets))),
    attachments: attachments
      .slice(0, MAX_ATTACHMENTS)
      .map((attributes) => attachmentOf(attributes, { charsets, depth })),
    depth,
  };
}

function attributesOf(stream: Buffer): TnefAttributes {
  const own = new Map<number, Buffer>();
  const attachments: Map<number, Buffer>[] = [];
  for (const { id, data } of attributes(stream)) {
    if (id === ATTRIBUTE.attachRendering) attachments.push(new Map([[id, data]]));
    else if (OF_ATTACHMENT.has(id)) {
      const open = attachments[attachments.length - 1];
      // Some writers omit the start of an attachment, which then begins with its first attribute.
      if (open === undefined || open.has(id)) attachments.push(new Map([[id, data]]));
      else open.set(id, data);
    } else if (!own.has(id)) own.set(id, data);
  }
  return { own, attachments };
}

/**
 * Attributes one after the other: level, id, length, data, checksum ([MS-OXTNEF] 2.1.3.2). Checksums are ignored, since
 * they may be as wrong as the data.
 */
function* attributes(stream: Buffer): Generator<{ readonly id: number; readonly data: Buffer }> {
  const reader = new ByteReader(stream, HEADER_SIZE);
  for (let count = 0; count < MAX_ATTRIBUTES && reader.left >= 11; count++) {
    reader.skip(1);
    const id = reader.uint32();
    const length = reader.uint32();
    // A truncated stream ends with the beginning of its last attribute.
    const data = reader.view(Math.min(length, reader.left));
    reader.skip(2);
    yield { id, data };
  }
}

function codePageOf(data: Buffer | undefined): number | null {
  const codePage = data === undefined || data.length < 4 ? 0 : data.readUInt32LE(0);
  return codePage === 0 ? null : codePage;
}

/** 16 bytes before the data of an object property name its interface ([MS-OXTNEF] 2.1.3.4.1). */
const INTERFACE_ID_SIZE = 16;

/**
 * An attachment of a TNEF message. If it holds an object, its data is only a note for old readers that cannot show
 * objects.
 */
function attachmentOf(
  attributes: ReadonlyMap<number, Buffer>,
  holder: { readonly charsets: TextCharsets; readonly depth: number },
): AttachmentObject {
  const values = readTnefValues(new ByteReader(attributes.get(ATTRIBUTE.attachment) ?? Buffer.alloc(0)));
  nameByTitle(values, attributes.get(ATTRIBUTE.attachTitle) ?? attributes.get(ATTRIBUTE.attachTransportName));
  if (isMacBinary(attributes.get(ATTRIBUTE.attachRendering)))
    values.values.set(PID.attachEncoding, { type: TYPE.binary, bytes: MAC_BINARY_ENCODING });
  const held = values.values.get(PID.attachData);
  const object = held?.type === TYPE.object ? held.bytes.subarray(INTERFACE_ID_SIZE) : null;
  const data = attributes.get(ATTRIBUTE.attachData) ?? Buffer.alloc(0);
  return attachmentObject(tnefProperties(values, holder.charsets), {
    hasObject: object !== null,
    data: (method) => (method === "ole" || data.length === 0 ? (object ?? held?.bytes ?? data) : data),
    embedded: () =>
      object === null || holder.depth >= MAX_EMBEDDED_DEPTH ? null : readObject(object, holder.depth + 1),
  });
}

/** Offset and value of the flags of `attAttachRendData` that mark MacBinary ([MS-OXTNEF] 2.1.3.3.15). */
const RENDERING_FLAGS = { at: 10, macBinary: 1 } as const;

function isMacBinary(rendering: Buffer | undefined): boolean {
  const { at, macBinary } = RENDERING_FLAGS;
  return rendering !== undefined && rendering.length >= at + 4 && (rendering.readUInt32LE(at) & macBinary) !== 0;
}

function nameByTitle({ values }: TnefValues, title: Buffer | undefined): void {
  const isNamed = values.has(PID.attachLongFilename) || values.has(PID.attachFilename) || values.has(PID.displayName);
  if (title !== undefined && !isNamed) values.set(PID.attachFilename, { type: TYPE.string8, bytes: untilNul(title) });
}

function untilNul(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}
