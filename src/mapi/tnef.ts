import type { AttachmentPart } from "../mail/message.ts";
import { ByteReader } from "../properties/byte-reader.ts";
import type { Properties } from "../properties/properties.ts";
import { PID } from "../properties/property-ids.ts";
import { charsetOfCodePage, decodeString8, type TextCharsets, textCharsets } from "../properties/text-code-page.ts";
import { messageCharsets } from "./message-charsets.ts";
import { attachmentMethod, linkTarget } from "./message-object.ts";
import { richBodies } from "./rich-body.ts";
import { readTnefProperties } from "./tnef-properties.ts";

/** What a `winmail.dat` holds ([MS-OXTNEF]): the message Outlook sent beside its plain text. */
export interface TnefContent {
  readonly subject: string | null;
  readonly messageClass: string | null;
  readonly textBody: string | null;
  readonly htmlBody: string | null;
  readonly attachments: readonly AttachmentPart[];
  /** MAPI properties of the message; null when it carried none. */
  readonly properties: Properties | null;
}

const SIGNATURE = 0x223e_9f78;
const HEADER_SIZE = 6;
/** Attributes of one stream: a message has some twenty and a few for each attachment. */
const MAX_ATTRIBUTES = 100_000;

/** Attribute ids ([MS-OXTNEF] 2.1.3.3); the upper half is the type of the data. */
const ATTRIBUTE = {
  subject: 0x0001_8004,
  body: 0x0002_800c,
  messageClass: 0x0007_8008,
  attachData: 0x0006_800f,
  attachTitle: 0x0001_8010,
  attachRendering: 0x0006_9002,
  messageProperties: 0x0006_9003,
  attachment: 0x0006_9005,
  codePage: 0x0006_9007,
} as const;

interface OpenAttachment {
  title: Buffer | null;
  data: Buffer | null;
  properties: Buffer | null;
}

/** Reads a TNEF stream; null when the bytes are none. Damaged streams give what stands before the damage. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: attributes fill what the last one opened; a field an expression
export function readTnef(bytes: Uint8Array): TnefContent | null {
  const stream = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (stream.length < HEADER_SIZE || stream.readUInt32LE(0) !== SIGNATURE) return null;
  const values = new Map<number, Buffer>();
  const attachments: OpenAttachment[] = [];
  for (const { id, data } of attributes(stream)) {
    const open = attachments[attachments.length - 1];
    if (id === ATTRIBUTE.attachRendering) attachments.push({ title: null, data: null, properties: null });
    else if (id === ATTRIBUTE.attachTitle && open !== undefined) open.title = data;
    else if (id === ATTRIBUTE.attachData && open !== undefined) open.data = data;
    else if (id === ATTRIBUTE.attachment && open !== undefined) open.properties = data;
    else if (!values.has(id)) values.set(id, data);
  }
  const ofStream = textCharsets([charsetOfCodePage(codePageOf(values.get(ATTRIBUTE.codePage)))]);
  const raw = values.get(ATTRIBUTE.messageProperties);
  const charsets = raw === undefined ? ofStream : messageCharsets(readTnefProperties(raw, []), ofStream);
  const properties = raw === undefined ? null : readTnefProperties(raw, charsets);
  const decode = (value: Buffer | undefined): string | null =>
    value === undefined ? null : decodeText(value, charsets);
  const rich = properties === null ? null : richBodies(properties);
  return {
    subject: properties?.subject() ?? decode(values.get(ATTRIBUTE.subject)),
    messageClass: properties?.text(PID.messageClass) ?? decode(values.get(ATTRIBUTE.messageClass)),
    textBody: rich?.textBody ?? decode(values.get(ATTRIBUTE.body)),
    htmlBody: rich?.htmlBody ?? null,
    attachments: attachments.map((attachment) => partOf(attachment, charsets)),
    properties,
  };
}

/**
 * Attributes one after the other: level, id, length, data, checksum ([MS-OXTNEF] 2.1.3.2). The checksum is not believed
 * more than the data.
 */
function* attributes(stream: Buffer): Generator<{ readonly id: number; readonly data: Buffer }> {
  const reader = new ByteReader(stream, HEADER_SIZE);
  for (let count = 0; count < MAX_ATTRIBUTES && reader.left >= 11; count++) {
    reader.skip(1);
    const id = reader.uint32();
    const length = reader.uint32();
    // A stream that was cut keeps the beginning of its last attribute.
    const data = reader.view(Math.min(length, reader.left));
    reader.skip(2);
    yield { id, data };
  }
}

function codePageOf(data: Buffer | undefined): number | null {
  const codePage = data === undefined || data.length < 4 ? 0 : data.readUInt32LE(0);
  return codePage === 0 ? null : codePage;
}

function decodeText(bytes: Buffer, charsets: TextCharsets): string | null {
  const end = bytes.indexOf(0);
  const text = decodeString8(end < 0 ? bytes : bytes.subarray(0, end), charsets);
  return text === "" ? null : text;
}

/** 16 bytes before the data of an object property name its interface ([MS-OXTNEF] 2.1.3.4.1). */
const INTERFACE_ID_SIZE = 16;

function partOf(attachment: OpenAttachment, charsets: TextCharsets): AttachmentPart {
  const properties = attachment.properties === null ? null : readTnefProperties(attachment.properties, charsets);
  const named =
    properties?.text(PID.attachLongFilename) ??
    properties?.text(PID.attachFilename) ??
    properties?.text(PID.displayName) ??
    null;
  const isEmbedded = properties !== null && attachmentMethod(properties) === "embedded";
  const object = properties?.binary(PID.attachData) ?? null;
  const data =
    attachment.data !== null && attachment.data.length > 0
      ? attachment.data
      : (object?.subarray(INTERFACE_ID_SIZE) ?? Buffer.alloc(0));
  return {
    filename: named ?? (attachment.title === null ? "" : (decodeText(attachment.title, charsets) ?? "")),
    // A message in TNEF is TNEF again.
    mediaType: isEmbedded
      ? "application/ms-tnef"
      : (properties?.text(PID.attachMimeTag)?.toLowerCase() ?? "application/octet-stream"),
    disposition: properties?.text(PID.attachContentId) == null ? "attachment" : "inline",
    contentId: properties?.text(PID.attachContentId) ?? null,
    linkTarget: properties === null ? null : linkTarget(properties),
    bytes: () => data,
  };
}
