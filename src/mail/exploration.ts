import type { Instant } from "./dates/instant.ts";
import type { Address } from "./records/address.ts";
import type { AttachmentType } from "./records/attachment-types.ts";
import type { ContactId, MessageId, ThreadId, TopicId } from "./records/ids.ts";
import { byMentionKind, MENTION_KINDS, type MentionKind } from "./records/mention.ts";

/** Maximum number of ids in one request, so that they fit in a URL; a query can select more. */
export const MAX_NAMED_IDS = 1000;

/** How the plain words of a query combine: all are required, or any is sufficient. */
export const WORD_MATCHES = ["all", "any"] as const;
export type WordMatch = (typeof WORD_MATCHES)[number];

/** How the words of a ranked search combine: `auto` requires all, or any if no message has all. */
export const RANKED_MATCHES = ["auto", ...WORD_MATCHES] as const;
export type RankedMatch = (typeof RANKED_MATCHES)[number];

/** Query of an exploration. */
export interface ExploredQuery {
  readonly query: string;
  readonly match: WordMatch;
}

export const EXPLORED_SORTS = ["relevance", "newest", "oldest", "sender", "size"] as const;
export type ExploredSort = (typeof EXPLORED_SORTS)[number];

/** How messages with a repeated text are listed: grouped under the first, or separately. */
export const REPEAT_MODES = ["folded", "listed"] as const;
export type RepeatMode = (typeof REPEAT_MODES)[number];

export interface PageRequest extends ExploredQuery {
  readonly repeats: RepeatMode;
  readonly sort: ExploredSort;
  readonly offset: number;
  readonly limit: number;
}

/** Interpretation of a clause of a query. */
export interface UnderstoodClause {
  /** Position in the query: offsets, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** `words`, `phrase`, `prefix`, `date`, `group`, or the name of an operator. */
  readonly kind: string;
  readonly isExcluded: boolean;
  /** True for a part that looks like an operator but is not one: it is searched as words. */
  readonly isNoOperator: boolean;
  /** Messages that match this clause alone; for a negated one, those it excludes. */
  readonly count: number;
  /** Words of the archive that its stems match, in order; none for an excluded clause. */
  readonly forms: readonly string[];
}

/** A part of a snippet, and whether it is a match. */
export type SnippetPiece = readonly [text: string, isMatch: boolean];

export interface LinkedAddress extends Address {
  readonly contactId: ContactId | null;
}

/** Fields of a message in results. */
export interface ExploredMessage {
  readonly id: MessageId;
  /** Message-ID, or a name derived from the bytes if there is none; the same in every extraction. */
  readonly messageId: string;
  readonly threadId: ThreadId;
  /** Number of messages of the thread, and of those that match the query. */
  readonly threadMessages: number;
  readonly threadHits: number;
  readonly from: LinkedAddress | null;
  /** The first recipients; `recipientCount` is their total. */
  readonly to: readonly LinkedAddress[];
  readonly recipientCount: number;
  readonly subject: string;
  readonly snippet: readonly SnippetPiece[];
  readonly sentAt: Instant | null;
  /** Number of the source with its mailbox. */
  readonly source: number;
  readonly mailbox: string;
  readonly attachmentCount: number;
  readonly attachments: readonly string[];
  readonly topicId: TopicId;
  readonly labels: readonly string[];
  readonly sizeBytes: number;
  /** Number of locations, its own included. */
  readonly places: number;
  /** Other results with the same text, by any author; empty if each is listed. */
  readonly sameText: readonly MessageId[];
  /** Tags of the message or its conversation. */
  readonly tags: readonly string[];
}

export interface ExploredPage {
  readonly total: number;
  /** Rows of all pages: fewer than messages where repeated texts are folded. */
  readonly rows: number;
  /** Threads with a message among them. */
  readonly conversations: number;
  readonly understood: readonly UnderstoodClause[];
  /** One sentence per part that could not be interpreted. */
  readonly problems: readonly string[];
  readonly messages: readonly ExploredMessage[];
}

export const FACETS = [
  "from",
  "to",
  "recipient",
  "domain",
  "year",
  "topic",
  "lang",
  "mailbox",
  "type",
  "label",
  "source",
  "tag",
  ...MENTION_KINDS,
] as const;
export type FacetName = (typeof FACETS)[number];

/**
 * Clause kinds that select values of a facet. The facet is counted without these clauses, so that it shows the
 * alternatives; choosing a value replaces them.
 */
export const FACET_CLAUSES: Readonly<Record<FacetName, readonly string[]>> = {
  from: ["from"],
  to: ["to"],
  recipient: ["to", "cc"],
  domain: ["domain"],
  year: ["date", "undated"],
  topic: ["topic"],
  lang: ["lang"],
  mailbox: ["mailbox", "place"],
  type: ["type"],
  label: ["label"],
  tag: ["tag"],
  source: ["source"],
  ...byMentionKind((kind) => [kind]),
};

export interface FacetRequest extends ExploredQuery {
  readonly of: readonly FacetName[];
  /** Maximum values per facet. */
  readonly limit: number;
  /** Part of value labels, ignoring case and accents, searched in all values. */
  readonly search?: string;
}

