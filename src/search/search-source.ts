import type { MessageFacts } from "./message-facts.ts";

/** What ranking and filters need of every message, by document number. Numbers without a message hold length 0. */
export interface DocumentColumns {
  /** Tokens of the body plus twice those of the subject. */
  readonly lengths: Uint32Array;
  /** Contact of the author, -1 when there is none. */
  readonly authors: Int32Array;
  /** Instant of the Date field, -Infinity when undated. */
  readonly sentAt: Float64Array;
  readonly topics: Int32Array;
}

/** Postings of one term: a list for each stored segment, in ascending order of documents. */
export interface TermPostings {
  readonly documentFrequency: number;
  readonly lists: readonly Uint8Array[];
}

/** A mailbox of a source. */
export interface NamedMailbox {
  readonly name: string;
  /** Index into the archive's sources. */
  readonly source: number;
  /** Tokens of the name. */
  readonly words: ReadonlySet<string>;
}

/** The mailboxes of messages. */
export interface Places {
  readonly named: ReadonlyMap<number, NamedMailbox>;
  /** The first mailbox of each message, by document number. */
  readonly mailboxes: Int32Array;
  /** Message and mailbox of every further place, in turn. */
  readonly further: Int32Array;
}

/** Where a message names a contact; `cc` is also Bcc. */
export type ContactRole = "from" | "to" | "cc";

/** What search reads. Implemented by the store; one object stands for one unchanging state of the archive. */
export interface SearchSource {
  readonly columns: DocumentColumns;
  /** Lowest document number; from there to the end of the columns every number is a message. */
  readonly firstDocument: number;
  /** Messages that can be found. */
  readonly documentCount: number;
  /** Average of their lengths as `averageLength` of weights.ts defines it; 0 when there are none. */
  readonly averageLength: number;
  /** Messages that are indexed and must not be found. */
  readonly dead: ReadonlySet<number>;
  /** Null when no message holds the term. */
  postings(term: string): TermPostings | null;
  /** The terms that begin with `prefix` and are in most messages, at most `limit`; ties in byte order. */
  termsWithPrefix(prefix: string, limit: number): readonly string[];
  /** Body of a message as it was indexed, in UTF-8; null when it is not there. */
  body(document: number): Uint8Array | null;
  /** Its subject; empty when it is not there. */
  subject(document: number): Uint8Array;
  /** Contact an address (in any spelling of case) belongs to, or null. */
  contactOf(address: string): number | null;
  /** Messages with a place in a mailbox that passes the test, each at least once. */
  placedIn(isWanted: (mailbox: NamedMailbox) => boolean): Iterable<number>;
  /** Messages that have a Message-ID, or a copy that has it: without angle brackets, as it was written. */
  withMessageId(id: string): Iterable<number>;
  /** Messages that name a contact as their author, in To, or in Cc or Bcc. */
  addressedTo(contact: number, role: ContactRole): Iterable<number>;
  inThread(thread: number): Iterable<number>;
  /** Read when they are first asked for. */
  facts(): MessageFacts;
  /**
   * For each message the first of those that repeat its text (`repeated-texts.ts`), 0 where it stands once; empty where
   * an earlier version indexed the archive.
   */
  repeats(): Uint32Array;
  /** Paths of the sources, in their order. */
  sourcePaths(): readonly string[];
  /** Where messages lie. */
  places(): Places;
  /** Numbers of all messages by the name or address of their sender. */
  bySender(): Iterable<number>;
  contactName(contact: number): string;
  topicName(topic: number): string;
  /** Topics whose name or keywords hold all the tokens. */
  topicsNamed(tokens: readonly string[]): readonly number[];
}
