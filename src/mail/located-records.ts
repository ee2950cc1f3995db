import type { Instant } from "./dates/instant.ts";
import type { WordMatch } from "./exploration.ts";
import type { ItemKind } from "./records/item.ts";

/** Events and Outlook items found by a query. */

/** `id` is archive order. Undated records come last when sorted by date, in both directions. */
export const RECORD_SORTS = ["relevance", "newest", "oldest", "id"] as const;
export type RecordSort = (typeof RECORD_SORTS)[number];

export interface RecordRequest {
  /** "" finds everything. */
  readonly query: string;
  readonly match: WordMatch;
  readonly sort: RecordSort;
  /** Bounds of the date, both inclusive; records without a date never match. */
  readonly after: Instant | null;
  readonly before: Instant | null;
  readonly offset: number;
  readonly limit: number;
}

export interface ItemRequest extends RecordRequest {
  /** Null for all kinds. */
  readonly kind: ItemKind | null;
}

export interface LocatedRecord<T> {
  readonly record: T;
  /** About 180 characters, matches marked with `**`, no line breaks. */
  readonly snippet: string;
}

export interface RecordPage<T> {
  readonly total: number;
  /** Matches of the query by kind, for all kinds. */
  readonly kinds: readonly { readonly kind: string; readonly count: number }[];
  readonly found: readonly LocatedRecord<T>[];
}
