declare const ORDINAL_OF: unique symbol;
declare const INDEX_OF: unique symbol;

/**
 * The permanent number of a record, from 1; K is the prefix of its public id. The brand exists only in types: columns,
 * rows and messages between threads contain plain numbers.
 */
export type Ordinal<K extends string> = number & { readonly [ORDINAL_OF]: K };
export type MessageOrdinal = Ordinal<"msg">;
export type ThreadOrdinal = Ordinal<"thread">;
export type ContactOrdinal = Ordinal<"contact">;
/** OTHER_TOPIC, of ids.ts, is one as well. */
export type TopicOrdinal = Ordinal<"topic">;

/** The index of a message or thread in the columns of a run, from 0 in ordinal order. */
export type Index<K extends "msg" | "thread"> = number & { readonly [INDEX_OF]: K };
export type MessageIndex = Index<"msg">;

/** Start of loops over messages: `++` keeps the brand. */
export const FIRST_MESSAGE = 0 as MessageIndex;

export function indexOf<K extends "msg" | "thread">(ordinal: Ordinal<K>): Index<K> {
  return (ordinal - 1) as Index<K>;
}

export function ordinalAt<K extends "msg" | "thread">(index: Index<K>): Ordinal<K> {
  return (index + 1) as Ordinal<K>;
}

/** The ordinal a number of messages later. */
export function addToOrdinal(ordinal: MessageOrdinal, messages: number): MessageOrdinal {
  return (ordinal + messages) as MessageOrdinal;
}

/** A column of branded numbers. */
export interface MarkedColumn<T extends number> extends Int32Array {
  [index: number]: T;
  [Symbol.iterator](): ArrayIterator<T>;
  entries(): ArrayIterator<[number, T]>;
}
