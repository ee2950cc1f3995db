import type { Instant } from "../../mail/dates/instant.ts";
import type { Address } from "../../mail/records/address.ts";
import type { MessageId } from "../../mail/records/ids.ts";
import type { Finding } from "../../mail/records/message.ts";
import type { SqlValue } from "./sql-value.ts";

/** A value in the JSON of staged records and of the differences of duplicates. */
export type Packed = string | number | boolean | null | readonly unknown[];

/** A column: its name and its encoding. */
export interface Column<Value> {
  readonly name: string;
  readonly type: "INTEGER" | "REAL" | "TEXT" | "BLOB";
  /** SQL after the type in CREATE TABLE. */
  readonly constraint:
    | ""
    | " NOT NULL"
    | " NOT NULL UNIQUE"
    | ` NOT NULL DEFAULT ${number}`
    | " PRIMARY KEY"
    | " PRIMARY KEY AUTOINCREMENT";
  encode(value: Value): SqlValue;
  /** Meaning of NULL. */
  readonly none: Value | null;
  /** Decodes a value other than NULL; null if it is stored unchanged. */
  readonly decode: ((stored: SqlValue) => Value) | null;
  /** SQL that reads it, given the qualified name; null for the name itself. */
  readonly read: ((name: string) => string) | null;
  pack(value: Value): Packed;
  unpack(packed: Packed): Value;
  /** True for text that people wrote: it may contain personal data, and redaction changes it only by `rewrite`. */
  readonly isWritten: boolean;
  /** Replaces all human-written text; addresses stay, except for their display names. */
  rewrite(value: Value, rewriteText: (text: string) => string): Value;
  /** False if the value is not yet known when a message is read. */
  readonly isKept: boolean;
  /** The schema version that added it: archives of earlier ones read as NULL. */
  readonly since: number;
}

/** Column definitions for every field of a stored object. */
export type Columns<Row> = { readonly [Field in keyof Row]-?: Column<Row[Field]> };

/** A row by field. */
export type RowOf<C> = { readonly [Field in keyof C]: C[Field] extends Column<infer Value> ? Value : never };

const same = <T>(value: T): T => value;

function plain<Value extends string | number>(name: string, type: Column<Value>["type"]): Column<Value> {
  const pack: (value: Value) => Packed = same;
  const unpack = (packed: Packed): Value => packed as Value;
  const encode = (value: Value): SqlValue => value;
  const decode = { none: null, decode: null, read: null };
  return {
    name,
    type,
    constraint: " NOT NULL",
    encode,
    ...decode,
    pack,
    unpack,
    isWritten: false,
    rewrite: same,
    isKept: true,
    since: 1,
  };
}

/** SQLite numbers rows that are never looked up. */
export const numbered = (name: string): Column<null> =>
  ({ ...optional(integer(name)), constraint: " PRIMARY KEY" }) as Column<null>;
/** The ordinal of a row. */
export const key = <Ordinal extends number = number>(name: string): DeferredColumn<Ordinal> =>
  deferred({ ...plain<Ordinal>(name, "INTEGER"), constraint: " PRIMARY KEY" });
/** The name of a row. */
export const named = (name: string): Column<string> => ({
  ...plain<string>(name, "TEXT"),
  constraint: " PRIMARY KEY",
});
/** A number that the database assigns to each row, ascending and never reused. */
export const counted = (name: string): Column<number> => ({
  ...integer(name),
  constraint: " PRIMARY KEY AUTOINCREMENT",
});
export const integer = <Value extends number = number>(name: string): Column<Value> => plain(name, "INTEGER");
/** Makes a column unique. */
export const unique = <Value>(column: Column<Value>): Column<Value> => ({ ...column, constraint: " NOT NULL UNIQUE" });
/** The same, with a default number for null. */
export const usually = <Value>(number: number, column: Column<Value>): Column<Value> => ({
  ...column,
  constraint: ` NOT NULL DEFAULT ${number}`,
});
/** A count from 0. */
export const counter = (name: string): Column<number> => usually(0, integer(name));
export const real = (name: string): Column<number> => plain(name, "REAL");
/** Machine-generated text, never redacted: an id, a path, a keyword. */
export const word = (name: string): Column<string> => plain(name, "TEXT");
/** One word of a fixed set. */
export const choice = <Word extends string>(name: string): Column<Word> => plain(name, "TEXT");

/** Text written by people. */
export const text = (name: string): Column<string> => ({
  ...plain<string>(name, "TEXT"),
  isWritten: true,
  rewrite: (value, rewriteText) => rewriteText(value),
});

/** NULL for null. */
export function optional<Value>(column: Column<Value>): Column<Value | null> {
  const { encode, decode, pack, unpack, rewrite } = column;
  return {
    ...column,
    constraint: "",
    encode: (value) => (value === null ? null : encode(value)),
    decode,
    pack: (value) => (value === null ? null : pack(value)),
    unpack: (packed) => (packed === null ? null : unpack(packed)),
    rewrite: (value, rewriteText) => (value === null ? null : rewrite(value, rewriteText)),
  };
}

