import type { Instant } from "../dates/instant.ts";
import type { PeopleSuggestion } from "./contact.ts";
import type { SourceFormatName } from "./source-formats.ts";
import { WARNING_CODES, type WarningCode } from "./warning-codes.ts";

/** Types that are redacted by default. */
export const DEFAULT_PII_TYPES = ["email", "phone", "ssn", "credit_card", "ip"] as const;
/** Types that are redacted only if named. */
export const NAMED_PII_TYPES = ["iban"] as const;
export const PII_TYPES = [...DEFAULT_PII_TYPES, ...NAMED_PII_TYPES] as const;
export type PiiType = (typeof PII_TYPES)[number];
/** Types that are redacted only on request: named types, and the words of a list. */
export const REQUESTED_TYPES = [...NAMED_PII_TYPES, "word"] as const;
/** Types of redacted text. */
export const REDACTED_TYPES = [...DEFAULT_PII_TYPES, ...REQUESTED_TYPES] as const;
export type RedactedType = (typeof REDACTED_TYPES)[number];

/** Start of the marker that replaces a redacted span: `[REDACTED:email]`. */
export const REDACTION_OPENING = "[REDACTED:";

/** Redacted spans by type. */
export type RedactionCounts = Readonly<Record<RedactedType, number>>;

export const NO_REDACTIONS = Object.fromEntries(REDACTED_TYPES.map((type) => [type, 0])) as RedactionCounts;

/** Outcomes of all items of a source or mailbox: seen = kept + duplicate + skipped + failed. */
export interface Counts {
  readonly seen: number;
  readonly kept: number;
  readonly duplicate: number;
  readonly skipped: number;
  readonly failed: number;
}

export const NO_COUNTS: Counts = { seen: 0, kept: 0, duplicate: 0, skipped: 0, failed: 0 };

/** True if all items are accounted for. */
export function addsUp(counts: Counts): boolean {
  return counts.seen === counts.kept + counts.duplicate + counts.skipped + counts.failed;
}

/** Sum of counts. */
export function sumCounts(parts: readonly Counts[]): Counts {
  const sum: Record<keyof Counts, number> = { ...NO_COUNTS };
  for (const part of parts) for (const what of Object.keys(NO_COUNTS) as (keyof Counts)[]) sum[what] += part[what];
  return sum;
}

/** Outcome for the item of a warning: `noted` if it was kept, or if the warning concerns no item. */
export type WarnedOutcome = "noted" | "skipped" | "failed";

/** An item that was skipped or failed, or an audit note; kept in provenance. */
export interface Warning {
  readonly code: WarningCode;
  readonly message: string;
  /** Index into sources; null when it concerns the run. */
  readonly source: number | null;
  readonly location: string | null;
  /** SHA-256 of the bytes concerned, lower-case hex; null if there are none. */
  readonly sha256: string | null;
  /** Stored in the archive only, not in documents; absent or null in archives of earlier versions. */
  readonly outcome?: WarnedOutcome | null;
}

/**
 * Numbers of the sources that may have contained more items than were found: counts cover only found items. Damage
 * within an item, or with a known location, does not count.
 */
export function damagedSources(warnings: readonly Warning[]): ReadonlySet<number> {
  const damaged = warnings.filter(({ code, location }) => !location && WARNING_CODES[code] === "store");
  return new Set(damaged.flatMap(({ source }) => source ?? []));
}

/** Numbers of the sources that were skipped, because their password was not given. */
export function protectedSources(warnings: readonly Warning[]): ReadonlySet<number> {
  return new Set(warnings.filter(({ code }) => code === "password-protected").flatMap(({ source }) => source ?? []));
}

export interface MailboxRecord {
  readonly name: string;
  readonly counts: Counts;
}

export interface SourceRecord {
  readonly path: string;
  readonly format: SourceFormatName;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly counts: Counts;
  readonly calendarEvents: number;
  readonly mailboxes: readonly MailboxRecord[];
}

export interface DateRange {
  readonly earliest: Instant | null;
  readonly latest: Instant | null;
}

export interface ArchiveStatistics {
  readonly totalMessages: number;
  readonly totalCalendarEvents: number;
  readonly totalContacts: number;
  readonly totalThreads: number;
  readonly multiMessageThreads: number;
  readonly totalTopics: number;
  readonly totalAttachments: number;
  /** Attachments without text: pictures, scanned pages, unreadable files. Absent if attachment text was not read. */
  readonly filesWithoutText?: number;
  readonly totalItems: number;
  readonly piiRedactions: number;
  readonly dateRange: DateRange;
  readonly extractedAt: Instant;
}

/** Provenance of one run of `extract`. */
export interface RunRecord {
  readonly extractedAt: Instant;
  readonly toolVersion: string;
  readonly incremental: boolean;
  /** Paths named on this run. */
  readonly sources: readonly string[];
  readonly added: Counts;
}

/** Options of a run that affect the result. */
export interface ExtractionOptions {
  readonly maxMessages: number | null;
  /** Includes `word` if words of a list are redacted; the list is not stored. */
  readonly redact: readonly RedactedType[];
  readonly mergeContacts: boolean;
  /** True if mails that differ only in their Message-ID are separate. */
  readonly keepCopies: boolean;
  readonly extractAttachments: boolean;
  /** True if attachment text is read, stored and searchable. */
  readonly attachmentText: boolean;
  readonly incremental: boolean;
  /** Charset of mail without one; absent if not given. */
  readonly charset?: string;
  /** True if texts are searched for people, organizations and numbers; absent otherwise. */
  readonly mentions?: boolean;
}

/** Default options of an extraction. */
export const DEFAULT_OPTIONS: ExtractionOptions = {
  maxMessages: null,
  redact: [],
  mergeContacts: true,
  keepCopies: false,
  extractAttachments: false,
  attachmentText: false,
  incremental: false,
};

/** Sources of an archive, and how they were read. */
export type SourcesRead = Pick<Provenance, "sources" | "options">;

/** Applied corrections of people and suggestions for more; not published. */
export interface PeopleRecord {
  /** SHA-256 of the corrections applied to the contacts; of "" if there are none. */
  readonly corrections: string;
  /** Pairs with the most messages come first. */
  readonly suggestions: readonly PeopleSuggestion[];
}

export interface Provenance {
  readonly tool: string;
  readonly toolVersion: string;
  readonly extractedAt: Instant;
  readonly sourceHash: string;
  readonly sourceFormat: SourceFormatName | "mixed";
  readonly sources: readonly SourceRecord[];
  readonly options: ExtractionOptions;
  readonly statistics: ArchiveStatistics;
  readonly redactions: RedactionCounts;
  readonly warnings: readonly Warning[];
  /** Number of warnings beyond the first 10,000. */
  readonly warningsTruncated: number;
  readonly runs: readonly RunRecord[];
  readonly people?: PeopleRecord;
}
