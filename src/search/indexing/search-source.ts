import type { MentionedValue, MentionKind } from "../../mail/records/mention.ts";
import type { MarkedMessages } from "./marked-messages.ts";
import type { MessageFacts } from "./message-facts.ts";
import type { ValueField } from "./search-field.ts";

/** Per-message values for ranking and filters, by document number. Unused numbers have length 0. */
export interface DocumentColumns {
  /** Tokens of the body plus twice those of the subject. */
  readonly lengths: Uint32Array;
  /** Contact of the author, or -1. */
  readonly authors: Int32Array;
  /** Instant of the Date field, -Infinity when undated. */
  readonly sentAt: Float64Array;
  readonly topics: Int32Array;
}

/** Archive-wide facts for a range, which numbers its own messages from 1. */
interface RangeOfArchive {
  /** Offset from the number of a message in the range to its number in the archive. */
  readonly base: number;
  /** Lowest document number of the archive. */
  readonly firstDocument: number;
  /** Highest document number plus one. */
  readonly end: number;
  /** Messages excluded from results. */
  readonly dead: ReadonlySet<number>;
  /** Like `repeats`, for any message of the archive. */
  textOf(document: number): Promise<number>;
  /** Frequencies of terms in the range, without postings. */
  frequencies(asked: FrequencyRequest): Promise<RangeFrequencies>;
}

/** Terms and patterns whose frequencies are requested. */
export interface FrequencyRequest {
  readonly terms: readonly string[];
  readonly patterns: readonly string[];
}

/**
 * Messages of a range that contain each term, and for each pattern, its matching terms with their messages, in any
 * order.
 */
export interface RangeFrequencies {
  readonly terms: readonly number[];
  readonly patterns: readonly (readonly (readonly [term: string, messages: number])[])[];
}

/** Postings of one term: a list for each stored segment, in ascending order of documents. */
export interface TermPostings {
  readonly documentFrequency: number;
  readonly lists: readonly Uint8Array[];
}

/** Postings of one of the terms of a pattern. */
export interface PatternPostings extends TermPostings {
  readonly term: string;
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
  /** Pairs of message and mailbox, one per further occurrence. */
  readonly further: Int32Array;
}

/** Lists of numbers: those of message n are in `values` from `starts[n]` to `starts[n + 1]`. */
export interface NumberLists {
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
}

/** Mentions of a kind by message: indexes into its values; the first value is empty. */
export interface MentionLists extends NumberLists {
  readonly names: readonly MentionedValue[];
}

/** Role of a contact in a message; `cc` includes Bcc. */
export type ContactRole = "from" | "to" | "cc";

/** Recipients in To, or also in Cc and Bcc. */
export type Recipients = "to" | "all";

/** A contact by number, or the owner of an address (ignoring case). */
export interface Addressee {
  readonly contact: number | string;
  readonly role: ContactRole;
}

/** All lookups of a query before ranking. */
export interface Lookups {
  readonly terms: readonly string[];
  /** Terms with wildcards (term-pattern.ts). */
  readonly patterns: readonly string[];
  readonly addresses: readonly string[];
  readonly addressees: readonly Addressee[];
  readonly threads: readonly number[];
  /** Without angle brackets, as written. */
  readonly messageIds: readonly string[];
  /** SHA-256 of attachments, lower-case hex. */
  readonly files: readonly string[];
  /** Words that the name or keywords of a topic must contain. */
  readonly topics: readonly (readonly string[])[];
}

export const NO_LOOKUPS: Lookups = {
  terms: [],
  patterns: [],
  addresses: [],
  addressees: [],
  threads: [],
  messageIds: [],
  files: [],
  topics: [],
};

