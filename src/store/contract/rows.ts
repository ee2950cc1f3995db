import type { Instant } from "../../mail/dates/instant.ts";
import type { AddressEvidence, Contact } from "../../mail/records/contact.ts";
import type { MessageId } from "../../mail/records/ids.ts";
import type { Attachment, CopyDifferences, CopyField, KeptMessage, Occurrence } from "../../mail/records/message.ts";
import type { ContactOrdinal, MessageOrdinal, ThreadOrdinal, TopicOrdinal } from "../../mail/records/ordinal.ts";
import type { ExtractionOptions, PeopleRecord, RedactionCounts } from "../../mail/records/provenance.ts";
import type { SourceFormatName } from "../../mail/records/source-formats.ts";
import type { Thread } from "../../mail/records/thread.ts";
import type { Topic } from "../../mail/records/topic.ts";

/** Rows that the pipeline writes to the store. Ids are ordinals: 123 is `msg-000123`. */

export type RecipientKind = "to" | "cc" | "bcc";

export interface RecipientRow {
  readonly contact: ContactOrdinal;
  readonly kind: RecipientKind;
}

/** A message with all derived data. */
export interface MessageRow extends KeptMessage {
  readonly ordinal: MessageOrdinal;
  /** 16 bytes that distinguish messages with the same Message-ID by content; (messageId, contentKey) is unique. */
  readonly contentKey: Uint8Array;
  readonly thread: ThreadOrdinal;
  readonly topic: TopicOrdinal;
  /** Contact of the author; null without one. */
  readonly fromContact: ContactOrdinal | null;
  readonly recipients: readonly RecipientRow[];
  readonly source: number;
  readonly language: string | null;
  /** Messages of the archive that it quotes. */
  readonly quotes: readonly MessageId[];
  /** Equal for messages with the same text (`text-key.ts`); null if there is no text. */
  readonly textKey: number | null;
  /** Candidates for mentions in its text (`mentions/found-mention.ts`). */
  readonly mentions: readonly string[];
  /** UTF-8. It is copied during the call. */
  readonly body: Uint8Array;
  readonly bodyTokens: number;
  readonly attachments: readonly Attachment[];
  /** Text of each, "" if not read; empty if none was. */
  readonly fileTexts: readonly string[];
  /** Every location where it was found, with or without the message's own. */
  readonly occurrences: readonly Occurrence[];
}

/** Fields of a further occurrence; only differences from the message are stored. */
type FoundCopy = Pick<KeptMessage, CopyField>;

/** A further occurrence of a stored message. */
export interface CopyRow {
  readonly message: MessageOrdinal;
  readonly source: number;
  readonly mailbox: string;
  readonly location: string;
  readonly found: FoundCopy;
}

/** A location of a stored message, and the SHA-256 of its bytes there. */
export interface StoredLocation {
  readonly message: MessageOrdinal;
  readonly mailbox: string;
  readonly location: string;
  readonly sha256: string;
}

/** The differences of an occurrence from its message. */
export interface StoredCopy {
  readonly message: MessageOrdinal;
  readonly differs: CopyDifferences;
}

/** The new thread and topic of a stored message. */
export interface MessageThreadRow {
  readonly message: MessageOrdinal;
  readonly thread: ThreadOrdinal;
  readonly topic: TopicOrdinal;
}

/** New quotes of a stored message. */
export interface MessageQuotesRow {
  readonly message: MessageOrdinal;
  readonly quotes: readonly MessageId[];
}

/** The new contacts of a stored message. */
export interface MessageContactsRow {
  readonly message: MessageOrdinal;
  readonly fromContact: ContactOrdinal | null;
  readonly recipients: readonly RecipientRow[];
}

export interface ThreadRow extends Omit<Thread, "id" | "topicId"> {
  readonly ordinal: ThreadOrdinal;
  readonly topic: TopicOrdinal;
}

export interface ContactRow extends Omit<Contact, "id" | "communityId"> {
  readonly ordinal: ContactOrdinal;
  /** Community number: 1 is `community-01`. */
  readonly community: number;
  /** Why each address belongs to the contact. `email` and every alias find the contact whether listed here or not. */
  readonly evidence: readonly AddressEvidence[];
}

/** Data of a stored contact by which a later run finds its number. */
export const CONTACT_ADDRESS_FIELDS = [
  "ordinal",
  "name",
  "email",
  "aliases",
] as const satisfies readonly (keyof ContactRow)[];
export type ContactAddresses = Pick<ContactRow, (typeof CONTACT_ADDRESS_FIELDS)[number]>;

export interface EdgeRow {
  readonly from: ContactOrdinal;
  readonly to: ContactOrdinal;
  readonly count: number;
  readonly weight: number;
}

export interface TopicRow extends Omit<Topic, "id"> {
  readonly ordinal: TopicOrdinal;
}

/** Record of the archive for provenance.json; sources, runs and warnings have their own tables. */
export interface ArchiveRecord {
  readonly tool: string;
  readonly toolVersion: string;
  readonly extractedAt: Instant;
  readonly sourceHash: string;
  readonly sourceFormat: SourceFormatName | "mixed";
  readonly options: ExtractionOptions;
  /** Over all runs. */
  readonly redactions: RedactionCounts;
  /** Absent in archives of earlier versions and those imported from a document. */
  readonly people?: PeopleRecord;
}

/** Data of a stored message that a later run needs to thread it and resolve its contacts again. */
export const RESTORED_FIELDS = [
  ...([
    "ordinal",
    "messageId",
    "contentKey",
    "thread",
    "topic",
    "quotes",
    "source",
    "inReplyTo",
    "references",
    "conversationIndexRoot",
  ] as const),
  ...([
    "gmailThreadId",
    "subject",
    "isAutomatic",
    "from",
    "sender",
    "to",
    "cc",
    "bcc",
    "replyTo",
    "sentAt",
    "receivedAt",
  ] as const),
] as const satisfies readonly (keyof MessageRow)[];
export type RestoredMessage = Pick<MessageRow, (typeof RESTORED_FIELDS)[number]> & { readonly mailbox: string };

/** Data of a stored message that a later run needs in any case. */
export const PLACEMENT_FIELDS = [
  "ordinal",
  "thread",
  "topic",
  "quotes",
  "source",
  "subject",
] as const satisfies readonly (typeof RESTORED_FIELDS)[number][];
export type MessagePlacement = Pick<MessageRow, (typeof PLACEMENT_FIELDS)[number]>;

/** The first unused ordinal of each kind. */
export interface NextOrdinals {
  readonly message: number;
  readonly contact: ContactOrdinal;
  readonly thread: number;
  readonly topic: TopicOrdinal;
  readonly event: number;
  readonly item: number;
}
