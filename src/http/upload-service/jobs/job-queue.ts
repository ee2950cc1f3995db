import { setTimeout as pause } from "node:timers/promises";
import { ArchiveError, ERRORS, type ErrorCode } from "../../../errors.ts";
import { settleOutput } from "../../../extraction/publishing/output-claim.ts";
import { endProcess } from "../../../files/process-identity.ts";
import type { Instant } from "../../../mail/dates/instant.ts";
import type { UploadCounts, UploadRecord } from "../../../mail/uploads.ts";
import type { UploadCatalog, UploadJob } from "../../../store/contract/upload-catalog.ts";
import type { DataDirectory } from "../base/data-directory.ts";
import {
  makeAttemptDirectory,
  publishAttempt,
  readResult,
  removeAttempt,
  removeUpload,
  tidyDataDirectory,
  tidyUpload,
} from "../base/upload-files.ts";
import type { BlobStorage } from "../storage/blob-storage.ts";

import type { EventLog } from "./event-log.ts";
import { jobFaultOf } from "./job-fault.ts";
import { type JobOutcome, MAX_ATTEMPTS, MAX_INTERRUPTIONS, outcomeOf, SERVICE_ENDED_FAULT } from "./job-outcome.ts";
import type { JobEnd, RunningJob, StartJob } from "./job-process.ts";
import { sourceOf } from "./job-source.ts";
import { chainJob } from "./staged-job.ts";
import type { ServiceLog, UploadQueue } from "./upload-queue.ts";

/** Milliseconds between checks for uploads that other processes have added. */
export const POLL_MS = 1000;
/** Milliseconds until a failed write to the catalog is retried: a disk may be full for a while. */
const RETRY_MS = 1000;
/**
 * Delay before a source is requested again from an unreachable blob store, in milliseconds, after the client's own
 * retries.
 */
const BRING_RETRY_MS = 3000;

interface QueueSetting {
  readonly directory: DataDirectory;
  readonly catalog: UploadCatalog;
  readonly storage: BlobStorage | null;
  readonly events: EventLog;
  readonly log: ServiceLog;
  /** Maximum concurrent extractions. */
  readonly jobs: number;
  /** Worker threads of each. */
  readonly threads: number;
  readonly startJob: StartJob;
  now(): Instant;
}

interface Work {
  readonly running: RunningJob;
  /** Resolves when the outcome is in the catalog and the files are cleaned up. Never rejects. */
  readonly settled: Promise<void>;
}

/**
 * Runs the jobs of uploads, oldest first, each in its own process, and keeps catalog and files consistent with their
 * outcomes.
 */
export class JobQueue implements UploadQueue {
  extractedMessages = 0;
  private readonly works = new Map<string, Work>();
  private readonly removals = new Set<Promise<void>>();
  /** Pending claims, or null. */
  private claims: Promise<void> | null = null;
  /** True if uploads may have been added since the pending claims began. */
  private isWoken = false;
  private looking: Promise<void> | null = null;
  private readonly closing = new AbortController();
  private poll: NodeJS.Timeout | null = null;

  constructor(private readonly setting: QueueSetting) {}

  /** Cleans up after an earlier service, then starts jobs. Await it before receiving uploads. */
  async start(): Promise<void> {
    const { catalog, directory, events, storage, now } = this.setting;
    await events.start();
    await catalog.skipSequences();
    for (const job of await catalog.takeOver()) await this.recover(job);
    await tidyDataDirectory(directory, catalog, { now: now(), isOwn: storage !== null || !catalog.isShared });
    await storage?.tidyAll(now());
    await events.deliver();
    this.poll = setInterval(() => this.look(), POLL_MS).unref();
    this.wake();
    await this.claims;
  }

  wake(): void {
    this.isWoken = true;
    this.claims ??= this.guarded("claim", () => this.claimAll()).finally(() => {
      this.claims = null;
      // Woken after the last check for queued uploads.
      if (this.isWoken) this.wake();
    });
  }

