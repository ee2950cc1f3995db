import { EARLIEST_INSTANT, type Instant, LATEST_INSTANT } from "../mail/dates/instant.ts";
import { wellFormed } from "../mail/words/unicode.ts";
import { type ByteRange, bufferOf, fullRange } from "./byte-range.ts";
import { NO_NAMES, type PropertyName, type PropertyNames } from "./named-properties.ts";
import { bytesOf, MULTIPLE, type PropertyBytes, TYPE } from "./property-bytes.ts";
import { PID } from "./property-ids.ts";
import { decodeString8, type TextCharsets } from "./text-code-page.ts";

/** Maximum values of a multi-valued property: categories and mail addresses have a handful. */
const MAX_VALUES = 10_000;
/** Milliseconds between 1601, where FILETIME and the minutes of recurrences start, and 1970. */
export const FILETIME_EPOCH_MS = 11_644_473_600_000;

/** The encoding of an object's non-Unicode texts, and the numbering of its named properties. */
export interface StoreContext {
  /** Possible charsets of 8-bit strings, likeliest first; empty if the file names none: then the bytes decide. */
  readonly charsets: TextCharsets;
  readonly names: PropertyNames;
}

/** The id of no property. Ids have 16 bits, and real stores have objects with a property of id 0. */
export const NO_PROPERTY = -1;

export const NO_CONTEXT: StoreContext = { charsets: [], names: NO_NAMES };

/** Typed access to the properties of one object. Values of another type than requested are null, never converted. */
export class Properties {
  constructor(
    readonly source: PropertyBytes,
    private readonly context: StoreContext,
  ) {}

  /** Possible charsets of 8-bit strings, likeliest first. */
  get charsets(): TextCharsets {
    return this.context.charsets;
  }

  has(id: number): boolean {
    return this.source.typeOf(id) !== null;
  }

  /** The id of a named property in this store; `NO_PROPERTY` if the store does not have the name. */
  named(name: PropertyName): number {
    return this.context.names.idOf(name) ?? NO_PROPERTY;
  }

  /** A text, without the NULs Outlook leaves at its end. Null when it is missing or empty. */
  text(id: number): string | null {
    const type = this.source.typeOf(id);
    if (type !== TYPE.string && type !== TYPE.string8) return null;
    const range = this.source.rangeOf(id);
    return range === null || range.start === range.end ? null : this.decode(range, type) || null;
  }

  /**
   * `PidTagSubject` without Outlook's mark in front: 0x01 and a character with the length of `Re: ` ([MS-PST]
   * 2.5.3.1.1.1). If missing, built from prefix and rest ([MS-OXCMSG] 2.2.1.9, 2.2.1.10).
   */
  subject(): string | null {
    const subject = this.text(PID.subject);
    if (subject !== null) return oneLine(subject.charCodeAt(0) === 1 ? subject.slice(2) : subject) || null;
    const rest = this.text(PID.normalizedSubject);
    return rest === null ? null : oneLine(`${this.text(PID.subjectPrefix) ?? ""}${rest}`);
  }

  /** Texts of a multi-valued property; one text for a property with a single value. */
  texts(id: number): readonly string[] {
    const type = this.source.typeOf(id);
    if (type !== (TYPE.string | MULTIPLE) && type !== (TYPE.string8 | MULTIPLE)) {
      const one = this.text(id);
      return one === null ? [] : [one];
    }
    const bytes = bytesOf(this.source, id);
    return bytes === null ? [] : splitValues(bytes).map((value) => this.decode(fullRange(value), type - MULTIPLE));
  }

  /** An integer of any width up to 64 bits; null beyond 2^53. */
  integer(id: number): number | null {
    const type = this.source.typeOf(id);
    const range = this.source.rangeOf(id);
    if (range === null) return null;
    const { data, start, end } = range;
    if (type === TYPE.integer32 && end - start >= 4) return data.getInt32(start, true);
    if (type === TYPE.integer16 && end - start >= 2) return data.getInt16(start, true);
    return type === TYPE.integer64 && end - start >= 8 ? safeInteger(data.getBigInt64(start, true)) : null;
  }

