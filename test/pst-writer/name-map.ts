import { PROPERTY_SET, type PropertyName } from "../../src/properties/named-properties.ts";
import { binary, integer, type WrittenProperty } from "./property-writer.ts";

/** The name-to-id map ([MS-PST] 2.4.7, [MS-OXMSG] 2.2.3). */
export function nameMapProperties(names: readonly PropertyName[]): readonly WrittenProperty[] {
  const sets = [...new Set(names.map((name) => name.set))].filter(
    (set) => set !== PROPERTY_SET.mapi && set !== PROPERTY_SET.publicStrings,
  );
  const entries: Buffer[] = [];
  const strings: Buffer[] = [];
  let stringAt = 0;
  for (const [index, name] of names.entries()) {
    const entry = Buffer.alloc(8);
    if (typeof name.name === "number") entry.writeUInt32LE(name.name, 0);
    else {
      const value = utf16(name.name);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(value.length);
      const padding = Buffer.alloc((4 - (value.length % 4)) % 4);
      entry.writeUInt32LE(stringAt, 0);
      strings.push(length, value, padding);
      stringAt += 4 + value.length + padding.length;
    }
    entry.writeUInt16LE((guidNumber(sets, name.set) << 1) | (typeof name.name === "string" ? 1 : 0), 4);
    entry.writeUInt16LE(index, 6);
    entries.push(entry);
  }
  const guids = Buffer.concat(sets.map(guidBytes));
  return [integer(1, 251), binary(2, guids), binary(3, Buffer.concat(entries)), binary(4, Buffer.concat(strings))];
}
function guidNumber(sets: readonly string[], set: string): number {
  if (set === PROPERTY_SET.mapi) return 1;
  return set === PROPERTY_SET.publicStrings ? 2 : sets.indexOf(set) + 3;
}

function guidBytes(guid: string): Buffer {
  const [a = "", b = "", c = "", d = "", e = ""] = guid.split("-");
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32LE(Number.parseInt(a, 16), 0);
  bytes.writeUInt16LE(Number.parseInt(b, 16), 4);
  bytes.writeUInt16LE(Number.parseInt(c, 16), 6);
  bytes.write(d + e, 8, "hex");
  return bytes;
}

function utf16(value: string): Buffer {
  return Buffer.from(value, "utf16le");
}
