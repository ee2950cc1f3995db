import { hash } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import { PagedMemory } from "../../columns/paged-memory.ts";
import { AddressBook } from "../../contacts/addresses/address-book.ts";
import { ArchiveError } from "../../errors.ts";
import { PagesOnDisk } from "../../files/spill-file.ts";
import { type EventId, type ItemId, itemId } from "../../mail/records/ids.ts";
import type { MessageOrdinal } from "../../mail/records/ordinal.ts";
import {
  addsUp,
  damagedSources,
  type Provenance,
  protectedSources,
  type SourceRecord,
  type Warning,
} from "../../mail/records/provenance.ts";
import { copyArchive } from "../../store/archive/copy-archive.ts";
import { openArchive } from "../../store/archive/open-archive.ts";
import { createArchive, growArchive } from "../../store/archive/write-archive.ts";
import { type ArchiveLocation, archiveIn, isArchiveThere } from "../../store/contract/archive-location.ts";
import { META } from "../../store/contract/archive-meta.ts";
import { WARNINGS_KEPT } from "../../store/contract/archive-writer.ts";
import { WRITTEN_MEMORY } from "../../store/contract/reading-memory.ts";
import { appliedCorrections } from "../../store/notebook/corrections-file.ts";
import { TOOL_VERSION } from "../../version.ts";
import { type EarlierArchive, openEarlier, restoreLedger } from "../earlier/earlier-archive.ts";
import type { Corrections } from "../knowledge/knowledge-context.ts";
import { buildKnowledge } from "../knowledge/knowledge-phases.ts";
import { TextPreparation } from "../knowledge/redaction-phase.ts";
import { Ledger } from "../ledger/deduplicate.ts";
import { storeLedger } from "../ledger/ledger-state.ts";
import { claimOutput, type OutputClaim, type OutputClaimant } from "../publishing/output-claim.ts";
import { damageNotes } from "../publishing/output-damage.ts";
import { isSavedFile, PROVENANCE_FILE, savedFilesOf } from "../publishing/output-files.ts";
import type { DamagedFile, OutputFile } from "../publishing/output-manifest.ts";
import { writeProvenance } from "../publishing/provenance-file.ts";
import { passGate } from "../publishing/publish-gate.ts";
import type { RunDirectory } from "../publishing/run-directory.ts";
import { storeKnownFiles } from "../reading/known-files.ts";
import { type ChangedSource, changedSources, type NumberedSource, numberSources } from "../reading/numbered-source.ts";
import { type ParsedSources, parseSources } from "../reading/parsing-phase.ts";
import { type GatheredSources, openInputs, removeUnpacked, resolveInputs } from "../reading/resolve-inputs.ts";
import { requireOutside, SourceWatch } from "../reading/source-watch.ts";
import { countKeptMessages, passStored, type SourceToRead } from "../reading/stored-files.ts";
import type { StagedSegment } from "../staging/staged-segment.ts";
import { Feed } from "../workers/feed.ts";
import type { TaskRunner } from "../workers/worker-pool.ts";
import { explainError } from "./explain-error.ts";
import { extendedOutput } from "./extended-output.ts";
import type { ExtractionReport, ExtractionRequest } from "./extraction-request.ts";
import { inheritOptions } from "./inherited-options.ts";
import { readCorrections } from "./read-corrections.ts";
import { findReplacedArchive, requireSameSources } from "./replaced-archive.ts";
import { openJournal, resumeRun } from "./resume-run.ts";
import { addedCounts, requireRecords, sourceRecords, writeRecord } from "./source-records.ts";
import { createTaskRunner } from "./task-runner.ts";

/**
 * Reads sources and publishes an output directory. All or nothing: the directory does not change until the new output
 * is complete, nor after an error or interruption.
 */
