import { ATTACHMENT_TYPES, type AttachmentType } from "../../mail/records/attachment-types.ts";

/** Conditions of `is:` and `has:` that are not terms, one bit each. */
const TRAITS = ["reply", "forward", "automatic", "unread", "flagged", "calendar", "findings", "copies"] as const;
export type Trait = (typeof TRAITS)[number];

export const traitBit = (trait: Trait): number => 1 << TRAITS.indexOf(trait);
/** Types of attachments follow the traits. */
export const typeBit = (type: AttachmentType): number => 1 << (TRAITS.length + ATTACHMENT_TYPES.indexOf(type));

/** A dictionary-encoded column: indexes into a list of names; the first, "", means none. */
export interface DictionaryColumn {
  readonly numbers: Uint32Array;
  readonly names: readonly string[];
}

/** Dictionary-encoded lists: the values of message n are in `values` from `starts[n]` to `starts[n + 1]`. */
export interface DictionaryLists {
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
  readonly names: readonly string[];
}

/** Columns for conditions, counts and lists, by document number; ranking has its own. */
export interface MessageFacts {
  readonly threads: Uint32Array;
  /** Bytes; larger values are stored as the column maximum. */
  readonly sizes: Uint32Array;
  /** Traits and types of attachments as bits. */
  readonly traits: Uint32Array;
  /** ISO 639-1 of the text. */
  readonly languages: DictionaryColumn;
  /** The domain of the author's address in the message, lower case. */
  readonly domains: DictionaryColumn;
  /** Flags and labels. */
  readonly labels: DictionaryLists;
}
