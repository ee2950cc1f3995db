import { blob, integer, key, named, word } from "./column.ts";
import { type Table, table } from "./table.ts";

/**
 * Tables of the search index. A segment is what one run added: 0 is the bulk, later runs append 1, 2, … until they are
 * merged into it.
 */

/** About a hundred adjacent terms per row, with the first as key. */
export const TERM_BLOCKS = table(
  "ix_block",
  { segment: integer("seg"), firstTerm: word("first"), data: blob("data") },
  { keys: "PRIMARY KEY(seg, first)", options: " WITHOUT ROWID" },
);

/** Long posting lists, numbered across all segments. */
export const POSTING_LISTS = table("ix_post", { number: key("id"), data: blob("data") });

/** For each segment the lengths of its messages, from `firstDocument`, as Uint32. */
export const SEGMENTS = table("ix_doc", {
  segment: key("seg"),
  firstDocument: integer("first"),
  postings: integer("postings"),
  lengths: blob("lengths"),
});

/** Columns for filters and ties, derived from the messages, so that opening the index scans no table. */
export const DOCUMENT_COLUMNS = table("ix_column", { name: named("name"), data: blob("data") });

/** Messages excluded from results. */
export const DEAD_DOCUMENTS = table("ix_dead", { document: key("doc") });

/** Terms only in duplicates of a message (sqlite/search/copy-terms.ts). */
export const COPY_TERMS = table(
  "ix_copy",
  { term: word("term"), document: integer("doc") },
  { keys: "PRIMARY KEY(term, doc)", options: " WITHOUT ROWID" },
);

export const SEARCH_TABLES: readonly Table<unknown>[] = [
  TERM_BLOCKS,
  POSTING_LISTS,
  SEGMENTS,
  DOCUMENT_COLUMNS,
  DEAD_DOCUMENTS,
  COPY_TERMS,
];