export async function runExtraction(asked: ExtractionRequest): Promise<ExtractionReport> {
  const watch = new SourceWatch();
  const given = await openInputs(asked.paths, asked.limits, watch);
  requireOutside(asked.paths, asked.outputDirectory);
  const corrections = readCorrections(asked.outputDirectory);
  const claim = await claimOutput(claimantOf(asked));
  const journal = openJournal(claim);
  const runner = createTaskRunner(asked.jobs, asked.signal, journal);
  try {
    for (const text of [...claim.notes, ...resumeRun(claim, journal)]) asked.onEvent({ kind: "note", text });
    const { staging } = claim.run;
    const gathering = { watch, staging, signal: asked.signal };
    const gathered = followsCorrections(asked) ? NO_SOURCES : await resolveInputs(given, asked.limits, gathering);
    const damaged = asked.options.incremental ? await claim.findDamage(asked.signal) : [];
    const earlier = asked.options.incremental
      ? await openEarlier(asked.outputDirectory, { run: claim.run, damaged })
      : null;
    for (const text of damageNotes(damaged)) asked.onEvent({ kind: "note", text });
    const replaced = asked.options.incremental ? null : await findReplacedArchive(asked.outputDirectory);
    if (replaced !== null && !asked.replacesOthers)
      await requireSameSources(asked.outputDirectory, replaced, gathered.opened);
    const request = { ...asked, options: inheritOptions(asked.options, earlier) };
    const extraction = new Extraction(request, { claim, runner, watch, corrections }, earlier);
    const report = await extraction.perform(gathered, damaged);
    return { ...report, packedFiles: given.packedFiles, replaced };
  } catch (error) {
    throw explainError(error, asked.outputDirectory);
  } finally {
    await runner.close();
    await journal.close();
    claim.close();
  }
}

const NO_SOURCES: GatheredSources = { opened: [], notes: [] };

/** True for a run that reads no mail, and only resolves the people of an archive again. */
function followsCorrections({ paths, outputDirectory, options }: ExtractionRequest): boolean {
  return paths.length === 0 && options.incremental && isArchiveThere(archiveIn(outputDirectory));
}

function claimantOf(request: ExtractionRequest): OutputClaimant {
  const { outputDirectory: directory, processId, startedAt: begunAt, options, signal } = request;
  return { directory, processId, begunAt, command: commandOf(request), isIncremental: options.incremental, signal };
}

/**
 * Hash of everything that determines the tasks of a run and their results, except the contents of the sources. Excludes
 * the password and its hash, which could be guessed from: with a wrong one there are no tasks.
 */
function commandOf({ paths, outputDirectory, options, redactWords, limits }: ExtractionRequest): string {
  const places = [paths.map((path) => resolve(path)), resolve(outputDirectory)];
  const asked = [TOOL_VERSION, places, options, redactWords, limits.skipProtected];
  return hash("sha256", JSON.stringify(asked));
}

interface BuiltStore {
  readonly records: readonly SourceRecord[];
  /** Messages by source. */
  readonly messagesOf: readonly number[];
  /** Items and events of earlier runs whose saved attachments newer versions have replaced. */
  readonly replaced: readonly (ItemId | EventId)[];
  /** Messages of earlier runs that have changed. */
  readonly changed: ReadonlySet<MessageOrdinal>;
}

/** Attachments saved by earlier runs stay with their messages, items and events. */
function remainingFiles(earlier: readonly OutputFile[], replaced: BuiltStore["replaced"]): readonly string[] {
  const gone = new Set(replaced.map(savedFilesOf));
  return earlier.map(({ path }) => path).filter((path) => isSavedFile(path) && !gone.has(dirname(path)));
}

/** The store of an archive that is unchanged by the run. */
async function restoreStore(earlier: EarlierArchive, location: ArchiveLocation): Promise<BuiltStore> {
  await copyArchive(earlier.location, location);
  const records = earlier.provenance.sources;
  return {
    records,
    messagesOf: records.map((_, source) => earlier.messagesOf(source)),
    replaced: [],
    changed: new Set(),
  };
}

/** Fields of the report that the run itself determines. */
type ReportOfRun = Omit<ExtractionReport, "packedFiles" | "replaced">;

/** Resources of a run. */
interface RunMeans {
  readonly claim: OutputClaim;
  readonly runner: TaskRunner;
  readonly watch: SourceWatch;
  readonly corrections: Corrections;
}

/** True if people or topics were corrected since the archive was written, which may be the only change. */
function isCorrectedSince({ provenance }: EarlierArchive, { sha256 }: Corrections): boolean {
  return appliedCorrections(provenance) !== sha256;
}

/** The sources of a run as they were opened, and the accounting of their messages. */
interface ReadingMeans {
  readonly sources: readonly NumberedSource[];
  readonly memory: PagedMemory;
  readonly ledger: Ledger;
}

class Extraction {
  private readonly corrections: Corrections;
  private readonly claim: OutputClaim;
  private readonly run: RunDirectory;
  private readonly runner: TaskRunner;
  private readonly watch: SourceWatch;
  /** Warnings to store; further ones are only counted. */
  private readonly warnings: Warning[] = [];
  private warningCount = 0;

  constructor(
    private readonly request: ExtractionRequest,
    means: RunMeans,
    private readonly earlier: EarlierArchive | null,
  ) {
    this.claim = means.claim;
    this.run = means.claim.run;
    this.runner = means.runner;
    this.watch = means.watch;
    this.corrections = means.corrections;
  }

