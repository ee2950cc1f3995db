import type { CompoundStorage } from "../../compound/compound-file.ts";
import { type ByteRange, fullRange } from "../../properties/byte-range.ts";
import { joinValues } from "../../properties/properties.ts";
import { fixedSizeOf, MULTIPLE, type PropertyBytes, TYPE } from "../../properties/property-bytes.ts";

/** The stream that lists the properties of a storage, and bytes before its records ([MS-OXMSG] 2.4.1). */
export const PROPERTY_STREAM = "__PROPERTIES_VERSION1.0";
/** A record: type, id, flags, value or size of it ([MS-OXMSG] 2.4.2). */
const RECORD_SIZE = 16;
const VALUE_AT = 8;
/** Maximum properties of one object; a contact has a few hundred. */
const MAX_PROPERTIES = 65_536;
/** Maximum values of a multi-valued property. */
const MAX_VALUES = 10_000;
/** Streams of values by id and type: `__substg1.0_0037001F` ([MS-OXMSG] 2.1.3). */
export const VALUE_STREAM = /^__SUBSTG1\.0_([0-9A-F]{4})([0-9A-F]{4})$/;

/** Bytes before the records, by type of storage. */
export const PROPERTY_HEADER = { message: 32, embedded: 24, part: 8, names: 0 } as const;

/** Types of values that are texts, or HTML. */
const TEXT_TYPES: ReadonlySet<number> = new Set([TYPE.string, TYPE.string8, TYPE.binary]);

/**
 * Programs save an attached message as a file without changing its header, or the reverse. The two sizes differ by half
 * a record.
 */
function startOfRecords(records: Buffer, headerSize: number): number {
  const { message, embedded } = PROPERTY_HEADER;
  if ((records.length - headerSize) % RECORD_SIZE === 0) return headerSize;
  const other = headerSize === message ? embedded : headerSize === embedded ? message : headerSize;
  return (records.length - other) % RECORD_SIZE === 0 ? other : headerSize;
}

/** The properties of a storage of a .msg file: a message, a recipient, an attachment. */
export class MsgProperties implements PropertyBytes {
  private readonly types = new Map<number, number>();
  /** Values of up to eight bytes, stored in the property records. */
  private readonly inline = new Map<number, ByteRange>();
  private readonly read = new Map<number, ByteRange | null>();

  constructor(
    private readonly storage: CompoundStorage,
    headerSize: number,
  ) {
    const records = storage.streams.get(PROPERTY_STREAM)?.bytes() ?? Buffer.alloc(0);
    for (
      let at = startOfRecords(records, headerSize);
      at + RECORD_SIZE <= records.length && this.types.size < MAX_PROPERTIES;
      at += RECORD_SIZE
    ) {
      const type = records.readUInt16LE(at);
      const id = records.readUInt16LE(at + 2);
      const size = fixedSizeOf(type);
      if (this.types.has(id)) continue;
      this.types.set(id, type);
      if (size !== null && size <= RECORD_SIZE - VALUE_AT) {
        this.inline.set(id, fullRange(records.subarray(at + VALUE_AT, at + VALUE_AT + size)));
      }
    }
    for (const name of storage.streams.keys()) this.correctType(name);
  }

  /**
   * If the list is damaged, the names of the streams list the properties. Programs list texts under another type than
   * they store, or store both: then Unicode counts.
   */
  private correctType(name: string): void {
    const [, id, type] = VALUE_STREAM.exec(name) ?? [];
    if (id === undefined || type === undefined || this.types.size >= MAX_PROPERTIES) return;
    const number = Number.parseInt(id, 16);
    const stored = Number.parseInt(type, 16);
    const listed = this.types.get(number);
    const isMissing = (): boolean => !this.storage.streams.has(streamName(number, listed!));
    const isOther = listed !== undefined && listed !== stored && TEXT_TYPES.has(listed) && TEXT_TYPES.has(stored);
    if (listed === undefined || (isOther && (stored === TYPE.string || isMissing()))) this.types.set(number, stored);
  }

  typeOf(id: number): number | null {
    return this.types.get(id) ?? null;
  }

  ids(): Iterable<number> {
    return this.types.keys();
  }

  rangeOf(id: number): ByteRange | null {
    const type = this.types.get(id);
    if (type === undefined) return null;
    const known = this.inline.get(id) ?? this.read.get(id);
    if (known !== undefined) return known;
    const bytes = this.valueOf(id, type);
    const range = bytes === null ? null : fullRange(bytes);
    this.read.set(id, range);
    return range;
  }

  private valueOf(id: number, type: number): Buffer | null {
    const name = streamName(id, type);
    const stream = this.storage.streams.get(name)?.bytes() ?? null;
    const isList = (type & MULTIPLE) !== 0 && fixedSizeOf(type & ~MULTIPLE) === null;
    return stream === null || !isList ? stream : this.listOf(name, stream, type & ~MULTIPLE);
  }

  /**
   * Variable-length values have one stream each; the stream of the property contains their lengths ([MS-OXMSG]
   * 2.1.4.2).
   */
  private listOf(name: string, lengths: Buffer, type: number): Buffer {
    const count = Math.min(Math.floor(lengths.length / (type === TYPE.binary ? 8 : 4)), MAX_VALUES);
    const values: Buffer[] = [];
    for (let index = 0; index < MAX_VALUES; index++) {
      const value = this.storage.streams.get(`${name}-${index.toString(16).toUpperCase().padStart(8, "0")}`)?.bytes();
      if (value !== undefined) values.push(value);
      else if (index >= count) break;
    }
    return joinValues(values);
  }
}

/** Name of the stream or storage of a value, in upper case. */
export function streamName(id: number, type: number): string {
  const hex = (value: number): string => value.toString(16).toUpperCase().padStart(4, "0");
  return `__SUBSTG1.0_${hex(id)}${hex(type)}`;
}
