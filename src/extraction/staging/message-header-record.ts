import type { KeptMessage, Message, MessageEnvelope } from "../../mail/records/message.ts";
import type { Remark } from "../../sources/reading/source.ts";
import type { DuplicateKey } from "./duplicate-key.ts";
import type { ItemSkeleton } from "./item-skeleton.ts";

/**
 * SHA-256 (hex) of each file of a unit, in order; null for other files than messages. Empty for units of a source
 * with a single file.
 */
export type FileHashes = readonly (string | null)[];

/**
 * People, dates and thread evidence of a message header. Fields are listed, so that new ones are not sent to the main
 * thread.
 */
type EnvelopeSkeleton = Pick<
  MessageEnvelope,
  | "messageId"
  | "references"
  | "conversationIndexRoot"
  | "gmailThreadId"
  | "isAutomatic"
  | "sentAt"
  | "receivedAt"
  | "from"
  | "sender"
  | "replyTo"
  | "to"
  | "cc"
  | "bcc"
>;

/**
 * Data of a message for the main thread: people, dates and thread, never text. The list, the exported names and
 * the author's other addresses are evidence for contacts and are not stored with the message.
 */
export interface MessageHeaderRecord
  extends EnvelopeSkeleton,
    Pick<Message, "listAddress" | "exportedNames">,
    Pick<KeptMessage, "mailbox"> {
  readonly kind: "message";
  readonly key: DuplicateKey;
  readonly subjectKey: string;
  readonly isReply: boolean;
  /** Addresses that the author gives as their own (`ownAddressesIn`). */
  readonly ownAddresses: readonly string[];
}

/** Whether a record is an item of the source, or part of the one before it. */
interface Counted {
  readonly isPart: boolean;
}

export type ParsedRecord =
  | MessageHeaderRecord
  | ({ readonly kind: "appointment"; readonly mailbox: string } & Counted)
  | (ItemSkeleton & Counted)
  | Remark;

export interface ParsedUnit {
  /** In the order of the source; records that carry text are staged in the same order. */
  readonly records: readonly ParsedRecord[];
  readonly fileHashes: FileHashes;
  /** Bytes of its messages. */
  readonly bytes: number;
}
