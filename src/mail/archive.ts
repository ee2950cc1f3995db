import type { Instant } from "./dates/instant.ts";
import type { ExploreReader, RankedMatch, WordMatch } from "./exploration.ts";
import type { ItemRequest, RecordPage, RecordRequest } from "./located-records.ts";
import type { NotebookState } from "./notebook.ts";
import type { Address } from "./records/address.ts";
import type { CalendarEvent } from "./records/calendar-event.ts";
import type { Contact, ContactDetail } from "./records/contact.ts";
import type { ContactId, MessageId, ThreadId, TopicId } from "./records/ids.ts";
import type { ArchivedItem } from "./records/item.ts";
import type { Attachment, InternalField, KeptMessage, Occurrence } from "./records/message.ts";
import type { ArchiveStatistics, Provenance } from "./records/provenance.ts";
import type { Thread, ThreadDetail } from "./records/thread.ts";
import type { Topic, TopicDetail } from "./records/topic.ts";

/** A complete message of the archive. */
export interface ArchivedMessage extends Omit<KeptMessage, InternalField> {
  readonly id: MessageId;
  readonly threadId: ThreadId;
  readonly topicId: TopicId;
  readonly source: number;
  /**
   * The key shared by all duplicates (`content-key.ts`), 32 lower-case hex digits. Null if it must not be revealed
   * (redacted archives) or would differ (archives that keep duplicates).
   */
  readonly contentKey: string | null;
  /** ISO 639-1; null if the text is too short. */
  readonly language: string | null;
  /**
   * If the text is too short: the language of most other messages of its author, else of its mailbox
   * (`inferred-language.ts`).
   */
  readonly inferredLanguage: string | null;
  readonly body: string;
  readonly bodyTokens: number;
  /**
   * Messages of the archive that it quotes, identified by the headers in its text; the nearest to its own text first.
   */
  readonly quotes: readonly MessageId[];
  readonly attachments: readonly Attachment[];
  /** All locations, the first one included; one element if it is unique. */
  readonly occurrences: readonly Occurrence[];
}

/** A message with its text as valid UTF-8, which file writers copy without decoding. */
export interface EncodedMessage extends Omit<ArchivedMessage, "body"> {
  readonly body: Uint8Array;
  /** Sorting date (`sortingDate`): sentAt, or receivedAt if that is missing or implausible; null if both are. */
  readonly sortedAt: Instant | null;
}

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

export interface Listed<T> {
  readonly items: readonly T[];
  /** Total number of matches, not only of this page. */
  readonly total: number;
}

export const CONTACT_SORTS = ["frequency", "name", "last_seen"] as const;
export const MESSAGE_SORTS = ["sent_at", "subject", "from"] as const;
export const TOPIC_SORTS = ["frequency", "name", "coherence"] as const;
export type ContactSort = (typeof CONTACT_SORTS)[number];
export type MessageSort = (typeof MESSAGE_SORTS)[number];
export type TopicSort = (typeof TOPIC_SORTS)[number];

export interface MessageFilter {
  /** An address; every alias of the same contact matches. */
  readonly from?: string;
  readonly threadId?: string;
  readonly topicId?: string;
}

/** An edge of the contact graph: messages from one contact to another. */
export interface ContactEdge {
  readonly from: ContactId;
  readonly to: ContactId;
  readonly count: number;
  /**
   * Strength of the tie: log2(1 + w). A message adds 1 to w if the recipient is in To, 0.5 in Cc or Bcc, less for mass
   * mail.
   */
  readonly weight: number;
}

/** Fields of a message that lists in other outputs show, without its text. */
export type MessageHeading = Pick<
  EncodedMessage,
  | ("id" | "threadId" | "topicId" | "subject" | "from" | "sender" | "to" | "cc" | "bcc")
  | ("sentAt" | "sortedAt" | "source" | "mailbox" | "occurrences")
>;

export interface MailboxTotal {
  readonly source: number;
  readonly mailbox: string;
  readonly messages: number;
}

export interface ContactReader {
  list(sort: ContactSort, page: Page, search?: string): Promise<Listed<Contact>>;
  get(id: string): Promise<ContactDetail | null>;
  /** The owner of each address (ignoring case), in argument order; null if there is none. */
  ofAddresses(addresses: readonly string[]): Promise<readonly (Pick<Contact, "id" | "name"> | null)[]>;
  /** Contacts in id order, in batches. */
  scan(): AsyncIterable<readonly Contact[]>;
  /** Edges in (from, to) order. */
  edges(): AsyncIterable<readonly ContactEdge[]>;
}

/** Fields of a message in lists: a page of a thousand reads only these. */
export type ListedMessage = Pick<
  EncodedMessage,
  "id" | "threadId" | "topicId" | "from" | "to" | "subject" | "body" | "bodyTokens" | "sentAt" | "receivedAt"
