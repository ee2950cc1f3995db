import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ArchiveError } from "../../errors.ts";
import { LOST_FILE_CODES } from "../../sources/message-files.ts";
import { unitContent } from "../../sources/unit-state.ts";
import type { ClaimedTask, ResultFile, WorkerPulse, WorkerQueue } from "../../store/task-queue.ts";
import { TOOL_VERSION } from "../../version.ts";
import { type PackedUnit, unpackUnit } from "../staging/packed-unit.ts";
import { packValue } from "../staging/packed-value.ts";
import { chunkFiles, movedChunk, type QueuedBody, readQueuedTask, SEGMENT, unitFiles } from "../staging/queued-task.ts";
import type { ParseTask, PrepareTask } from "../staging/task.ts";
import type { ThreadRunner } from "../workers/worker-pool.ts";
import { createThreadRunner } from "./task-runner.ts";

/** Milliseconds between two looks for a task where there was none. */
const IDLE_MS = 200;
/** How often a worker speaks of its tasks within the time after which they are given to another. */
const BEATS_A_LEASE = 4;

/** How a worker works. */
export interface WorkerOrder {
  readonly server: string;
  /** What messages call the server. */
  readonly name: string;
  /** Where a directory for tasks is made; nothing is left there. */
  readonly scratch: string;
  /** Tasks at a time, each in a thread. */
  readonly jobs: number;
  readonly leaseSeconds: number;
  readonly signal: AbortSignal;
  onReady(worker: number): void;
  /** Told what a user may want to know. */
  onNote(text: string): void;
}

/** What a task gives, or why it is left to others. */
type Done = { readonly result: Uint8Array; readonly files: readonly ResultFile[] } | { readonly refusal: string };

/**
 * Does the tasks of all runs of a database until the signal says no more, or it cannot. Throws STORE_UNREACHABLE,
 * DRIVER_MISSING.
 */
export async function workForRuns(order: WorkerOrder): Promise<void> {
  const { openWorkerPulse, openWorkerQueue } = await import("../../store/postgres/worker-queue.ts");
  const { server, name, leaseSeconds, jobs } = order;
  const failed = new AbortController();
  const signal = AbortSignal.any([order.signal, failed.signal]);
  // What is asked of the server after the signal still gives tasks back.
  const setting = { server, name, version: TOOL_VERSION, leaseSeconds, signal };
  const pulse = await openWorkerPulse(setting, hostname());
  const worker = new QueueWorker({ ...order, signal });
  order.onReady(pulse.worker);
  // Who cannot work must not be taken for somebody who does: a run would wait for it for ever.
  const loops = [
    worker.beat(pulse),
    ...Array.from({ length: jobs }, () => worker.work(openWorkerQueue(setting, pulse.worker))),
  ].map((loop) =>
    loop.catch((error: unknown) => {
      failed.abort();
      throw error;
    }),
  );
  try {
    await Promise.all(loops);
  } finally {
    await worker.close();
    await Promise.allSettled(loops);
    await pulse.close();
  }
}

class QueueWorker {
  private readonly order: WorkerOrder;
  private readonly runner: ThreadRunner;
  private readonly claimed = new Set<ClaimedTask>();
  private readonly directory: string;

  constructor(order: WorkerOrder) {
    this.order = order;
    this.runner = createThreadRunner(order.jobs, order.signal, null);
    mkdirSync(order.scratch, { recursive: true, mode: 0o700 });
    this.directory = mkdtempSync(join(order.scratch, "archivetool-worker-"));
    // A thread in the middle of a message hears nothing.
    order.signal.addEventListener("abort", () => void this.runner.close(), { once: true });
  }

  /** The threads do the work: this one speaks of it in time, however long a message takes. */
  async beat(pulse: WorkerPulse): Promise<void> {
    const { signal, leaseSeconds } = this.order;
    while (!signal.aborted) {
      await pulse.beat(this.claimed);
      await pause((leaseSeconds * 1_000) / BEATS_A_LEASE, undefined, { signal }).catch(() => undefined);
    }
  }

