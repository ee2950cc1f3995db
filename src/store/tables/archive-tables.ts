import { ADDRESSES, CONTACT_MESSAGES, CONTACTS, EDGES } from "./contact-tables.ts";
import { EVENTS, ITEMS, MAILBOXES, RUNS, SOURCES, THREADS, TOPICS, WARNINGS } from "./knowledge-tables.ts";
import { ATTACHMENTS, BODIES, ENVELOPES, MESSAGES, OCCURRENCES } from "./message-tables.ts";
import type { Table } from "./table.ts";

/** Tables with mail data. */
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

/** The oldest readable version: archives of earlier ones must be extracted again. */
export const OLDEST_VERSION = 5;

/** The version that added the last column. */
export const SCHEMA_VERSION = Math.max(
  OLDEST_VERSION,
  ...SCHEMA_TABLES.flatMap(({ places }) => places.map(({ since }) => since)),
);
