import type { Finding } from "../../mail/records/message.ts";
import type { MessageOrdinal } from "../../mail/records/ordinal.ts";
import type { RedactedType, RedactionCounts } from "../../mail/records/provenance.ts";
import type { WorkUnit } from "../../sources/reading/source.ts";
import type { PackedQuotations } from "../../threading/quotations.ts";
import type { LearntTopics } from "../../topics/train-topics.ts";
import type { FileHashes } from "./message-header-record.ts";
import type { PackedTexts } from "./packed-texts.ts";
import type { PackedUnit } from "./packed-unit.ts";
import type { PackedActions } from "./staged-segment.ts";

/** The first pass over one unit: read, hash, parse, stage. Plain data: it crosses threads. */
export interface ParseTask {
  readonly kind: "parse";
  readonly unit: WorkUnit;
  readonly segmentPath: string;
  /** Directory for attachment bytes until their message has a number; null if they are not saved. */
  readonly attachmentDirectory: string | null;
  /** True when the text of attachments is read. */
  readonly attachmentText: boolean;
  /** True if mails that differ only in their Message-ID are separate messages. */
  readonly keepCopies: boolean;
  /** PII types that must not reach the main thread: subjects and names are redacted before they become evidence. */
  readonly redact: readonly RedactedType[];
  /** Further words and phrases to redact; absent for none. */
  readonly redactWords?: readonly string[] | undefined;
  /** Records staged by other parts of the unit; null for a whole unit. */
  readonly continues: StagedPart | null;
  /** Why the items of the unit are listed and hashed, but not read; null if they are read. */
  readonly lost: Finding | null;
}

/** The beginning of a segment. */
interface StagedPart {
  readonly bytes: number;
  /** All records of these parts, including those without text. */
  readonly records: number;
}

/** Entries of a chunk that are kept, by number: [from, to). */
export interface EntryRange {
  readonly from: number;
  readonly to: number;
}

/** The second pass over consecutive segments: redact, detect the language, score the tone, tokenize and index. */
export interface PrepareTask {
  readonly kind: "prepare";
  readonly segments: readonly { readonly path: string; readonly actions: PackedActions }[];
  /** Ordinal of the first kept message; the others follow without gaps. */
  readonly firstOrdinal: MessageOrdinal;
  /** Base name of the output: `<base>.rows` (redacted only), `<base>.terms`, `<base>.index-<n>`. */
  readonly base: string;
  readonly redact: readonly RedactedType[];
  /** Further words and phrases to redact; absent for none. */
  readonly redactWords?: readonly string[] | undefined;
  /** True to search texts for mentions. */
  readonly mentions: boolean;
  /** Maximum messages of an index segment; absent if only postings limit it. */
  readonly rangeMessages?: number;
  /** Indexes of the entries to read in an attempt; null for all. Omitted entries have no number. */
  readonly range: EntryRange | null;
  /** Numbers of entries kept without reading: they stop their readers. */
  readonly unread: readonly number[];
}

/** A record that was kept without reading it. */
export interface UnreadRecord {
  /** Index of its segment in the task. */
  readonly segment: number;
  readonly location: string;
  readonly sha256: string | null;
}

export interface PreparedChunk {
  /** Redacted records to keep; null if nothing was redacted and the segments of the first pass are current. */
  readonly rowsPath: string | null;
  readonly termsPath: string;
  readonly indexPaths: readonly string[];
  /** Languages in the chunk, and the language of each kept message, in order. */
  readonly languages: readonly (string | null)[];
  readonly languageOf: Uint8Array;
  /** Search tokens of the body of each kept message, in order. */
  readonly bodyTokens: Uint32Array;
  /** The text key (`text-key.ts`) of each kept message in order, NaN without text. */
  readonly textKeys: Float64Array;
  /** Sentiment of each kept message in order; NaN if there is no text. */
  readonly sentiment: Float32Array;
  /** Key of the template of each (`template-key.ts`), 0 without one. */
  readonly templates: Int32Array;
  /** Possible mentions of each kept message, in order, as JSON; empty if not requested. */
  readonly mentions: readonly string[];
  /** Quotations of each kept message, in order. */
  readonly quotations: PackedQuotations;
  readonly redactions: RedactionCounts;
  /** Messages and items with redactions. */
  readonly redacted: readonly { readonly location: string; readonly counts: RedactionCounts }[];
  readonly unread: readonly UnreadRecord[];
}

/** Learns the topics of an archive from the terms that the second pass wrote. */
export interface LearnTask {
  readonly kind: "learn";
  /** Files of terms, in the order of messages. */
  readonly termsPaths: readonly string[];
  /** Index of the thread of each message, in order. */
  readonly threadOf: Int32Array;
  /** Number of threads. */
  readonly threads: number;
  /** Contact names and mail domains, each once. */
  readonly names: PackedTexts;
  /** Ordinal of the first topic. */
  readonly firstOrdinal: number;
  /** Base name of the files between two passes. */
  readonly base: string;
}

/** Hashes the message files of a unit without reading them as mail. */
export interface HashTask {
  readonly kind: "hash";
  readonly unit: WorkUnit;
}

/** Hashes a source that is one file. */
export interface HashFileTask {
  readonly kind: "hash-file";
  readonly path: string;
  /** Size when it was opened; data added later is not read. */
  readonly sizeBytes: number;
}

export interface FileHash {
  readonly sha256: string;
  readonly sizeBytes: number;
}

export type Task = ParseTask | PrepareTask | LearnTask | HashTask | HashFileTask;
export type TaskResult<T extends Task> = T extends ParseTask
  ? PackedUnit
  : T extends PrepareTask
    ? PreparedChunk
    : T extends LearnTask
      ? LearntTopics
      : T extends HashFileTask
        ? FileHash
        : FileHashes;