  /** @param damaged files of the earlier output, which are rewritten in any case */
  async perform({ opened, notes }: GatheredSources, damaged: readonly DamagedFile[]): Promise<ReportOfRun> {
    const { request, run, earlier } = this;
    const all = numberSources(opened, earlier);
    const sources = await changedSources(all, earlier, request, this.runner);
    const isCorrected = earlier !== null && isCorrectedSince(earlier, this.corrections);
    const isRestored = earlier !== null && sources.length === 0 && !isCorrected;
    if (isRestored && damaged.length === 0) return this.reportUnchanged(earlier, all);
    const location = archiveIn(run.output);
    const { records, messagesOf, replaced, changed } = isRestored
      ? await restoreStore(earlier, location)
      : await this.buildStore(location, sources, notes);
    const archive = await openArchive(location, WRITTEN_MEMORY);
    const files = this.claim.earlier;
    const grown = extendedOutput(earlier, { directory: request.outputDirectory, files, damaged, changed });
    let provenance: Provenance;
    try {
      request.onEvent({ kind: "phase", phase: "outputs", state: "started" });
      provenance = await archive.provenance();
      writeProvenance(provenance, join(run.output, PROVENANCE_FILE));
      await request.writeOutputs(archive, run.output, new Set(files.map(({ path }) => path)), grown);
      request.onEvent({
        kind: "phase",
        phase: "outputs",
        state: "completed",
        done: provenance.statistics.totalMessages,
        skipped: false,
      });
    } finally {
      await archive.close();
    }
    const saved = earlier === null ? [] : remainingFiles(files, replaced);
    const kept = new Set([...saved, ...(grown?.kept ?? [])]);
    const moved = await this.claim.publish(kept, request);
    const created = [...moved, ...(grown?.kept ?? [])].sort();
    const { statistics, sourceHash } = provenance;
    const incomplete = damagedSources(provenance.warnings);
    const locked = protectedSources(provenance.warnings);
    return {
      sources: all.map(({ index }) => ({
        record: records[index]!,
        messages: messagesOf[index]!,
        isDamaged: incomplete.has(index),
        isProtected: locked.has(index),
      })),
      statistics,
      outputDirectory: request.outputDirectory,
      created,
      sourceHash,
      warnings: this.warningCount,
      isUnchanged: false,
    };
  }

  /** Fills a new store; returns the records of all sources of the archive, and the messages of each. */
  private async buildStore(
    location: ArchiveLocation,
    sources: readonly ChangedSource[],
    notes: readonly Warning[],
  ): Promise<BuiltStore> {
    const { request, run, runner, earlier } = this;
    const writer = await (earlier === null ? createArchive(location) : growArchive(earlier.location, location));
    const pages = new PagesOnDisk(join(run.staging, "pages"));
    const memory = new PagedMemory(pages);
    try {
      for (const note of notes) this.warn(note);
      if (earlier === null && request.rangeMessages !== undefined)
        await writer.setMeta(META.rangeMessages, String(request.rangeMessages));
      const warn = (warning: Warning): void => this.warn(warning);
      const ledger = new Ledger(new AddressBook(memory), memory, warn);
      const restored =
        earlier === null
          ? null
          : { archive: earlier, messages: await restoreLedger(ledger, { writer, memory }, earlier) };
      if (restored !== null) await writer.removeWarnings(sources.map(({ index }) => index));
      const toRead: SourceToRead[] = [];
      for (const source of sources)
        toRead.push(
          earlier === null ? { ...source, stored: [] } : await passStored(source, earlier, { writer, ledger }),
        );
      const { options, startedAt, signal, onEvent, redactWords } = request;
      const read = new Set(sources.map(({ index }) => index));
      const means = { run, memory, runner, writer, ledger, read, earlier: restored, warn };
      const context = { options, redactWords, startedAt, signal, onEvent, corrections: this.corrections, ...means };
      const staged = new Feed<StagedSegment>();
      const preparation = new TextPreparation(context, staged);
      // Redactions are reported per message, after all warnings of the first pass.
      if (options.redact.length === 0 && runner.prepareAhead()) preparation.begin();
      const parsed = await this.parse(toRead, { sources, memory, ledger }, (segment) => staged.push(segment));
      await storeKnownFiles(writer, parsed.knownFiles);
      staged.end();
      await storeLedger(ledger, writer, toRead.length > 0);
      ledger.observeEntries();
      const knowledge = await buildKnowledge(context, preparation);
      await countKeptMessages(sources, toRead, { writer, ledger });
      const before = earlier?.provenance.sources ?? [];
      const records = sourceRecords(before, sources, { parsed, ledger, knowledge });
      this.tellSources(sources, records);
      await requireRecords(writer, sources, { records, ledger });
      await writeRecord(writer, request, { records, ...knowledge });
      const added = addedCounts(before, sources, { records, ledger, knowledge, isFirst: earlier === null });
      // A run that reads no mail only follows corrections.
      if (request.paths.length > 0)
        await writer.addRun({
          extractedAt: startedAt,
          toolVersion: TOOL_VERSION,
          incremental: options.incremental,
          sources: request.paths,
          added,
        });
      await writer.addWarnings(this.warnings, this.warningCount - this.warnings.length);
      const replaced = [...ledger.items.superseded().map(itemId), ...knowledge.outdatedEvents];
      const messagesOf = records.map((_, source) => ledger.messagesOf(source));
      // Per-message data is released before indexes are sorted and pages are written.
      ledger.forgetMessages();
      memory.clear();
      await writer.finish();
      return { records, messagesOf, replaced, changed: knowledge.changed };
    } catch (error) {
      await writer.abort();
      throw error;
    } finally {
      pages.close();
    }
  }

