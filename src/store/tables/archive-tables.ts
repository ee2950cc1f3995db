import { ADDRESSES, CONTACT_MESSAGES, CONTACTS, EDGES } from "./contact-tables.ts";
import { EVENTS, ITEMS, MAILBOXES, RUNS, SOURCES, THREADS, TOPICS, WARNINGS } from "./knowledge-tables.ts";
import { ATTACHMENTS, BODIES, ENVELOPES, MESSAGES, OCCURRENCES } from "./message-tables.ts";
import type { Table } from "./table.ts";

/** Tables that hold something of mail. */
export const SCHEMA_TABLES: readonly Table<unknown>[] = [
  ...[
    SOURCES,
    MAILBOXES,
    CONTACTS,
    ADDRESSES,
    EDGES,
    THREADS,
    TOPICS,
    MESSAGES,
    ENVELOPES,
    BODIES,
    ATTACHMENTS,
    OCCURRENCES,
    CONTACT_MESSAGES,
  ],
  ...[EVENTS, ITEMS, WARNINGS, RUNS],
];

/**
 * The version since which the search index has the words of today: the pairs of unspaced scripts with the last character
 * of their run, plain Latin letters, beginnings of long words.
 */
export const WORDS_SINCE = 5;

/** The version that brought the last column or the words of today. */
export const SCHEMA_VERSION = Math.max(
  WORDS_SINCE,
  ...SCHEMA_TABLES.flatMap(({ places }) => places.map(({ since }) => since)),
);