  /** One at a time, so that the limit of running jobs is kept. */
  private async claimAll(): Promise<void> {
    const { catalog, events, jobs, now } = this.setting;
    while (this.isWoken) {
      this.isWoken = false;
      while (!this.closing.signal.aborted && this.works.size < jobs && (await this.queueLength()) > 0) {
        const job = await catalog.claim(now());
        if (job === null) break;
        if (this.closing.signal.aborted) await catalog.requeue(job.upload.uploadId, false);
        else this.begin(job);
      }
      await events.deliver();
    }
  }

  async cancel(uploadId: string): Promise<void> {
    const { catalog, events, now } = this.setting;
    if ((await catalog.cancel(uploadId, now())) === null)
      throw new ArchiveError("NOT_FOUND", `Upload ${uploadId} not found`);
    await events.deliver();
    const work = this.works.get(uploadId);
    // The service that extracts it ends its job, and then removes it.
    if (work === undefined && (await catalog.isHeldElsewhere(uploadId))) return;
    const removal = this.removeCancelled(uploadId, work);
    this.removals.add(removal);
    await removal.finally(() => this.removals.delete(removal));
    this.wake();
  }

  async settled(uploadId: string): Promise<void> {
    await this.works.get(uploadId)?.settled;
  }

  queueLength(): Promise<number> {
    return this.setting.catalog.countOf("queued");
  }

  runningCount(): number {
    return this.works.size;
  }

  /** Ends running jobs and queues them again without counting an attempt. */
  async close(): Promise<void> {
    this.closing.abort();
    if (this.poll !== null) clearInterval(this.poll);
    await this.looking;
    await this.claims;
    for (const { running } of this.works.values()) running.kill();
    await Promise.allSettled([...[...this.works.values()].map(({ settled }) => settled), ...this.removals]);
    while (this.claims !== null) await this.claims;
  }

  /** A job of a killed service: publishes its finished output, else retries it, up to the maximum. */
  private async recover(job: UploadJob): Promise<void> {
    const { catalog } = this.setting;
    const { uploadId } = job.upload;
    if (job.process !== null) await endProcess(job.process);
    if (job.upload.status === "cancelled") return this.removeCancelled(uploadId, undefined);
    const upload = await this.conclusionOf(job);
    if (upload !== null && catalog.isShared) await this.tidy(job, upload);
  }

  /** Another service may already run the queued upload, in its own directory. */
  private async tidy({ attempt }: UploadJob, upload: UploadRecord): Promise<void> {
    const { catalog, directory, storage } = this.setting;
    if (catalog.isShared && upload.status === "queued") return removeAttempt(directory, upload.uploadId, attempt);
    await tidyUpload(directory, upload);
    await storage?.tidy(upload);
  }

  /** Stores the output of an attempt where all services find it, and marks it current. Repeatable. */
  private async complete({ upload: { uploadId }, attempt }: UploadJob, counts: UploadCounts) {
    const { catalog, directory, storage, now } = this.setting;
    await publishAttempt(directory, uploadId, attempt);
    await storage?.keepArchive(uploadId, this.closing.signal);
    const upload = await catalog.complete(uploadId, counts, now());
    if (upload !== null) storage?.markArchive(upload);
    return upload;
  }

  private async conclusionOf(job: UploadJob): Promise<UploadRecord | null> {
    const { catalog, directory, now } = this.setting;
    const { uploadId } = job.upload;
    const result = readResult(directory, uploadId, job.attempt);
    if (result !== null) return this.complete(job, result.counts);
    if (job.process !== null && job.attempt >= MAX_ATTEMPTS) return catalog.fail(uploadId, SERVICE_ENDED_FAULT, now());
    // A restart of the service does not count as an attempt.
    return catalog.requeue(uploadId, false);
  }

  /** Uploads from `service add`, and those that could not be started earlier. */
  private look(): void {
    this.looking ??= this.guarded("look", async () => {
      const { catalog, jobs } = this.setting;
      if (catalog.isShared) await this.keepLeases();
      if ((await catalog.hasForeignChanges()) || this.works.size < jobs) this.wake();
    }).finally(() => {
      this.looking = null;
    });
  }

