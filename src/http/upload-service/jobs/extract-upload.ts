import { mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import { ArchiveError } from "../../../errors.ts";
import type { EventListener } from "../../../extraction/extraction-event.ts";
import { PublishGate } from "../../../extraction/publishing/publish-gate.ts";
import type { ExtractionReport } from "../../../extraction/run/extraction-request.ts";
import { runExtraction } from "../../../extraction/run/run-extraction.ts";
import { syncTree, writeDurably } from "../../../files/durable-files.ts";
import type { Instant } from "../../../mail/dates/instant.ts";
import type { ArchiveStatistics } from "../../../mail/records/provenance.ts";
import { DEFAULT_OPTIONS } from "../../../mail/records/provenance.ts";
import type { UploadCounts } from "../../../mail/uploads.ts";
import { writeOutputs } from "../../../outputs/write-outputs.ts";
import { openArchive } from "../../../store/archive/open-archive.ts";
import { archiveIn } from "../../../store/contract/archive-location.ts";
import { WRITTEN_MEMORY } from "../../../store/contract/reading-memory.ts";
import { ARCHIVE_PART, CACHE_PART } from "../base/data-directory.ts";
import { type JobRequest, type JobResult, RESULT_FILE } from "../base/job-messages.ts";
import { writeCache } from "../storage/graph-cache.ts";

/** All output forms that the service provides. */
const FORMATS = { json: true, csv: true, wiki: true, allPages: false, wikiLinks: "wiki" } as const;

/** Process resources of a job. */
interface JobSurroundings {
  readonly processId: number;
  readonly startedAt: Instant;
  readonly signal: AbortSignal;
  readonly onEvent: EventListener;
  /** Changes the working directory, to which paths are relative. */
  enterDirectory(path: string): void;
}

/**
 * Runs a job: extracts the upload, which may be packed, builds the service's cache, and finally writes the result.
 * Everything is in the directory of the attempt, or of the archive that mail is added to, where it replaces the
 * earlier archive as a whole. Source paths are relative, so that no output contains a path of the server.
 */
export async function extractUpload(request: JobRequest, surroundings: JobSurroundings): Promise<void> {
  const { attemptDirectory, archiveDirectory, options } = request;
  const output = archiveDirectory ?? join(attemptDirectory, ARCHIVE_PART);
  const cache = join(attemptDirectory, CACHE_PART);
  mkdirSync(cache);
  surroundings.enterDirectory(request.sourceDirectory);
  const report = await runExtraction({
    paths: [request.filename],
    outputDirectory: relative(request.sourceDirectory, output),
    replacesOthers: false,
    allowMissing: false,
    options: {
      ...DEFAULT_OPTIONS,
      incremental: archiveDirectory !== null,
      maxMessages: options.maxMessages,
      redact: options.redactWords === undefined ? options.redact : [...options.redact, "word"],
      attachmentText: true,
    },
    ...(options.redactWords === undefined ? {} : { redactWords: options.redactWords }),
    limits: { password: options.password, skipProtected: "of several" },
    jobs: request.threads,
    startedAt: surroundings.startedAt,
    processId: surroundings.processId,
    signal: surroundings.signal,
    gate: new PublishGate(),
    onEvent: surroundings.onEvent,
    writeOutputs: async (archive, directory) => {
      await writeOutputs(archive, directory, { ...FORMATS, jobs: request.threads });
      await writeCache(archive, cache);
    },
  });
  requireUnchanged(request, report);
  // The archive already has the source: an earlier attempt was killed after it published.
  if (report.isUnchanged) {
    const archive = await openArchive(archiveIn(output), WRITTEN_MEMORY);
    await writeCache(archive, cache).finally(() => archive.close());
  }
  // The output of the run is synced already.
  await syncTree(cache);
  const result: JobResult = { counts: countsOf(report.statistics), extractedAt: surroundings.startedAt };
  writeDurably(join(attemptDirectory, RESULT_FILE), JSON.stringify(result));
}

/** A server path may have changed since it was added, and would no longer match its record. */
function requireUnchanged(
  { filename, expectedSha256 }: JobRequest,
  { sourceHash, packedFiles }: ExtractionReport,
): void {
  // For packed files, the record has the hash of the packed file.
  if (expectedSha256 === null || packedFiles > 0 || sourceHash === expectedSha256) return;
  throw new ArchiveError("SOURCE_CHANGED", `${filename} changed after it was added`);
}

function countsOf(statistics: ArchiveStatistics): UploadCounts {
  return {
    messages: statistics.totalMessages,
    contacts: statistics.totalContacts,
    threads: statistics.totalThreads,
    topics: statistics.totalTopics,
    calendarEvents: statistics.totalCalendarEvents,
    attachments: statistics.totalAttachments,
  };
}
