import {
  type ArchiveStatistics,
  PII_TYPES,
  type Provenance,
  type RunRecord,
  type SourceFormatName,
  type SourceRecord,
  type Warning,
} from "../../mail/provenance.ts";
import { META } from "../archive-meta.ts";
import type { ArchiveRecord } from "../rows.ts";
import type { SqliteDatabase } from "./database.ts";
import { type ArchiveCounters, type MetaTable, metaTable } from "./meta-table.ts";

interface CountColumns {
  seen: number;
  kept: number;
  duplicate: number;
  skipped: number;
  failed: number;
}

interface SourceColumns extends CountColumns {
  id: number;
  path: string;
  format: SourceFormatName;
  sha256: string;
  size_bytes: number;
  calendar_events: number;
}

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
    piiRedactions: piiRedactions === null ? PII_TYPES.reduce((sum, type) => sum + record.redactions[type], 0) : Number(piiRedactions),
    dateRange: { earliest: counters.earliest, latest: counters.latest },
    extractedAt: record.extractedAt,
  };
}

export function readProvenance(database: SqliteDatabase, record: ArchiveRecord, statistics: ArchiveStatistics): Provenance {
  return {
    ...record,
    // An archive of an earlier version says nothing of it.
    options: { ...record.options, keepCopies: record.options.keepCopies ?? false },
    sources: readSources(database),
    statistics,
    warnings: database.prepare("SELECT code, message, source, location, sha256 FROM warnings ORDER BY id").all() as Warning[],
    warningsTruncated: Number(metaTable(database).get(META.warningsTruncated) ?? 0),
    runs: (database.prepare("SELECT record FROM runs ORDER BY id").pluck().all() as string[]).map((run) => JSON.parse(run) as RunRecord),
  };
}

function readSources(database: SqliteDatabase): readonly SourceRecord[] {
  const mailboxes = database.prepare("SELECT * FROM mailboxes WHERE source = ? AND position IS NOT NULL ORDER BY position");
  return (database.prepare("SELECT * FROM sources ORDER BY id").all() as SourceColumns[]).map((row) => ({
    path: row.path,
    format: row.format,
    sha256: row.sha256,
    sizeBytes: row.size_bytes,
    counts: toCounts(row),
    calendarEvents: row.calendar_events,
    mailboxes: (mailboxes.all(row.id) as (CountColumns & { name: string })[]).map((mailbox) => ({
      name: mailbox.name,
      counts: toCounts(mailbox),
    })),
  }));
}

function toCounts({ seen, kept, duplicate, skipped, failed }: CountColumns): SourceRecord["counts"] {
  return { seen, kept, duplicate, skipped, failed };
}