export interface FacetValue {
  /** The clause that, added to the rest of the query, finds exactly these messages. */
  readonly clause: string;
  readonly label: string;
  readonly count: number;
}

/** Values of a facet in the results, counted without the clauses of this facet. */
export interface Facet {
  readonly of: FacetName;
  /** Number of counted messages. */
  readonly total: number;
  /** True if a message can have several values. */
  readonly isMultiple: boolean;
  readonly values: readonly FacetValue[];
  /** Sum of the unlisted values. */
  readonly other: number;
  /** Messages without any value. */
  readonly none: number;
}

export const TIMELINE_UNITS = ["year", "month", "day"] as const;
export type TimelineUnit = (typeof TIMELINE_UNITS)[number];

export interface TimelineRequest extends ExploredQuery {
  readonly by: TimelineUnit | "auto";
  /** The facet whose most frequent values are counted in every bin. */
  readonly stack?: FacetName;
}

/** A value of a facet over time. */
export interface TimelineStack extends FacetValue {
  /** By bin, in order; `count` is the total, including outliers and undated messages. */
  readonly counts: readonly number[];
}

/** Messages before or after the main time span of the archive. */
export interface OutlierDates {
  readonly side: "before" | "after";
  /** The first or last year of the main time span. */
  readonly year: number;
  /** The clause that, added to the rest of the query, finds exactly these messages. */
  readonly clause: string;
  readonly count: number;
}

export interface Timeline {
  readonly by: TimelineUnit;
  readonly total: number;
  /** The earliest and the latest instant in a bin; null if the bin is empty. */
  readonly first: Instant | null;
  readonly last: Instant | null;
  /** Every span from the first to the last, empty ones included: `2001`, `2001-05` or `2001-05-14`. */
  readonly bins: readonly { readonly span: string; readonly count: number }[];
  /** Most frequent first; empty without a facet. */
  readonly stacks: readonly TimelineStack[];
  /** Messages before and after the main time span of the archive. */
  readonly stray: number;
  /** Outliers before and after the range; empty if there are none. */
  readonly strays: readonly OutlierDates[];
  readonly undated: number;
}

/** Counts for a query. */
export interface QueryHits {
  /** One sentence per part that could not be interpreted. */
  readonly problems: readonly string[];
  readonly messages: number;
  readonly conversations: number;
  /** Earliest and latest date; null if no message is dated. */
  readonly first: Instant | null;
  readonly last: Instant | null;
}

export const CONVERSATION_SORTS = ["newest", "oldest", "largest", "relevance"] as const;
export type ConversationSort = (typeof CONVERSATION_SORTS)[number];

export interface ConversationRequest extends ExploredQuery {
  readonly sort: ConversationSort;
  readonly offset: number;
  readonly limit: number;
}

/** A thread with messages that match a query. */
interface FoundConversation {
  readonly threadId: ThreadId;
  /** Matching messages of the thread; the dates are theirs. */
  readonly hits: number;
  readonly first: Instant | null;
  readonly last: Instant | null;
}

export interface ConversationPage {
  readonly total: number;
  readonly conversations: readonly FoundConversation[];
}

export const FILE_SORTS = ["frequency", "name", "size", "newest"] as const;
export type FileSort = (typeof FILE_SORTS)[number];

export interface FileRequest extends ExploredQuery {
  /** Part of a file name, any case and accents; "" for all. */
  readonly search: string;
  readonly type: AttachmentType | null;
  readonly sort: FileSort;
  readonly offset: number;
  readonly limit: number;
}

/** A file that messages have as attachment: equal bytes are one. */
export interface ExploredFile {
  readonly sha256: string;
  /** Name in the first message. */
  readonly filename: string;
  /** Number of different names. */
  readonly nameCount: number;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly messages: number;
  /** The first message with it, and its position there, from 1. */
  readonly messageId: MessageId;
  readonly number: number;
}

export interface FilePage {
  readonly total: number;
  readonly attachments: number;
  /** Total of distinct files. */
  readonly sizeBytes: number;
  /** Distinct files by type, for all types. */
  readonly types: readonly { readonly type: AttachmentType; readonly count: number }[];
  readonly files: readonly ExploredFile[];
}

/** A value mentioned in texts, and its messages in order. */
export interface MentionedMessages {
  readonly value: string;
  /** Finds the messages; empty if the query language cannot name the value. */
  readonly query: string;
  readonly messageIds: readonly MessageId[];
}

/** Explores the messages of an archive. */
export interface ExploreReader {
  page(request: PageRequest): Promise<ExploredPage>;
  facets(request: FacetRequest): Promise<readonly Facet[]>;
  timeline(request: TimelineRequest): Promise<Timeline>;
  /** Figures of several queries, in their order. Throws no results of others out of memory. */
  hits(queries: readonly ExploredQuery[]): Promise<readonly QueryHits[]>;
  /** Attachments of messages by ordinal; a missing message has none. */
  attachmentCounts(): Promise<Uint32Array>;
  /** All values of a kind, the most frequent first; none in an archive that was extracted without mentions. */
  mentions(kind: MentionKind): Promise<readonly MentionedMessages[]>;
  conversations(request: ConversationRequest): Promise<ConversationPage>;
  /** The attachments of messages that match a query. */
  files(request: FileRequest): Promise<FilePage>;
}
