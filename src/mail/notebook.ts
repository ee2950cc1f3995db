import type { Instant } from "./dates/instant.ts";

/** Users' additions to an archive: marks on records, tags and saved searches. */
export const NOTEBOOK_KINDS = ["message", "thread", "person", "topic", "search", "tag"] as const;
export type NotebookKind = (typeof NOTEBOOK_KINDS)[number];

/** Review states. */
export const REVIEW_STATES = ["open", "relevant", "not_relevant", "privileged"] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** A mark on a record: the JSON of an entry other than a search or tag. */
export interface Mark {
  readonly tags: readonly string[];
  readonly note: string;
  readonly review: ReviewState;
}

/** A search saved under a name. */
interface SavedSearch {
  readonly name: string;
  readonly query: string;
}

/** A note on a message or a conversation, by the key of its entry. */
interface WrittenNote extends Pick<NotebookEntry, "kind" | "key"> {
  readonly note: string;
}

/** State of the notebook of an open archive. */
export interface NotebookState {
  /** Incremented by every write; 0 without a notebook. */
  readonly revision: number;
  /** Notes on conversations, then on messages. */
  readonly notes: readonly WrittenNote[];
  /** By name. */
  readonly searches: readonly SavedSearch[];
}

/** Separates the Message-ID and the SHA-256 of a message in its key; occurs in neither. */
export const KEY_SEPARATOR = "\n";

/**
 * An entry by its kind and an identity that survives a new extraction: a Message-ID with SHA-256, an address, a name.
 */
export interface NotebookEntry {
  readonly kind: NotebookKind;
  readonly key: string;
  /** Increased by every write to the notebook; 0 for missing entries. */
  readonly revision: number;
  /** JSON of the entry. */
  readonly value: string;
  readonly updatedAt: Instant;
  /** Author in this notebook; null if not recorded. */
  readonly author: string | null;
}

/** A write of one entry. */
export interface NotebookChange {
  readonly kind: NotebookKind;
  readonly key: string;
  /** The revision that the writer has seen; 0 for a new entry. */
  readonly revision: number;
  /** JSON; null deletes the entry. */
  readonly value: string | null;
  readonly updatedAt: Instant;
  readonly author: string | null;
}

/** An entry as copied between notebooks. */
export type CarriedEntry = Omit<NotebookEntry, "revision">;

/** The last version of an entry; the value of a deleted one is null. */
export type LatestEntry = Omit<NotebookEntry, "value"> & { readonly value: string | null };

/** Entries written to a notebook after a revision. */
export interface NotebookNews {
  /** The last one. */
  readonly revision: number;
  readonly entries: readonly LatestEntry[];
}

/** An open notebook. Every write is on disk when the call returns. */
export interface Notebook {
  /** Incremented by every write. */
  revision(): number;
  /** By kind and key. */
  entries(): readonly NotebookEntry[];
  /** Returns the updated entry; null if it was deleted. Throws NOTEBOOK_CHANGED if the revision differs. */
  write(change: NotebookChange): NotebookEntry | null;
  /** Changes or deletes (null) the values of several entries, all or none. Returns the number of changed entries. */
  edit(
    kind: NotebookKind,
    keys: readonly string[],
    change: {
      readonly updatedAt: Instant;
      readonly author: string | null;
      edited(value: string | null): string | null;
    },
  ): number;
  /** Imports entries that are new or changed later; all or none. */
  merge(entries: readonly CarriedEntry[]): { readonly taken: number; readonly kept: number };
  /** Copies entries from the notebook that this one replicates. */
  receive(news: NotebookNews): void;
  close(): void;
}