>;

/** Ordinals from the first to the last, both inclusive. */
export interface OrdinalRange {
  readonly first: number;
  readonly last: number;
}

export interface MessageReader {
  list(sort: MessageSort, page: Page, filter?: MessageFilter): Promise<Listed<ListedMessage>>;
  get(id: string): Promise<ArchivedMessage | null>;
  /** Text of each attachment, "" if not read; empty if there are none or the id is unknown. */
  fileTexts(id: string): Promise<readonly string[]>;
  /** Several messages in argument order; unknown ids are omitted. */
  getMany(ids: readonly string[]): Promise<readonly ArchivedMessage[]>;
  /** The first message with each Message-ID, including duplicates, in argument order; or null. */
  ofMessageIds(messageIds: readonly string[]): Promise<readonly (MessageId | null)[]>;
  /** Every message in id order, in batches. @param range only messages whose ordinals are in it */
  scan(range?: OrdinalRange): AsyncIterable<readonly EncodedMessage[]>;
  /** The headings of all messages in id order, in batches; in SQLite, texts are not read. */
  headings(): AsyncIterable<readonly MessageHeading[]>;
  /** Messages in each folder, counted at each of their locations, in order of first appearance. */
  mailboxes(): Promise<readonly MailboxTotal[]>;
  /** Messages per month `YYYY-MM`, ascending, without undated ones. */
  timeline(): Promise<readonly { readonly month: string; readonly messages: number }[]>;
}

export interface ThreadReader {
  /** By last message, newest first; undated last. */
  list(page: Page): Promise<Listed<Thread>>;
  get(id: string): Promise<ThreadDetail | null>;
  /** Messages of the thread, oldest first, undated last. */
  messages(id: string): Promise<readonly ArchivedMessage[]>;
  /** Threads in id order, with their message ids. */
  scan(): AsyncIterable<readonly ThreadDetail[]>;
  /** Threads in id order. */
  summaries(): AsyncIterable<readonly Thread[]>;
}

export interface TopicReader {
  list(sort: TopicSort, limit: number): Promise<Listed<Topic>>;
  get(id: string): Promise<TopicDetail | null>;
}

export interface EventReader {
  get(id: string): Promise<CalendarEvent | null>;
  /** In id order. */
  scan(): AsyncIterable<readonly CalendarEvent[]>;
  /** A page of search results. */
  page(request: RecordRequest): Promise<RecordPage<CalendarEvent>>;
}

export interface ItemReader {
  get(id: string): Promise<ArchivedItem | null>;
  /** In id order. */
  scan(): AsyncIterable<readonly ArchivedItem[]>;
  /** A page of search results. */
  page(request: ItemRequest): Promise<RecordPage<ArchivedItem>>;
}

export interface SearchFilter {
  readonly from?: string;
  readonly topicId?: string;
  /** Inclusive. */
  readonly after?: Instant;
  /** Inclusive. */
  readonly before?: Instant;
}

export interface SearchHit {
  readonly messageId: MessageId;
  readonly rank: number;
  readonly score: number;
  /** About 180 characters, matches marked with `**`, no line breaks. */
  readonly snippet: string;
  readonly from: Address | null;
  readonly subject: string;
  readonly sentAt: Instant | null;
  /** Number of further mailboxes that contain it. */
  readonly otherMailboxes: number;
  /** Other messages with the same text that match the query's conditions. They are not separate results. */
  readonly sameText: readonly MessageId[];
}

/** The best messages for a query. */
export interface RankedHits {
  readonly hits: readonly SearchHit[];
  /** `any` if not all words were required: no message has all of them, or the caller chose any. */
  readonly matched: WordMatch;
  /** One sentence per part of the query that could not be interpreted. */
  readonly problems: readonly string[];
}

export interface SearchReader {
  /** @param match `auto` unless given */
  search(query: string, limit: number, filter?: SearchFilter, match?: RankedMatch): Promise<RankedHits>;
  /** Every message that matches, in id order. @param match `all` unless given */
  matching(query: string, filter?: SearchFilter, match?: WordMatch): Promise<readonly MessageId[]>;
}

/**
 * The interface that all higher floors read. Methods are asynchronous, so that stores in threads and servers can
 * implement it.
 */
export interface Archive {
  readonly contacts: ContactReader;
  readonly messages: MessageReader;
  readonly threads: ThreadReader;
  readonly topics: TopicReader;
  readonly events: EventReader;
  readonly items: ItemReader;
  readonly search: SearchReader;
  readonly explore: ExploreReader;
  stats(): Promise<ArchiveStatistics>;
  provenance(): Promise<Provenance>;
  /** The current state of the notebook. */
  notebook(): Promise<NotebookState>;
  close(): Promise<void>;
}
