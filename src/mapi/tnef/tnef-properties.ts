import { fullRange } from "../../properties/byte-range.ts";
import { ByteReader } from "../../properties/byte-reader.ts";
import { FIRST_NAMED_ID, formatGuid, keyOf } from "../../properties/named-properties.ts";
import { joinValues, Properties } from "../../properties/properties.ts";
import { fixedSizeOf, MULTIPLE, type PropertyBytes } from "../../properties/property-bytes.ts";
import type { TextCharsets } from "../../properties/text-code-page.ts";

/** Maximum properties of one attribute; a message has a few hundred. */
const MAX_PROPERTIES = 10_000;
const MAX_VALUES = 10_000;
const NAMED_BY_NUMBER = 0;

/** Values by id, and ids of named properties, in one attribute. */
export interface TnefValues {
  readonly values: Map<number, TnefValue>;
  readonly names: Map<string, number>;
}

/** A stored value. */
export interface TnefValue {
  readonly type: number;
  readonly bytes: Buffer;
}

/** Reads the properties of an attribute ([MS-OXTNEF] 2.1.3.4). Every value is padded to four bytes. */
export function readTnefValues(reader: ByteReader): TnefValues {
  const values = new Map<number, TnefValue>();
  const names = new Map<string, number>();
  const count = Math.min(reader.uint32(), MAX_PROPERTIES);
  for (let index = 0; index < count && !reader.isCut; index++) {
    const type = reader.uint16();
    const id = reader.uint16();
    if (id >= FIRST_NAMED_ID) readName(reader, (key) => names.set(key, id));
    const value = readValue(reader, type);
    if (!reader.isCut) values.set(id, { type, bytes: value });
  }
  return { values, names };
}

/** The rows of a table of properties ([MS-OXTNEF] 2.1.3.5), used for recipients. */
export function readTnefRows(bytes: Buffer, most: number): readonly TnefValues[] {
  const reader = new ByteReader(bytes);
  const count = Math.min(reader.uint32(), most);
  const rows: TnefValues[] = [];
  while (rows.length < count && !reader.isCut && reader.left > 0) rows.push(readTnefValues(reader));
  return rows;
}

/** Typed access to the properties of an attribute. */
export function tnefProperties({ values, names }: TnefValues, charsets: TextCharsets): Properties {
  const source: PropertyBytes = {
    typeOf: (id) => values.get(id)?.type ?? null,
    rangeOf(id) {
      const value = values.get(id);
      return value === undefined ? null : fullRange(value.bytes);
    },
    ids: () => values.keys(),
  };
  return new Properties(source, { charsets, names: { idOf: (name) => names.get(keyOf(name)) ?? null } });
}

function readName(reader: ByteReader, add: (key: string) => void): void {
  const guid = reader.view(16);
  const kind = reader.uint32();
  const length = reader.uint32();
  const name = kind === NAMED_BY_NUMBER ? length : padded(reader, length).toString("utf16le").replace(/\0.*$/s, "");
  if (guid.length === 16) add(keyOf({ set: formatGuid(guid), name }));
}

/** Values of fixed size have no prefix, others a count and a length; multiple values follow their count. */
function readValue(reader: ByteReader, type: number): Buffer {
  const single = type & ~MULTIPLE;
  const fixed = fixedSizeOf(single);
  const isMultiple = (type & MULTIPLE) !== 0;
  if (fixed !== null) {
    const count = isMultiple ? Math.min(reader.uint32(), MAX_VALUES) : 1;
    return Buffer.concat(
      Array.from({ length: reader.isCut ? 0 : Math.min(count, Math.ceil(reader.left / fixed)) }, () =>
        padded(reader, fixed),
      ),
    );
  }
  const count = Math.min(reader.uint32(), MAX_VALUES);
  const values: Buffer[] = [];
  for (let index = 0; index < count && !reader.isCut; index++) values.push(padded(reader, reader.uint32()));
  return isMultiple ? joinValues(values) : (values[0] ?? Buffer.alloc(0));
}

function padded(reader: ByteReader, length: number): Buffer {
  const value = reader.view(length);
  if (length % 4 !== 0) reader.skip(Math.min(4 - (length % 4), reader.left));
  return value;
}
