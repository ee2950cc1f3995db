import type { Address } from "../../mail/address.ts";
import type { Instant } from "../../mail/instant.ts";
import type { ItemPlace } from "../../sources/source.ts";
import type { DuplicateKey } from "./duplicate-key.ts";
import type { ItemSkeleton } from "./item-skeleton.ts";

/**
 * SHA-256 (hex) of each file of a unit, in order; null for one that is no message. Empty for units of a source that is
 * one file.
 */
export type FileHashes = readonly (string | null)[];

/** What the main thread learns of a message: who, when and which thread; never its text. */
export interface MessageSkeleton {
  readonly kind: "message";
  readonly key: DuplicateKey;
  readonly messageId: string | null;
  readonly references: readonly string[];
  readonly conversationIndexRoot: string | null;
  readonly gmailThreadId: string | null;
  readonly subjectKey: string;
  readonly isReply: boolean;
  readonly isAutomatic: boolean;
  /** As in `Message`. */
  readonly listAddress: string | null;
  readonly sentAt: Instant | null;
  readonly receivedAt: Instant | null;
  readonly mailbox: string;
  readonly from: Address | null;
  readonly sender: Address | null;
  readonly replyTo: readonly Address[];
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
  /** As in `Message`: evidence of whose the addresses are, never stored with the message. */
  readonly exportedNames: readonly string[] | null;
}

/** Whether a record is an item of the source, or part of the one before it. */
interface Counted {
  readonly isPart: boolean;
}

export type ParsedRecord =
  | MessageSkeleton
  | ({ readonly kind: "appointment"; readonly mailbox: string } & Counted)
  | (ItemSkeleton & Counted)
  | ({
      readonly kind: "skipped" | "damaged";
      readonly code: string;
      readonly message: string;
      readonly sha256: string | null;
    } & ItemPlace)
  | ({
      readonly kind: "note";
      readonly code: string;
      readonly message: string;
      readonly sha256: string | null;
    } & ItemPlace);

export interface ParsedUnit {
  /** In the order of the source; records that carry text are staged in the same order. */
  readonly records: readonly ParsedRecord[];
  readonly fileHashes: FileHashes;
  readonly bytes: number;
}