  /** Ends jobs that were canceled elsewhere or taken over by another service, then takes over abandoned jobs. */
  private async keepLeases(): Promise<void> {
    const { catalog } = this.setting;
    // Jobs that begin later are not checked.
    const works = [...this.works];
    const held = new Set(await catalog.renew(works.map(([uploadId]) => uploadId)));
    for (const [uploadId, { running }] of works) if (!held.has(uploadId)) running.kill();
    const left = (await catalog.takeOver()).filter(({ upload }) => !this.works.has(upload.uploadId));
    if (left.length === 0) return;
    const recovery = this.recoverAll(left).finally(() => {
      this.removals.delete(recovery);
      this.wake();
    });
    this.removals.add(recovery);
  }

  /** If it cannot be settled now, it is abandoned again when its lease ends. */
  private async recoverAll(jobs: readonly UploadJob[]): Promise<void> {
    for (const job of jobs) {
      this.setting.log.info({ upload: job.upload.uploadId, attempt: job.attempt }, "extraction taken over");
      await this.recover(job).catch((error: unknown) => this.logFault("extraction that was left", error));
    }
  }

  private begin(job: UploadJob): void {
    const { uploadId } = job.upload;
    this.setting.log.info({ upload: uploadId, attempt: job.attempt }, "extraction started");
    const running = this.launch(job);
    const settled = this.settle(job, running).finally(() => {
      if (this.works.get(uploadId)?.running === running) this.works.delete(uploadId);
      this.wake();
    });
    this.works.set(uploadId, { running, settled });
  }

  /** If files are cached copies, the job waits for them: a store that is down for hours must not fail an upload. */
  private launch(job: UploadJob): RunningJob {
    const { storage } = this.setting;
    return chainJob(
      (signal) => (storage === null ? Promise.resolve() : this.bringFiles(storage, job.upload, signal)),
      (signal) => this.startProcess(job, signal),
    );
  }