export const instant = (name: string): Column<Instant | null> => optional(plain<Instant>(name, "INTEGER"));

export const flag = (name: string): Column<boolean> => ({
  ...(integer(name) as Column<number> & Column<boolean>),
  encode: (value) => (value ? 1 : 0),
  decode: (stored) => stored === 1,
});

export const blob = (name: string): Column<Uint8Array> => ({
  ...(plain<string>(name, "BLOB") as Column<string> & Column<Uint8Array>),
  encode: same,
  pack() {
    throw new TypeError(`${name} is not part of JSON output`);
  },
});

/** Hexadecimal digits, stored as bytes; reading them as text takes half the time of a blob, which needs an array. */
export const hex = (name: string): Column<string> => ({
  ...plain<string>(name, "BLOB"),
  encode: (value) => Buffer.from(value, "hex"),
  read: (column) => `lower(hex(${column}))`,
});

/** The same, NULL for null: SQL functions turn NULL into the empty text. */
export const optionalHex = (name: string): Column<string | null> => ({
  ...optional(hex(name)),
  read: (column) => `iif(${column} IS NULL, NULL, lower(hex(${column})))`,
});

/** Most lists are empty, and share one object. */
const NOTHING: readonly never[] = Object.freeze([]);

/** A list that is never filtered: JSON, NULL if it is empty. */
function listOf<Value>(
  name: string,
  pack: (value: readonly Value[]) => readonly unknown[],
  unpack: (packed: readonly never[]) => readonly Value[],
) {
  const column: Column<readonly Value[]> = {
    ...(plain<string>(name, "TEXT") as Column<string> & Column<readonly Value[]>),
    constraint: "",
    none: NOTHING,
    encode: (value) => (value.length === 0 ? null : JSON.stringify(pack(value))),
    decode: (stored) => unpack(JSON.parse(stored as string)),
    pack,
    unpack: (packed) => unpack(packed as readonly never[]),
  };
  return column;
}

/** Ids, paths, words of a list; never redacted. */
export const words = (name: string): Column<readonly string[]> => listOf<string>(name, same, same);
/** Messages of the archive. */
export const messageIds = (name: string): Column<readonly MessageId[]> => listOf<MessageId>(name, same, same);
/** Pairs of numbers. */
export const pairs = (name: string): Column<readonly (readonly [number, number])[]> =>
  listOf<readonly [number, number]>(name, same, same);
/** Texts written by people. */
export const texts = (name: string): Column<readonly string[]> => ({
  ...words(name),
  isWritten: true,
  rewrite: (value, rewriteText) => value.map((one) => rewriteText(one)),
});

export const findings = (name: string): Column<readonly Finding[]> => ({
  ...listOf<Finding>(name, same, same),
  isWritten: true,
  rewrite: (value, rewriteText) => value.map((finding) => ({ ...finding, message: rewriteText(finding.message) })),
});

/** Addresses are pairs: half the size of objects. */
type Pair = readonly [name: string, email: string];

const packAddress = (address: Address): Pair => [address.name, address.email];
const unpackAddress = (pair: Pair): Address => ({ name: pair[0], email: pair[1] });
const rewriteName = (address: Address, rewriteText: (text: string) => string): Address =>
  address.name === "" ? address : { name: rewriteText(address.name), email: address.email };

export const addresses = (name: string): Column<readonly Address[]> => ({
  ...listOf<Address>(
    name,
    (value) => value.map(packAddress),
    (packed) => packed.map(unpackAddress),
  ),
  isWritten: true,
  rewrite: (value, rewriteText) => value.map((address) => rewriteName(address, rewriteText)),
});

export const address = (name: string): Column<Address | null> =>
  optional({
    ...(plain<string>(name, "TEXT") as Column<string> & Column<Address>),
    encode: (value) => JSON.stringify(packAddress(value)),
    decode: (stored) => unpackAddress(JSON.parse(stored as string)),
    pack: packAddress,
    unpack: (packed) => unpackAddress(packed as unknown as Pair),
    isWritten: true,
    rewrite: rewriteName,
  });

/**
 * JSON of a record that is never filtered or sorted by its fields. @param defaults values of fields that
 * records of earlier versions lack
 */
export const record = <Value extends object>(name: string, defaults: Partial<Value> | null = null): Column<Value> => ({
  ...(plain<string>(name, "TEXT") as Column<string> & Column<Value>),
  encode: (value) => JSON.stringify(value),
  decode(stored) {
    const value = JSON.parse(stored as string) as Value;
    return defaults === null ? value : { ...defaults, ...value };
  },
});

/** Marks fields that are not yet known when a message is read: they are not staged. */
type DeferredColumn<Value> = Column<Value> & { readonly isKept: false };
export const deferred = <Value>(column: Column<Value>): DeferredColumn<Value> => ({ ...column, isKept: false });

/** A column that archives of earlier schema versions lack. It must be optional: there it reads as NULL. */
export const since = <Value>(version: number, column: Column<Value>): Column<Value> => ({ ...column, since: version });