  /** Programs other than Outlook write flags as numbers, too. */
  boolean(id: number): boolean | null {
    if (this.source.typeOf(id) === TYPE.integer32) return (this.integer(id) ?? 0) !== 0;
    const range = this.source.typeOf(id) === TYPE.boolean ? this.source.rangeOf(id) : null;
    return range === null || range.start === range.end ? null : range.bytes[range.start] !== 0;
  }

  float(id: number): number | null {
    const bytes = this.source.typeOf(id) === TYPE.floating64 ? bytesOf(this.source, id) : null;
    return bytes === null || bytes.length < 8 ? null : bytes.readDoubleLE(0);
  }

  time(id: number): Instant | null {
    const range = this.source.typeOf(id) === TYPE.time ? this.source.rangeOf(id) : null;
    return range === null || range.end - range.start < 8 ? null : instantOfFiletime(range.data, range.start);
  }

  /** A binary value, also of object properties stored in place. Null if missing or empty. */
  binary(id: number): Buffer | null {
    const type = this.source.typeOf(id);
    if (type !== TYPE.binary && type !== TYPE.object) return null;
    const bytes = bytesOf(this.source, id);
    return bytes === null || bytes.length === 0 ? null : bytes;
  }

  /** An 8-bit string as stored, without trailing NULs. */
  decodeAnsi(bytes: Buffer): string {
    return decodeString8(withoutTrailingNuls(bytes), this.charsets);
  }

  private decode(range: ByteRange, type: number): string {
    return wellFormed(type === TYPE.string ? decodeUtf16(range) : this.decodeAnsi(bufferOf(range)));
  }
}

function decodeUtf16({ bytes, start, end }: ByteRange): string {
  return bytes.toString("utf16le", start, end - ((end - start) % 2));
}

function safeInteger(value: bigint): number | null {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : null;
}

/** For charset detection, since a run of NULs looks like UTF-16. */
function withoutTrailingNuls(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}

/** Values of a multi-valued property of variable size: a count, the offsets, the values ([MS-PST] 2.3.3.4.2). */
export function splitValues(bytes: Buffer): readonly Buffer[] {
  if (bytes.length < 4) return [];
  const count = Math.min(bytes.readUInt32LE(0), MAX_VALUES, Math.floor((bytes.length - 4) / 4));
  const values: Buffer[] = [];
  for (let index = 0; index < count; index++) {
    const start = bytes.readUInt32LE(4 + 4 * index);
    const end = index + 1 < count ? bytes.readUInt32LE(8 + 4 * index) : bytes.length;
    if (start <= end && end <= bytes.length) values.push(bytes.subarray(start, end));
  }
  return values;
}

/** Multiple values in the format of a store ([MS-PST] 2.3.3.4.2), so that one reader handles both. */
export function joinValues(values: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(4 + 4 * values.length);
  head.writeUInt32LE(values.length, 0);
  let at = head.length;
  for (const [index, value] of values.entries()) {
    head.writeUInt32LE(at, 4 + 4 * index);
    at += value.length;
  }
  return Buffer.concat([head, ...values]);
}

/** Programs convert the time 0 between time zones: hours after it are no date either. */
const NO_TICKS = 2 * 24 * 3_600 * 10_000_000;

/** FILETIME: 100 ns since 1601 in UTC. 0 and the value of "never" are not dates. */
export function instantOfFiletime(data: DataView, offset: number): Instant | null {
  const ticks = data.getUint32(offset + 4, true) * 0x1_0000_0000 + data.getUint32(offset, true);
  if (ticks < NO_TICKS) return null;
  const instant = Math.floor(ticks / 10_000) - FILETIME_EPOCH_MS;
  return instant >= EARLIEST_INSTANT && instant < Math.min(LATEST_INSTANT, NEVER) ? instant : null;
}

/** Outlook's "no date": 4501-01-01 ([MS-OXCDATA], [MS-OXOTASK]). */
const NEVER: Instant = Date.UTC(4501, 0, 1);

/** Programs that create items write line ends into subjects. */
function oneLine(text: string): string {
  return /[\t-\r]/.test(text) ? text.replace(/[\t-\r]+/g, " ").trim() : text;
}
