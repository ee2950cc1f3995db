import { bytesOf, type PropertyBytes } from "./property-bytes.ts";

/** Property sets of [MS-OXPROPS] 1.3.2. */
export const PROPERTY_SET = {
  mapi: "00020328-0000-0000-c000-000000000046",
  publicStrings: "00020329-0000-0000-c000-000000000046",
  internetHeaders: "00020386-0000-0000-c000-000000000046",
  appointment: "00062002-0000-0000-c000-000000000046",
  task: "00062003-0000-0000-c000-000000000046",
  address: "00062004-0000-0000-c000-000000000046",
  common: "00062008-0000-0000-c000-000000000046",
  log: "0006200a-0000-0000-c000-000000000046",
  note: "0006200e-0000-0000-c000-000000000046",
  rss: "00062041-0000-0000-c000-000000000046",
  attachment: "96357f7f-59e1-47d0-99a7-46515c183b54",
  meeting: "6ed8da90-450b-101b-98da-00aa003f1305",
} as const;

/** A property identified by name ([MS-PST] 2.4.7): its set, and a number or a text within the set. */
export interface PropertyName {
  readonly set: string;
  readonly name: number | string;
}

/** Names of one store. Two stores number the same names differently, so this is never shared. */
export interface PropertyNames {
  /** The id of that name in the store; null if unused. */
  idOf(name: PropertyName): number | null;
}

export const NO_NAMES: PropertyNames = { idOf: () => null };

/** Streams of the map's property context: GUIDs, entries, strings ([MS-PST] 2.4.7.1-3). */
const STREAM = { guids: 0x0002, entries: 0x0003, strings: 0x0004 } as const;
const ENTRY_SIZE = 8;
const GUID_SIZE = 16;
/** Lowest id of named properties. */
export const FIRST_NAMED_ID = 0x8000;
/** GUID numbers 0 to 2 are not in the stream: none, PS_MAPI, PS_PUBLIC_STRINGS. */
const FIRST_STREAM_GUID = 3;

/** Reads the name-to-id map of a store. Empty or short streams give a partial map. */
export function readPropertyNames(map: PropertyBytes): PropertyNames {
  const guids = bytesOf(map, STREAM.guids) ?? Buffer.alloc(0);
  const entries = bytesOf(map, STREAM.entries) ?? Buffer.alloc(0);
  const strings = bytesOf(map, STREAM.strings) ?? Buffer.alloc(0);
  const ids = new Map<string, number>();
  for (let at = 0; at + ENTRY_SIZE <= entries.length; at += ENTRY_SIZE) {
    const value = entries.readUInt32LE(at);
    const guid = entries.readUInt16LE(at + 4);
    const id = FIRST_NAMED_ID + entries.readUInt16LE(at + 6);
    const name = guid % 2 === 1 ? nameAt(strings, value) : value;
    if (name !== null && id <= 0xffff) ids.set(keyOf({ set: setOf(guids, guid >> 1), name }), id);
  }
  // Callers have a few constant names and look them up for every item.
  const known = new WeakMap<PropertyName, number | null>();
  return {
    idOf: (name) => {
      let id = known.get(name);
      if (id === undefined) {
        id = ids.get(keyOf(name)) ?? null;
        known.set(name, id);
      }
      return id;
    },
  };
}

export function keyOf(name: PropertyName): string {
  // Names of PS_INTERNET_HEADERS are header names and equal in any case ([MS-OXCMSG] 2.2.1.58); Outlook writes all
  // others in one.
  return `${name.set}/${typeof name.name === "number" ? name.name : `"${name.name.toLowerCase()}`}`;
}

function setOf(guids: Buffer, number: number): string {
  if (number === 1) return PROPERTY_SET.mapi;
  if (number === 2) return PROPERTY_SET.publicStrings;
  const at = (number - FIRST_STREAM_GUID) * GUID_SIZE;
  // Unknown GUIDs are distinct from each other and from "none".
  return number < FIRST_STREAM_GUID || at + GUID_SIZE > guids.length
    ? `unknown-${number}`
    : formatGuid(guids.subarray(at, at + GUID_SIZE));
}

function nameAt(strings: Buffer, offset: number): string | null {
  if (offset + 4 > strings.length) return null;
  const length = strings.readUInt32LE(offset);
  const end = offset + 4 + length;
  return end > strings.length ? null : strings.toString("utf16le", offset + 4, end);
}

/** The usual text of a GUID: its first three fields are little-endian. @param bytes 16 bytes. */
export function formatGuid(bytes: Buffer): string {
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");
  const tail = bytes.toString("hex", 8, GUID_SIZE);
  return `${hex(bytes.readUInt32LE(0), 8)}-${hex(bytes.readUInt16LE(4), 4)}-${hex(bytes.readUInt16LE(6), 4)}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}
