import { type ByteRange, bufferOf } from "./byte-range.ts";

/** Property types of [MS-OXCDATA] 2.11.1. */
export const TYPE = {
  integer16: 0x0002,
  integer32: 0x0003,
  floating32: 0x0004,
  floating64: 0x0005,
  currency: 0x0006,
  floatingTime: 0x0007,
  error: 0x000a,
  boolean: 0x000b,
  object: 0x000d,
  integer64: 0x0014,
  string8: 0x001e,
  string: 0x001f,
  time: 0x0040,
  guid: 0x0048,
  binary: 0x0102,
} as const;

/** Set in the type of properties with several values. */
export const MULTIPLE = 0x1000;

const FIXED_SIZES: readonly (readonly [type: number, bytes: number])[] = [
  [TYPE.integer16, 2],
  [TYPE.integer32, 4],
  [TYPE.floating32, 4],
  [TYPE.floating64, 8],
  [TYPE.currency, 8],
  [TYPE.floatingTime, 8],
  [TYPE.error, 4],
  [TYPE.boolean, 1],
  [TYPE.integer64, 8],
  [TYPE.time, 8],
  [TYPE.guid, 16],
];

/** Size by type; 0 for variable length. Read for every value of a store. */
const SIZE_OF_TYPE = Uint8Array.from(
  { length: TYPE.guid + 1 },
  (_, type) => FIXED_SIZES.find(([known]) => known === type)?.[1] ?? 0,
);

/** Size in bytes of all values of that type; null if it varies. */
export function fixedSizeOf(type: number): number | null {
  return SIZE_OF_TYPE[type] || null;
}

/** Source of properties: a property context, a table row, a TNEF attribute. */
export interface PropertyBytes {
  /** Type of the property, or null when the object has none of that id. */
  typeOf(id: number): number | null;
  /** The stored bytes of its value, read on demand; null if it is missing or lost. */
  rangeOf(id: number): ByteRange | null;
  /** Ids in the order they are stored. */
  ids(): Iterable<number>;
}

/** The value of a property as a buffer; null when it is missing or lost. */
export function bytesOf(source: PropertyBytes, id: number): Buffer | null {
  const range = source.rangeOf(id);
  return range === null ? null : bufferOf(range);
}