  private async bringFiles(storage: BlobStorage, upload: UploadRecord, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        if (await storage.bringForJob(upload, signal)) return;
        throw new ArchiveError("SOURCE_LOST", `${(upload.adding ?? upload).filename} no longer exists`);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ArchiveError) || error.code !== "BLOBS_UNREACHABLE") throw error;
        this.logFault("source of an extraction", error);
      }
      await pause(BRING_RETRY_MS, null, { signal, ref: false });
    }
  }

  /** A job that cannot be started ends with the reason. */
  private async startProcess(job: UploadJob, signal: AbortSignal): Promise<RunningJob> {
    const { directory, catalog, events, startJob, threads, now } = this.setting;
    const { uploadId } = job.upload;
    let running: RunningJob | null = null;
    try {
      const attemptDirectory = makeAttemptDirectory(directory, uploadId, job.attempt);
      const request = { ...sourceOf(job, directory), attemptDirectory, options: job.options, threads };
      running = startJob(
        request,
        (phase) => void this.guarded("phase", () => events.appendPhase(uploadId, phase, now())),
      );
      const { identity } = running;
      if (identity !== null)
        await this.untilDone("start of an extraction", () => catalog.setProcess(uploadId, identity), signal);
      running.begin();
      return running;
    } catch (error) {
      running?.kill();
      const end: JobEnd = { fault: jobFaultOf(error), exitCode: null, signalName: null, lastWords: "" };
      return { identity: null, begin: () => undefined, kill: () => undefined, ended: Promise.resolve(end) };
    }
  }

  /** Waits for the end of a job and records it, retrying as long as necessary, for example on a full disk. */
  private async settle(job: UploadJob, running: RunningJob): Promise<void> {
    const end = await running.ended;
    // If the service closes first, the next one settles it.
    await this.untilDone("end of an extraction", () => this.conclude(job, end), this.closing.signal);
  }

  /** Retries until it succeeds, at least once, or until the signal aborts. */
  private async untilDone(what: string, run: () => Promise<void>, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        return await run();
      } catch (error) {
        this.logFault(what, error);
      }
      if (signal.aborted) return;
      await pause(RETRY_MS, null, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async conclude(job: UploadJob, end: JobEnd): Promise<void> {
    const { catalog, directory, log, now } = this.setting;
    const { uploadId } = job.upload;
    if ((await catalog.renew([uploadId])).length === 0) return this.leave(job);
    const outcome = outcomeOf(end, readResult(directory, uploadId, job.attempt));
    // Removing files first makes room for the record on a full disk.
    if (outcome.kind !== "completed") await removeAttempt(directory, uploadId, job.attempt);
    const upload = await this.record(job, outcome);
    this.extractedMessages += upload?.counts?.messages ?? 0;
    await this.setting.events.deliver();
    if (upload === null) return;
    const elapsedMs = now() - (job.upload.startedAt ?? now());
    const fields = { upload: uploadId, status: upload.status, ms: elapsedMs };
    if (outcome.kind === "completed") log.info(fields, "extraction completed");
    else this.logFailure({ ...fields, code: outcome.fault.code, trace: outcome.trace }, outcome.kind);
    await this.tidy(job, upload).catch((error: unknown) => this.logFault("files of an upload", error));
    if (job.upload.adding !== null && outcome.kind === "interrupted" && upload.status === "completed")
      await settleOutput(directory.archiveDirectory(uploadId), this.closing.signal).catch((error: unknown) =>
        this.logFault("archive of an upload", error),
      );
  }

  /** A canceled upload is removed by the canceller, and one taken over belongs to the other service. */
  private async leave({ upload: { uploadId }, attempt }: UploadJob): Promise<void> {
    const { catalog, directory } = this.setting;
    if (!catalog.isShared) return;
    const upload = await catalog.get(uploadId);
    if (upload?.status === "cancelled" && !(await catalog.isHeldElsewhere(uploadId)))
      return this.removeCancelled(uploadId, undefined);
    // Until it is settled, this attempt's output may be the published one.
    const settled = (await catalog.jobsOf("running")).find((running) => running.upload.uploadId === uploadId);
    if (settled?.attempt !== attempt) await removeAttempt(directory, uploadId, attempt);
  }

  /** Returns null if the upload was canceled. */
  private record(job: UploadJob, outcome: JobOutcome): Promise<UploadRecord | null> {
    const { catalog, now } = this.setting;
    const { upload, interruptions } = job;
    const { uploadId } = upload;
    if (outcome.kind === "completed") return this.complete(job, outcome.result.counts);
    if (outcome.kind === "failed") return catalog.fail(uploadId, outcome.fault, now());
    if (this.closing.signal.aborted) return catalog.requeue(uploadId, false);
    return interruptions + 1 >= MAX_INTERRUPTIONS
      ? catalog.fail(uploadId, outcome.fault, now())
      : catalog.requeue(uploadId, true);
  }

  private async removeCancelled(uploadId: string, work: Work | undefined): Promise<void> {
    const { catalog, directory, storage } = this.setting;
    work?.running.kill();
    await work?.settled;
    await removeUpload(directory, uploadId);
    await storage?.remove(uploadId);
    await catalog.remove(uploadId);
  }

  /** Temporary errors of the catalog must not end the service: the work is retried later. */
  private async guarded(what: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.logFault(what, error);
    }
  }

  /** Errors of an upload are shown to its sender; errors of the service are logged. */
  private logFailure(fields: { readonly code: ErrorCode; readonly trace: readonly string[] }, kind: string): void {
    const { log } = this.setting;
    const write = ERRORS[fields.code].httpStatus >= 500 ? log.error : log.info;
    write.call(log, fields, `extraction ${kind}`);
  }

  private logFault(what: string, error: unknown): void {
    const { code, trace } = jobFaultOf(error);
    const { log } = this.setting;
    // Repeated every second until the database is back.
    if (error instanceof ArchiveError && code === "CATALOGUE_UNREACHABLE")
      log.error({ what, code, hint: error.hint }, "database unreachable");
    else log.error({ what, code, trace }, "fault of the queue");
  }
}
