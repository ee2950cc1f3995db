import { type WrittenStorage, writeCompoundFile } from "../../src/compound/compound-writer.ts";
import type { PropertyName } from "../../src/properties/named-properties.ts";
import { splitValues } from "../../src/properties/properties.ts";
import { fixedSizeOf, MULTIPLE, TYPE } from "../../src/properties/property-bytes.ts";
import { PID } from "../../src/properties/property-ids.ts";
import { nameMapProperties } from "../pst-writer/name-map.ts";
import { integer, text, type WrittenProperty } from "../pst-writer/property-writer.ts";
import {
  type WrittenAttachment,
  type WrittenMessage,
  type WrittenRecipient,
  withMethod,
} from "../pst-writer/store-writer.ts";

const HEADER = { message: 32, embedded: 24, part: 8 } as const;

/** Writes .msg files for tests ([MS-OXMSG]) from the messages that `StoreWriter` accepts. */
export class MsgWriter {
  private readonly names: PropertyName[] = [];

  /** The id of a named property in this file. */
  named(name: PropertyName): number {
    const known = this.names.findIndex((other) => other.set === name.set && other.name === name.name);
    if (known >= 0) return 0x8000 + known;
    this.names.push(name);
    return 0x8000 + this.names.length - 1;
  }

  write(message: WrittenMessage, majorVersion: 3 | 4 = 3): Buffer {
    const storage = messageStorage(message, HEADER.message);
    const names = { streams: valueStreams(nameMapProperties(this.names)), storages: new Map() };
    return writeCompoundFile(
      { ...storage, storages: new Map([...storage.storages, ["__nameid_version1.0", names]]) },
      majorVersion,
    );
  }
}

/** A .msg file without named properties. */
export function buildMsg(message: WrittenMessage, majorVersion: 3 | 4 = 3): Buffer {
  return new MsgWriter().write(message, majorVersion);
}

function messageStorage(message: WrittenMessage, headerSize: number): WrittenStorage {
  const storages = new Map<string, WrittenStorage>();
  for (const [index, recipient] of (message.recipients ?? []).entries()) {
    storages.set(`__recip_version1.0_#${hex(index, 8)}`, propertyStorage(recipientProperties(recipient), HEADER.part));
  }
  for (const [index, attachment] of (message.attachments ?? []).entries()) {
    storages.set(`__attach_version1.0_#${hex(index, 8)}`, attachmentStorage(attachment));
  }
  return { streams: propertyStorage(message.properties, headerSize).streams, storages };
}

function recipientProperties(recipient: WrittenRecipient): readonly WrittenProperty[] {
  const smtp = recipient.smtp === undefined ? [] : [text(PID.smtpAddress, recipient.smtp)];
  return [
    integer(PID.recipientType, recipient.type),
    text(PID.displayName, recipient.name),
    text(PID.addressType, recipient.addressType ?? "SMTP"),
    text(PID.emailAddress, recipient.email),
    ...smtp,
  ];
}

function attachmentStorage(attachment: WrittenAttachment): WrittenStorage {
  const { data, message, properties, streams } = attachment;
  if (message !== undefined) {
    const own = propertyStorage(withMethod(attachment, 5), HEADER.part);
    return { ...own, storages: new Map([["__substg1.0_3701000D", messageStorage(message, HEADER.embedded)]]) };
  }
  if (streams !== undefined) {
    const own = propertyStorage(withMethod(attachment, 6), HEADER.part);
    return { ...own, storages: new Map([["__substg1.0_3701000D", { streams, storages: new Map() }]]) };
  }
  const held = data === undefined ? [] : [{ id: PID.attachData, type: TYPE.binary, bytes: data }];
  return propertyStorage([...(data === undefined ? properties : withMethod(attachment, 1)), ...held], HEADER.part);
}

/** The property list, and a stream for each value that does not fit into it. */
function propertyStorage(properties: readonly WrittenProperty[], headerSize: number): WrittenStorage {
  const records = properties.map(({ id, type, bytes }) => {
    const record = Buffer.alloc(16);
    record.writeUInt16LE(type, 0);
    record.writeUInt16LE(id, 2);
    record.writeUInt32LE(6, 4);
    const fixed = fixedSizeOf(type);
    if (fixed !== null && fixed <= 8) bytes.copy(record, 8);
    else record.writeUInt32LE(bytes.length, 8);
    return record;
  });
  const list = Buffer.concat([Buffer.alloc(headerSize), ...records]);
  return { streams: new Map([["__properties_version1.0", list], ...valueStreams(properties)]), storages: new Map() };
}

function valueStreams(properties: readonly WrittenProperty[]): Map<string, Buffer> {
  const streams = new Map<string, Buffer>();
  for (const { id, type, bytes } of properties) {
    const fixed = fixedSizeOf(type);
    if (fixed !== null && fixed <= 8) continue;
    const name = `__substg1.0_${hex(id, 4)}${hex(type, 4)}`;
    if ((type & MULTIPLE) === 0) {
      streams.set(name, bytes);
      continue;
    }
    const values = splitValues(bytes);
    const lengthSize = type === (TYPE.binary | MULTIPLE) ? 8 : 4;
    const lengths = Buffer.alloc(values.length * lengthSize);
    for (const [index, value] of values.entries()) {
      lengths.writeUInt32LE(value.length, index * lengthSize);
      streams.set(`${name}-${hex(index, 8)}`, value);
    }
    streams.set(name, lengths);
  }
  return streams;
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, "0");
}
