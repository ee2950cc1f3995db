import type { Instant } from "../../mail/dates/instant.ts";
import type { Address } from "../../mail/records/address.ts";
import type { DuplicateKey } from "./duplicate-key.ts";
import type { MessageHeaderRecord, ParsedRecord, ParsedUnit } from "./message-header-record.ts";

/**
 * A parsed unit in the form passed between threads. Neighbors in a mailbox name the same people repeatedly, so each
 * text is stored once, and the skeletons are numbers of texts. This is a third of the size of JSON, which the main
 * thread reads four times slower, and Node copies objects ten times slower.
 */
export interface PackedUnit {
  /** JSON of `UnitTexts`. */
  readonly json: string;
  /**
   * `MESSAGE` and what `SKELETON` writes of it, or `OTHER_RECORD` for each other record, in the order of the source.
   */
  readonly numbers: Int32Array;
  /** Dates; NaN for an undated message. */
  readonly instants: Float64Array;
  readonly bytes: number;
  /** State of the unit before it was read (`unitState`); "" if it was read in parts. */
  readonly inputs: string;
}

interface UnitTexts {
  readonly texts: readonly string[];
  readonly others: readonly Exclude<ParsedRecord, MessageHeaderRecord>[];
  readonly fileHashes: ParsedUnit["fileHashes"];
}

/** First number of a record. */
const OTHER_RECORD = 0;
const MESSAGE = 1;
/** Marks a missing text, address or list. */
const NONE = -1;
/** Number of the most frequent text: the empty display name of addresses. */
const EMPTY = 0;

/** Encoding of a value as numbers, read in the order written. */
interface NumberCodec<Value> {
  write(value: Value, to: UnitPacking): void;
  read(from: UnitReading): Value;
}

const FLAG: NumberCodec<boolean> = {
  write: (value, to) => to.number(value ? 1 : 0),
  read: (from) => from.number() === 1,
};
const INSTANT: NumberCodec<Instant | null> = {
  write: (value, to) => to.instant(value),
  read: (from) => from.instant(),
};
/** A rare text, written again because searching for it would cost more. */
const OWN_TEXT: NumberCodec<string> = { write: (value, to) => to.number(to.add(value)), read: (from) => from.text() };
const SHARED_TEXT: NumberCodec<string> = { write: (value, to) => to.shared(value), read: (from) => from.text() };
const ADDRESS: NumberCodec<Address> = {
  write({ email, name }, to) {
    to.shared(email);
    to.shared(name);
  },
  read: (from) => ({ email: from.text(), name: from.text() }),
};
const KEY: NumberCodec<DuplicateKey> = {
  write(value, to) {
    for (const word of value) to.number(word | 0);
  },
  read: (from) => [from.number() >>> 0, from.number() >>> 0, from.number() >>> 0, from.number() >>> 0],
};

/** Values never begin with NONE: texts begin with a number, lists with a length. */
const orNull = <Value>({ write, read }: NumberCodec<Value>): NumberCodec<Value | null> => ({
  write: (value, to) => (value === null ? to.number(NONE) : write(value, to)),
  read: (from) => (from.isNone() ? null : read(from)),
});

const listOf = <Value>({ write, read }: NumberCodec<Value>): NumberCodec<readonly Value[]> => ({
  write(values, to) {
    to.number(values.length);
    for (const value of values) write(value, to);
  },
  read(from) {
    const values: Value[] = [];
    for (let rest = from.number(); rest > 0; rest--) values.push(read(from));
    return values;
  },
});

