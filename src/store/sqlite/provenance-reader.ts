import {
  type ArchiveStatistics,
  type Counts,
  NO_REDACTIONS,
  type Provenance,
  type RunRecord,
  type SourceRecord,
  type Warning,
} from "../../mail/provenance.ts";
import { META } from "../archive-meta.ts";
import type { ArchiveRecord } from "../rows.ts";
import type { RowOf } from "../tables/column.ts";
import { MAILBOXES, RUNS, SOURCES, WARNINGS } from "../tables/knowledge-tables.ts";
import { type Selection, selection } from "../tables/table.ts";
import type { SqliteDatabase } from "./database.ts";
import { type ArchiveCounters, type MetaTable, metaTable } from "./meta-table.ts";
import type { SqlValue } from "./sqlite-database.ts";

const SOURCE = selection<RowOf<(typeof SOURCES)["columns"]>>(
  [SOURCES],
  [
    "ordinal",
    "path",
    "format",
    "sha256",
    "sizeBytes",
    "seen",
    "kept",
    "duplicate",
    "skipped",
    "failed",
    "calendarEvents",
  ],
);
const MAILBOX = selection<Counts & { readonly name: string }>(
  [MAILBOXES],
  ["name", "seen", "kept", "duplicate", "skipped", "failed"],
);
const WARNING = selection<Warning>([WARNINGS], ["code", "message", "source", "location", "sha256"]);
const RUN = selection<{ readonly record: RunRecord }>([RUNS], ["record"]);

export function readStatistics(meta: MetaTable, counters: ArchiveCounters, record: ArchiveRecord): ArchiveStatistics {
  const piiRedactions = meta.get(META.piiRedactions);
  return {
    totalMessages: counters.messages,
    totalCalendarEvents: counters.events,
    totalContacts: counters.contacts,
    totalThreads: counters.threads,
    multiMessageThreads: counters.multiMessageThreads,
    totalTopics: counters.topics,
    totalAttachments: counters.attachments,
    totalItems: counters.items,
    piiRedactions:
      piiRedactions === null
        ? Object.values(record.redactions).reduce((sum, count) => sum + count, 0)
        : Number(piiRedactions),
    dateRange: { earliest: counters.earliest, latest: counters.latest },
    extractedAt: record.extractedAt,
  };
}

export function readProvenance(
  database: SqliteDatabase,
  record: ArchiveRecord,
  statistics: ArchiveStatistics,
): Provenance {
  return {
    ...record,
    // An archive of an earlier version says nothing of what came later.
    redactions: { ...NO_REDACTIONS, ...record.redactions },
    options: {
      ...record.options,
      keepCopies: record.options.keepCopies ?? false,
      attachmentText: record.options.attachmentText ?? false,
    },
    sources: readSources(database),
    statistics,
    warnings: rowsOf(database, WARNING, "warnings ORDER BY id"),
    warningsTruncated: Number(metaTable(database).get(META.warningsTruncated) ?? 0),
    runs: rowsOf(database, RUN, "runs ORDER BY id").map(({ record: run }) => run),
  };
}

function rowsOf<Row>(database: SqliteDatabase, { sql, decode }: Selection<Row>, from: string): readonly Row[] {
  return (database.prepare(`SELECT ${sql} FROM ${from}`).raw().all() as SqlValue[][]).map(decode);
}

function readSources(database: SqliteDatabase): readonly SourceRecord[] {
  const mailboxes = database
    .prepare(`SELECT ${MAILBOX.sql} FROM mailboxes WHERE source = ? AND position IS NOT NULL ORDER BY position`)
    .raw();
  return rowsOf(database, SOURCE, "sources ORDER BY id").map((source) => ({
    path: source.path,
    format: source.format,
    sha256: source.sha256,
    sizeBytes: source.sizeBytes,
    counts: toCounts(source),
    calendarEvents: source.calendarEvents,
    mailboxes: (mailboxes.all(source.ordinal) as SqlValue[][]).map((row) => {
      const mailbox = MAILBOX.decode(row);
      return { name: mailbox.name, counts: toCounts(mailbox) };
    }),
  }));
}

function toCounts({ seen, kept, duplicate, skipped, failed }: Counts): Counts {
  return { seen, kept, duplicate, skipped, failed };
}
