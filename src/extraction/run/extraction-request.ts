import type { Archive } from "../../mail/archive.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import type { MessageOrdinal } from "../../mail/records/ordinal.ts";
import type { ArchiveStatistics, ExtractionOptions, SourceRecord } from "../../mail/records/provenance.ts";
import type { SourceLimits } from "../../sources/reading/source.ts";
import type { EventListener } from "../extraction-event.ts";
import type { PublishGate } from "../publishing/publish-gate.ts";
import type { ReplacedArchive } from "./replaced-archive.ts";

export interface ExtractionRequest {
  /** Mail sources: mailbox files, directories with such files, compressed files. */
  readonly paths: readonly string[];
  readonly outputDirectory: string;
  /** Also replaces an archive of other sources. */
  readonly replacesOthers: boolean;
  /** Continues if a source loses many files during the run: each is a failed item. */
  readonly allowMissing: boolean;
  readonly options: ExtractionOptions;
  /** Words and phrases to redact, with `word` among the types; never stored. Absent for none. */
  readonly redactWords?: readonly string[];
  readonly limits: SourceLimits;
  /** Maximum messages per range of the search index of a new archive; absent for the default. */
  readonly rangeMessages?: number;
  /** Worker threads. With 0, works in this thread, which hostile mail can crash: for tests. */
  readonly jobs: number;
  readonly startedAt: Instant;
  readonly processId: number;
  /** Checked between units and phases. */
  readonly signal: AbortSignal;
  /** Checked once, before the output is changed. */
  readonly gate: PublishGate;
  readonly onEvent: EventListener;
  /**
   * Writes all pages and files for people from the finished archive to a directory; `earlier` are the paths of the
   * output it replaces.
   * @param grown the same output where the archive grew from its own and this version wrote it
   */
  writeOutputs(
    archive: Archive,
    directory: string,
    earlier: ReadonlySet<string>,
    grown: ExtendedOutput | null,
  ): Promise<void>;
}

/** An earlier output from which unchanged messages can be copied. */
export interface ExtendedOutput {
  readonly directory: string;
  /** Paths of undamaged files, relative to its directory. */
  readonly files: ReadonlySet<string>;
  /** False if a file is missing or damaged. */
  readonly isWhole: boolean;
  /** False for a message that is new, or whose occurrences, people, quotes, thread or topic changed. */
  isUnchanged(message: MessageOrdinal): boolean;
  /** Keeps one of its files in the new output. False if it does not have this content. */
  keep(path: string, content: Uint8Array): boolean;
  /** Files that are kept. */
  readonly kept: ReadonlySet<string>;
}

/** Result for one source. */
export interface SourceReport {
  readonly record: SourceRecord;
  /** Kept messages; appointments and other Outlook items are counted separately. */
  readonly messages: number;
  /** True if messages may be missing. */
  readonly isDamaged: boolean;
  /** It was skipped, because it is protected by a password that the run did not have. */
  readonly isProtected: boolean;
}

export interface ExtractionReport {
  /** The sources named on this run. */
  readonly sources: readonly SourceReport[];
  readonly statistics: ArchiveStatistics;
  readonly outputDirectory: string;
  /** Files of the output, relative to its directory. */
  readonly created: readonly string[];
  readonly sourceHash: string;
  readonly warnings: number;
  /** An incremental run that found nothing new. */
  readonly isUnchanged: boolean;
  /** Files that were unpacked for it, or could not be. */
  readonly packedFiles: number;
  /** The replaced archive; null for a first run and an incremental one. */
  readonly replaced: ReplacedArchive | null;
}
