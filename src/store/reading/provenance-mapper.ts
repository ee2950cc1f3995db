import {
  type ArchiveStatistics,
  type Counts,
  NO_REDACTIONS,
  type Provenance,
  type RunRecord,
  type SourceRecord,
  type Warning,
} from "../../mail/records/provenance.ts";
import { META } from "../contract/archive-meta.ts";
import type { ArchiveRecord } from "../contract/rows.ts";
import { MAILBOXES, RUNS, SOURCES, WARNINGS } from "../tables/knowledge-tables.ts";
import { selection } from "../tables/table.ts";
import type { ArchiveCounters } from "./archive-counters.ts";

export const SOURCE = selection(
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
export const MAILBOX = selection([MAILBOXES], ["source", "name", "seen", "kept", "duplicate", "skipped", "failed"]);
export const WARNING = selection([WARNINGS], ["code", "message", "source", "location", "sha256", "outcome"]);
export const RUN = selection([RUNS], ["record"]);

/** Metadata of the store, by key. */
export type MetaValue = (key: string) => string | Uint8Array | null;

export function toStatistics(meta: MetaValue, counters: ArchiveCounters, record: ArchiveRecord): ArchiveStatistics {
  const piiRedactions = meta(META.piiRedactions);
  return {
    totalMessages: counters.messages,
    totalCalendarEvents: counters.events,
    totalContacts: counters.contacts,
    totalThreads: counters.threads,
    multiMessageThreads: counters.multiMessageThreads,
    totalTopics: counters.topics,
    totalAttachments: counters.attachments,
    ...(record.options.attachmentText === true
      ? { filesWithoutText: counters.attachments - counters.filesWithText }
      : {}),
    totalItems: counters.items,
    piiRedactions:
      piiRedactions === null
        ? Object.values(record.redactions).reduce((sum, count) => sum + count, 0)
        : Number(piiRedactions),
    dateRange: { earliest: counters.earliest, latest: counters.latest },
    extractedAt: record.extractedAt,
  };
}

/** Rows of the provenance tables. */
interface ProvenanceRows {
  readonly sources: readonly ReturnType<(typeof SOURCE)["decode"]>[];
  /** Mailboxes of the sources, in source order and then by position. */
  readonly mailboxes: readonly ReturnType<(typeof MAILBOX)["decode"]>[];
  readonly warnings: readonly Warning[];
  readonly runs: readonly { readonly record: RunRecord }[];
}

export function toProvenance(
  { sources, mailboxes, warnings, runs }: ProvenanceRows,
  {
    meta,
    record,
    statistics,
  }: {
    readonly meta: MetaValue;
    readonly record: ArchiveRecord;
    readonly statistics: ArchiveStatistics;
  },
): Provenance {
  return {
    ...record,
    // Archives of earlier versions lack later types.
    redactions: { ...NO_REDACTIONS, ...record.redactions },
    options: {
      ...record.options,
      keepCopies: record.options.keepCopies ?? false,
      attachmentText: record.options.attachmentText ?? false,
    },
    sources: sourcesWithMailboxes(sources, mailboxes),
    statistics,
    warnings,
    warningsTruncated: Number(meta(META.warningsTruncated) ?? 0),
    runs: runs.map(({ record: run }) => run),
  };
}

function sourcesWithMailboxes(
  sources: ProvenanceRows["sources"],
  mailboxes: ProvenanceRows["mailboxes"],
): readonly SourceRecord[] {
  const ofSource = new Map<number, SourceRecord["mailboxes"][number][]>(sources.map(({ ordinal }) => [ordinal, []]));
  for (const mailbox of mailboxes)
    ofSource.get(mailbox.source)?.push({ name: mailbox.name, counts: toCounts(mailbox) });
  return sources.map((source) => ({
    path: source.path,
    format: source.format,
    sha256: source.sha256,
    sizeBytes: source.sizeBytes,
    counts: toCounts(source),
    calendarEvents: source.calendarEvents,
    mailboxes: ofSource.get(source.ordinal)!,
  }));
}

function toCounts({ seen, kept, duplicate, skipped, failed }: Counts): Counts {
  return { seen, kept, duplicate, skipped, failed };
}