  async work(queue: WorkerQueue): Promise<void> {
    const { signal } = this.order;
    try {
      while (!signal.aborted) {
        const claimed = await queue.claim();
        if (claimed === null) await pause(IDLE_MS, undefined, { signal }).catch(() => undefined);
        else await this.doClaimed(queue, claimed);
      }
    } finally {
      await queue.close();
    }
  }

  async close(): Promise<void> {
    await this.runner.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  private async doClaimed(queue: WorkerQueue, claimed: ClaimedTask): Promise<void> {
    const { signal, onNote } = this.order;
    const directory = mkdtempSync(join(this.directory, `task-${claimed.task}-`));
    this.claimed.add(claimed);
    try {
      const done = await this.done(queue, readQueuedTask(claimed.body), directory);
      if ("refusal" in done) {
        onNote(`task ${claimed.task} is left to others: ${done.refusal}`);
        await queue.refuse(claimed, done.refusal);
      } else if (!(await queue.complete(claimed, done.result, done.files)))
        onNote(`task ${claimed.task} was done by another worker: this result comes too late and is not used`);
    } catch (error) {
      if (!signal.aborted) throw error;
      await queue.release(claimed);
    } finally {
      this.claimed.delete(claimed);
      rmSync(directory, { recursive: true, force: true });
    }
  }

  /** What this machine cannot do is left to others, whatever the reason is: they may be able to. */
  private async done(queue: WorkerQueue, body: QueuedBody, directory: string): Promise<Done> {
    try {
      return await (body.kind === "prepare" ? this.prepare(queue, body, directory) : this.parse(body, directory));
    } catch (error) {
      const isServerGone = error instanceof ArchiveError && error.code === "STORE_UNREACHABLE";
      if (this.order.signal.aborted || isServerGone || !(error instanceof Error)) throw error;
      return { refusal: error.message };
    }
  }

  private async parse(body: Extract<QueuedBody, { kind: "parse" }>, directory: string): Promise<Done> {
    const { unit } = body;
    const place = "path" in unit ? unit.path : unit.root;
    if (unitContent(unit) !== body.content) return { refusal: `${place} is not here what the run sees` };
    const attachmentDirectory = body.savesAttachments ? join(directory, "attachments") : null;
    const { attachmentText, keepCopies, redact } = body;
    const task: ParseTask = {
      kind: "parse",
      ...{ unit, segmentPath: join(directory, SEGMENT), attachmentDirectory, attachmentText, keepCopies, redact },
      ...{ continues: null, lost: null },
    };
    const parsed = await this.runner.perform(task);
    if (unit.kind === "files" && hasLostFiles(parsed)) return { refusal: `files of ${place} went away` };
    const attachments = attachmentDirectory === null ? [] : readdirSync(attachmentDirectory);
    return { result: packValue(parsed), files: unitFiles(task, attachments) };
  }

  private async prepare(
    queue: WorkerQueue,
    { segments, firstOrdinal, redact }: Extract<QueuedBody, { kind: "prepare" }>,
    directory: string,
  ): Promise<Done> {
    const fetched: { path: string; actions: PrepareTask["segments"][number]["actions"] }[] = [];
    for (const [at, { task, actions }] of segments.entries()) {
      const path = join(directory, `segment-${at}`);
      await queue.fetchFile(task, SEGMENT, path);
      fetched.push({ path, actions });
    }
    const task: PrepareTask = {
      kind: "prepare",
      ...{ segments: fetched, firstOrdinal, base: join(directory, "chunk"), redact, range: null, unread: [] },
    };
    const chunk = await this.runner.perform(task);
    return { result: packValue(movedChunk(chunk, task.base, "")), files: chunkFiles(task, chunk) };
  }
}

/** A file that this machine lost may be there for another: the run saw it. */
function hasLostFiles(parsed: PackedUnit): boolean {
  return unpackUnit(parsed).records.some((record) => record.kind === "damaged" && LOST_FILE_CODES.has(record.code));
}