/** The requested data from a source. Only read what was requested: a remote store has not fetched anything else. */
export interface LookedUp {
  /** Returns null if no message contains the term. */
  postings(term: string): TermPostings | null;
  /** The terms of a pattern that are in most messages, at most MAX_PATTERN_TERMS; ties in byte order. */
  withPattern(pattern: string): Promise<readonly PatternPostings[]>;
  /** Contact that owns an address, or null. */
  contactOf(address: string): number | null;
  addressedTo(addressee: Addressee): Iterable<number>;
  inThread(thread: number): Iterable<number>;
  /** Messages with a Message-ID, including that of a duplicate. */
  withMessageId(id: string): Iterable<number>;
  /** Messages that a file is attached to. */
  withFile(sha256: string): Iterable<number>;
  topicsNamed(tokens: readonly string[]): readonly number[];
}

/** Indexed text of a message in UTF-8, possibly read lazily. */
export interface IndexedText {
  /** Returns null if there is none. */
  body(): Uint8Array | null;
  /** Parts of the body that no phrase crosses. */
  passages(): readonly Uint8Array[];
  /** Empty if there is none. */
  subject(): Uint8Array;
  /** Attachments with text. */
  files(): readonly IndexedFile[];
}

export interface IndexedFile {
  readonly name: string;
  readonly text: string;
}

/** Parts of texts besides the body that a caller reads: a remote store fetches no others. */
export interface TextParts {
  isSubjectRead(document: number): boolean;
  areFilesRead(document: number): boolean;
}

export const SUBJECTS_ALONE: TextParts = { isSubjectRead: () => true, areFilesRead: () => false };
export const FILES_ALONE: TextParts = { isSubjectRead: () => false, areFilesRead: () => true };

/** Maximum texts requested at a time. */
export const TEXTS_AT_ONCE = 450;

/**
 * Data for a search. Implemented by the store; one object is one immutable state of the archive. A query requests all
 * its terms at once, then the texts of its matches, so that a remote store needs few round trips. Per-message columns
 * are read once, on first use.
 */
export interface SearchSource {
  /** False if the documents are events or items, which are not identified by message ids. */
  readonly holdsMessages: boolean;
  readonly columns: DocumentColumns;
  /** Lowest document number; every number from it to the end of the columns is a message. */
  readonly firstDocument: number;
  /** The archive of a shard; absent if the source is the whole archive. */
  readonly archive?: RangeOfArchive;
  /** Number of messages of the archive that can be found. */
  readonly documentCount: number;
  /** Average of their lengths as defined by `averageLength` in weights.ts; 0 if there are none. */
  readonly averageLength: number;
  /** Indexed messages that are excluded from results. */
  readonly dead: ReadonlySet<number>;
  lookUp(asked: Lookups): Promise<LookedUp>;
  /**
   * Texts of at most TEXTS_AT_ONCE messages, in order. If they are too large, only the first ones are returned, at
   * least one.
   */
  texts(documents: ArrayLike<number>, parts: TextParts): Promise<readonly IndexedText[]>;
  /** The values of a field of at most TEXTS_AT_ONCE messages, in order, including those of duplicates. */
  values(documents: ArrayLike<number>, field: ValueField): Promise<readonly (readonly string[])[]>;
  facts(): Promise<MessageFacts>;
  /**
   * For each message the number of the first message with the same text (`repeated-texts.ts`); 0 if the text is unique;
   * empty if an earlier version indexed the archive.
   */
  repeats(): Promise<Uint32Array>;
  /** Locations of messages. */
  places(): Promise<Places>;
  /** The recipients of every message, as contacts. */
  recipients(of: Recipients): Promise<NumberLists>;
  /** Mentions in texts; empty in an archive extracted without `--mentions`. */
  mentions(kind: MentionKind): Promise<MentionLists>;
  /** Current marks in the notebook. */
  marked(): Promise<MarkedMessages>;
  /** Paths of the sources, in their order. */
  sourcePaths(): Promise<readonly string[]>;
  /** Numbers of all messages of the archive by the name or address of their sender. */
  bySender(): Promise<Iterable<number>>;
  /** Names in the order of the numbers; "" if there is none. */
  contactNames(contacts: readonly number[]): Promise<readonly string[]>;
  topicNames(topics: readonly number[]): Promise<readonly string[]>;
}