  private async parse(
    toRead: readonly SourceToRead[],
    { sources, memory, ledger }: ReadingMeans,
    onSegment: (segment: StagedSegment) => void,
  ): Promise<ParsedSources> {
    const { onEvent, options, startedAt } = this.request;
    onEvent({ kind: "phase", phase: "parsing", state: "started" });
    const request = {
      startedAt,
      ...{ sources: toRead, memory },
      stagingDirectory: this.run.staging,
      saveAttachments: options.extractAttachments,
      attachmentText: options.attachmentText,
      maxMessages: options.maxMessages ?? Number.POSITIVE_INFINITY,
      keepCopies: options.keepCopies,
      charset: options.charset ?? null,
      redact: options.redact,
      redactWords: this.request.redactWords,
      onEvent,
      onSegment,
    };
    const opened = sources.map(({ source }) => source);
    const parsed = await parseSources(request, ledger, this.runner).catch((error: unknown) => {
      throw this.watch.explained(error, opened);
    });
    for (const { source, index } of sources) {
      this.watch.requireSame(source);
      ledger.addNotes(this.watch.growthNotes(source), index);
    }
    parsed.lostFiles.requireFew(this.request.allowMissing);
    removeUnpacked(this.run.staging);
    onEvent({ kind: "phase", phase: "parsing", state: "completed", done: ledger.messageCount, skipped: false });
    return parsed;
  }

  /** Counts of each source of the run. Throws COUNTS_DISAGREE. */
  private tellSources(sources: readonly NumberedSource[], records: readonly SourceRecord[]): void {
    for (const { source, index } of sources) {
      const { counts, mailboxes } = records[index]!;
      const lost = mailboxes.find((mailbox) => !addsUp(mailbox.counts));
      if (lost !== undefined)
        throw new ArchiveError(
          "COUNTS_DISAGREE",
          `${source.name}: mailbox ${lost.name} contains items that are not accounted for`,
        );
      this.request.onEvent({ kind: "source", path: source.name, format: source.format, counts });
    }
  }

  private warn(warning: Warning): void {
    this.warningCount++;
    // Warnings without a source item do not affect the counts.
    if (this.warnings.length < WARNINGS_KEPT) this.warnings.push({ outcome: "noted", ...warning });
    this.request.onEvent({ kind: "warning", warning });
  }

  /** A run that found nothing new changes the watermark in provenance.json and nothing else. */
  private reportUnchanged(earlier: EarlierArchive, all: readonly NumberedSource[]): ReportOfRun {
    const { request } = this;
    passGate(request);
    const provenance: Provenance = { ...earlier.provenance, extractedAt: request.startedAt };
    writeProvenance(provenance, join(request.outputDirectory, PROVENANCE_FILE));
    const { statistics, sourceHash } = provenance;
    const damaged = damagedSources(provenance.warnings);
    const locked = protectedSources(provenance.warnings);
    return {
      sources: all.map(({ index }) => ({
        record: provenance.sources[index]!,
        messages: earlier.messagesOf(index),
        isDamaged: damaged.has(index),
        isProtected: locked.has(index),
      })),
      statistics,
      outputDirectory: request.outputDirectory,
      created: [PROVENANCE_FILE],
      sourceHash,
      warnings: 0,
      isUnchanged: true,
    };
  }
}
