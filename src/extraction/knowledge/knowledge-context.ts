import type { PagedMemory } from "../../columns/paged-memory.ts";
import type { SettledCorrections } from "../../contacts/corrections/correction.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import type { ExtractionOptions, Warning } from "../../mail/records/provenance.ts";
import type { ArchiveWriter } from "../../store/contract/archive-writer.ts";
import type { TopicCorrection } from "../../topics/topic-corrections.ts";
import { type EarlierArchive, noMessages, type RestoredMessages } from "../earlier/earlier-archive.ts";
import type { EventListener } from "../extraction-event.ts";
import type { Ledger } from "../ledger/deduplicate.ts";
import type { RunDirectory } from "../publishing/run-directory.ts";
import type { TaskRunner } from "../workers/worker-pool.ts";

/** The user's corrections of people and topics. */
export interface Corrections {
  readonly people: SettledCorrections;
  readonly topics: readonly TopicCorrection[];
  /** SHA-256 of all corrections, or of "". */
  readonly sha256: string;
}

/** Inputs of the phases after parsing. */
export interface KnowledgeContext {
  readonly options: ExtractionOptions;
  readonly redactWords?: readonly string[] | undefined;
  readonly startedAt: Instant;
  readonly corrections: Corrections;
  readonly signal: AbortSignal;
  readonly onEvent: EventListener;
  readonly run: RunDirectory;
  /** Memory of columns that grow with the archive. */
  readonly memory: PagedMemory;
  readonly runner: TaskRunner;
  readonly writer: ArchiveWriter;
  /** All messages of the archive, those of earlier runs first. */
  readonly ledger: Ledger;
  /** Numbers of the sources that this run reads. */
  readonly read: ReadonlySet<number>;
  readonly earlier: { readonly archive: EarlierArchive; readonly messages: RestoredMessages } | null;
  warn(warning: Warning): void;
}

/** The messages of earlier runs; none in a first run. */
export function restoredOf({ earlier, memory }: KnowledgeContext): RestoredMessages {
  return earlier?.messages ?? noMessages(memory);
}
