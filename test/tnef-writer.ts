import { keyOf, type PropertyName } from "../src/properties/named-properties.ts";
import { fixedSizeOf, TYPE } from "../src/properties/property-bytes.ts";
import { PID } from "../src/properties/property-ids.ts";
import { integer, type WrittenProperty } from "./pst-writer/property-writer.ts";

/** A message to be written as TNEF ([MS-OXTNEF]), for tests. */
export interface WrittenTnef {
  readonly properties: readonly WrittenProperty[];
  /** Names of the properties from 0x8000 on. */
  readonly names?: ReadonlyMap<number, PropertyName>;
  readonly recipients?: readonly (readonly WrittenProperty[])[];
  readonly attachments?: readonly WrittenTnefAttachment[];
}

interface WrittenTnefAttachment {
  readonly properties: readonly WrittenProperty[];
  readonly data?: Buffer;
  readonly message?: WrittenTnef;
}

const ATTRIBUTE = {
  data: 0x0006_800f,
  rendering: 0x0006_9002,
  properties: 0x0006_9003,
  recipients: 0x0006_9004,
  attachment: 0x0006_9005,
} as const;
/** Attributes that Outlook writes for readers without support for objects. */
const NOTE = "This attachment is a MAPI 1.0 embedded message and is not supported by this mail system.";
const MESSAGE_INTERFACE = Buffer.from("0703020000000000c000000000000046", "hex");

/** Writes a `winmail.dat`. */
export function writeTnef(message: WrittenTnef): Buffer {
  const { recipients = [], attachments = [] } = message;
  const rows = recipients.map((row) => propertyList(row));
  return Buffer.concat([
    Buffer.from("789f3e220100", "hex"),
    attribute(1, ATTRIBUTE.properties, propertyList(message.properties, message.names)),
    ...(rows.length === 0 ? [] : [attribute(1, ATTRIBUTE.recipients, Buffer.concat([uint32(rows.length), ...rows]))]),
    ...attachments.flatMap(attachmentAttributes),
  ]);
}

function attachmentAttributes({ properties, data, message }: WrittenTnefAttachment): readonly Buffer[] {
  const object =
    message === undefined
      ? []
      : [
          integer(PID.attachMethod, 5),
          { id: PID.attachData, type: TYPE.object, bytes: Buffer.concat([MESSAGE_INTERFACE, writeTnef(message)]) },
        ];
  return [
    attribute(2, ATTRIBUTE.rendering, Buffer.alloc(14)),
    attribute(2, ATTRIBUTE.data, data ?? Buffer.from(`${NOTE}\0`)),
    attribute(2, ATTRIBUTE.attachment, propertyList([...properties, ...object])),
  ];
}

function attribute(level: number, id: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([level]), uint32(id), uint32(data.length), data, Buffer.alloc(2)]);
}

function propertyList(properties: readonly WrittenProperty[], names?: ReadonlyMap<number, PropertyName>): Buffer {
  const written = properties.map(({ id, type, bytes }) => {
    const name = names?.get(id);
    const isFixed = fixedSizeOf(type) !== null;
    return Buffer.concat([
      uint32(id * 0x1_0000 + type),
      name === undefined ? Buffer.alloc(0) : nameOf(name),
      ...(isFixed ? [] : [uint32(1), uint32(bytes.length)]),
      bytes,
      Buffer.alloc((4 - (bytes.length % 4)) % 4),
    ]);
  });
  return Buffer.concat([uint32(written.length), ...written]);
}

/** A name that is a number. */
function nameOf({ set, name }: PropertyName): Buffer {
  if (typeof name !== "number") throw new Error(`only numbers are written: ${keyOf({ set, name })}`);
  const [a, b, c, ...rest] = set.split("-");
  const guid = Buffer.concat([reversed(a!), reversed(b!), reversed(c!), Buffer.from(rest.join(""), "hex")]);
  return Buffer.concat([guid, uint32(0), uint32(name)]);
}

function reversed(hex: string): Buffer {
  return Buffer.from(hex, "hex").reverse();
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