/** Encoding of each field of a skeleton. A field without a row does not compile. */
const SKELETON: {
  readonly [Field in Exclude<keyof MessageHeaderRecord, "kind">]: NumberCodec<MessageHeaderRecord[Field]>;
} = {
  key: KEY,
  messageId: orNull(OWN_TEXT),
  references: listOf(OWN_TEXT),
  conversationIndexRoot: orNull(OWN_TEXT),
  gmailThreadId: orNull(OWN_TEXT),
  subjectKey: OWN_TEXT,
  isReply: FLAG,
  isAutomatic: FLAG,
  listAddress: orNull(SHARED_TEXT),
  sentAt: INSTANT,
  receivedAt: INSTANT,
  mailbox: SHARED_TEXT,
  from: orNull(ADDRESS),
  sender: orNull(ADDRESS),
  replyTo: listOf(ADDRESS),
  to: listOf(ADDRESS),
  cc: listOf(ADDRESS),
  bcc: listOf(ADDRESS),
  exportedNames: orNull(listOf(SHARED_TEXT)),
  ownAddresses: listOf(SHARED_TEXT),
};
const FIELDS = Object.entries(SKELETON).map(([field, codec]) => ({ field, codec: codec as NumberCodec<unknown> }));
/** With all fields from the start: adding fields to an object is slower. */
const BLANK: Readonly<Record<string, unknown>> = {
  kind: "message",
  ...Object.fromEntries(FIELDS.map(({ field }) => [field, null])),
};

export function packUnit(unit: ParsedUnit, inputs = ""): PackedUnit {
  const packing = new UnitPacking();
  const others: UnitTexts["others"][number][] = [];
  for (const record of unit.records) {
    if (record.kind === "message") {
      packing.number(MESSAGE);
      for (const { field, codec } of FIELDS) codec.write(record[field as keyof MessageHeaderRecord], packing);
    } else {
      packing.number(OTHER_RECORD);
      others.push(record);
    }
  }
  const { texts, numbers, instants } = packing;
  const content: UnitTexts = { texts, others, fileHashes: unit.fileHashes };
  return {
    json: JSON.stringify(content),
    numbers: new Int32Array(numbers),
    instants: new Float64Array(instants),
    bytes: unit.bytes,
    inputs,
  };
}

class UnitPacking {
  readonly texts: string[] = [""];
  readonly numbers: number[] = [];
  readonly instants: number[] = [];
  private readonly known = new Map<string, number>();

  number(number: number): void {
    this.numbers.push(number);
  }

  instant(instant: Instant | null): void {
    this.instants.push(instant ?? Number.NaN);
  }

  /** A text by the number that it has already. */
  shared(text: string): void {
    this.numbers.push(text === "" ? EMPTY : this.numberOf(text));
  }

  private numberOf(text: string): number {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const number = this.add(text);
    this.known.set(text, number);
    return number;
  }

  add(text: string): number {
    return this.texts.push(text) - 1;
  }
}

export function unpackUnit({ json, numbers, instants, bytes }: PackedUnit): ParsedUnit {
  const { texts, others, fileHashes } = JSON.parse(json) as UnitTexts;
  const reading = new UnitReading(texts, numbers, instants);
  const records: ParsedRecord[] = [];
  let messages = 0;
  while (!reading.isAtEnd) {
    if (reading.number() === OTHER_RECORD) {
      records.push(others[records.length - messages]!);
      continue;
    }
    const skeleton: Record<string, unknown> = { ...BLANK };
    for (const { field, codec } of FIELDS) skeleton[field] = codec.read(reading);
    records.push(skeleton as unknown as MessageHeaderRecord);
    messages++;
  }
  return { records, fileHashes, bytes };
}

class UnitReading {
  private at = 0;
  private instantAt = 0;

  constructor(
    private readonly texts: readonly string[],
    private readonly numbers: Int32Array,
    private readonly instants: Float64Array,
  ) {}

  get isAtEnd(): boolean {
    return this.at === this.numbers.length;
  }

  number(): number {
    const number = this.numbers[this.at]!;
    this.at++;
    return number;
  }

  /** Skips NONE if it comes next. */
  isNone(): boolean {
    if (this.numbers[this.at] !== NONE) return false;
    this.at++;
    return true;
  }

  text(): string {
    return this.texts[this.number()]!;
  }

  instant(): Instant | null {
    const instant = this.instants[this.instantAt]!;
    this.instantAt++;
    return Number.isNaN(instant) ? null : instant;
  }
}
