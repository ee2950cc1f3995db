import type { Instant } from "../dates/instant.ts";
import type { Address } from "./address.ts";
import type { MessageKind } from "./message-kind.ts";
import type { WarningCode } from "./warning-codes.ts";

/**
 * The parsed header of a message (the envelope of JMAP and IMAP). Each field is archived by its row of
 * `store/tables/message-tables.ts`.
 */
export interface MessageEnvelope {
  /** Message-ID without angle brackets; null when the header is missing or empty. */
  readonly messageId: string | null;
  /** msg-ids without angle brackets, in the order of the header. */
  readonly inReplyTo: readonly string[];
  readonly references: readonly string[];
  /** First 22 bytes of Thread-Index / PidTagConversationIndex as 44 lower-case hex digits ([MS-OXOMSG] 2.2.1.3). */
  readonly conversationIndexRoot: string | null;
  /** Decoded and unfolded; "" when missing. */
  readonly subject: string;
  readonly from: Address | null;
  /** Sender on behalf of `from`; null if there is no other. */
  readonly sender: Address | null;
  readonly replyTo: readonly Address[];
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
  /** Date field. */
  readonly sentAt: Instant | null;
  /** Last Received hop, or delivery time. */
  readonly receivedAt: Instant | null;
  /** X-GM-THRID as written: thread evidence beyond the three signals of the specification. */
  readonly gmailThreadId: string | null;
  /** True when a robot sent it: Auto-Submitted other than `no`, Precedence bulk/list/junk, or a List-Id. */
  readonly isAutomatic: boolean;
  /** Null for a message read before kinds were recorded. */
  readonly messageKind: MessageKind | null;
}

/** Who sent a message on behalf of its author; null if the author sent it. */
export function otherSender({ from, sender }: Pick<MessageEnvelope, "from" | "sender">): Address | null {
  if (sender === null || sender.email === "") return null;
  return from !== null && from.email.toLowerCase() === sender.email.toLowerCase() ? null : sender;
}

/** An oddity of one message that did not stop it from being read, or the cause of a loss. */
export interface Finding {
  readonly code: WarningCode;
  readonly message: string;
}

export type Disposition = "attachment" | "inline";

/** A leaf body part that is not the text of the message. Bytes are decoded on access, and not cached. */
export interface AttachmentPart {
  /** Decoded; not yet sanitised; "" when the part has no name. */
  readonly filename: string;
  /** Lower case `type/subtype`. */
  readonly mediaType: string;
  readonly disposition: Disposition;
  readonly contentId: string | null;
  /** Target of a link, as written: an address or a path. Null for a file. */
  readonly linkTarget: string | null;
  bytes(): Uint8Array;
}

export interface CalendarPart {
  /** iCalendar text (RFC 5545). */
  readonly text: string;
  /** `method` parameter of the Content-Type, upper case. */
  readonly method: string | null;
}

/** A message of any format: result of the MIME parser and the MAPI reader. */
export interface Message {
  readonly envelope: MessageEnvelope;
  /** The selected plain-text body (RFC 8621 section 4.1.4), decoded, with LF line breaks; null if there is none. */
  readonly textBody: string | null;
  /** The selected HTML body, decoded; null if there is none. */
  readonly htmlBody: string | null;
  readonly attachments: readonly AttachmentPart[];
  readonly calendarParts: readonly CalendarPart[];
  /** Mailbox labels the message itself carries (X-Gmail-Labels), decoded. */
  readonly labels: readonly string[];
  /** Flags in the header: keywords as `label:<name>`, importance and sensitivity. */
  readonly marks: readonly string[];
  /**
   * Names that an export wrote to its own fields (X-From, X-To, X-cc, X-bcc) for addresses without display names: one
   * text each for From, To, Cc and Bcc, in this order, "" for an absent field. Null if the message has none of them.
   */
  readonly exportedNames: readonly string[] | null;
  /** Post address of the mailing list that forwarded the message, lower case; or null. */
  readonly listAddress: string | null;
  readonly findings: readonly Finding[];
}

/** An attachment as published in extraction.json, in the store and in the query API. */
export interface Attachment {
  readonly id: string;
  /** Decoded and sanitised: no path, no control or reserved character, never empty. */
  readonly filename: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** SHA-256 of the decoded bytes, lower-case hex. */
  readonly sha256: string;
  readonly disposition: Disposition;
  readonly contentId: string | null;
  /** Target of a link, as written: an address or a path. Null for a file. */
  readonly linkTarget: string | null;
  /** Where its bytes were saved, relative to the output directory; null when they were not. */
  readonly path: string | null;
  /**
   * Names of the attached messages that contain it, outermost first, separated by `/`, which no name contains. Null for
   * a file of the message itself.
   */
  readonly attachedMessage: string | null;
}

/** Immutable facts about a message after reading: its header, location and counts. */
export interface KeptMessage extends Omit<MessageEnvelope, "messageId"> {
  /** Message-ID header, or `sha256:<hex of the raw message>@archivetool`. */
  readonly messageId: string;
  /**
   * The words of the subject that threads are joined by (base-subject.ts), after redaction. For later runs; may be a
   * hash, so that nothing leaks.
   */
  readonly baseSubjectKey: string;
  readonly mailbox: string;
  /** Where in the source: a relative path, `offset:<bytes>` in an mbox, `nid:<hex>` in a PST. */
  readonly location: string;
  /**
   * Maildir, mbox Status and MAPI flags as words: `seen`, `replied`, `flagged`, `draft`, `deleted`, `forwarded`, and
   * Gmail labels as `label:<name>`.
   */
  readonly flags: readonly string[];
  /** SHA-256 of the raw bytes, lower-case hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly findings: readonly Finding[];
}

/**
 * Unpublished fields that threads and contacts are derived from, with the value each has in a message read from
 * published data.
 */
export const INTERNAL_DEFAULTS = {
  gmailThreadId: null,
  isAutomatic: false,
  baseSubjectKey: "",
} as const satisfies Partial<KeptMessage>;
export type InternalField = keyof typeof INTERNAL_DEFAULTS;

export function isInternalField(field: keyof KeptMessage): field is InternalField {
  return Object.hasOwn(INTERNAL_DEFAULTS, field);
}

/** Fields that can differ in a duplicate. */
export const COPY_FIELDS = [
  ...(["messageId", "sha256", "sentAt", "receivedAt", "flags", "from", "sender", "to", "cc", "bcc"] as const),
  ...(["replyTo", "inReplyTo", "references", "conversationIndexRoot", "gmailThreadId"] as const),
] as const satisfies readonly (keyof KeptMessage)[];
export type CopyField = (typeof COPY_FIELDS)[number];

/** Differences of a duplicate from the kept message. Equal fields are absent; dates differ only in seconds. */
export type CopyDifferences = Partial<Pick<KeptMessage, CopyField>>;

/** Distinct flags of a message and all its duplicates. */
export function flagsOfAll(
  { flags }: Pick<KeptMessage, "flags">,
  copies: readonly CopyDifferences[],
): readonly string[] {
  const further = copies.filter((copy) => copy.flags !== undefined);
  return further.length === 0 ? flags : [...new Set([...flags, ...further.flatMap((copy) => copy.flags ?? [])])];
}

/** An occurrence of a message. */
export interface Occurrence extends CopyDifferences {
  /** Index into the archive's sources. */
  readonly source: number;
  readonly mailbox: string;
  /** See `KeptMessage.location`. */
  readonly location: string;
}
