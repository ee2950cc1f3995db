import { type CollectionLocation, nameOfArchive } from "../../store/archive-location.ts";
import { TOOL_VERSION } from "../../version.ts";
import { QueueRunner } from "../workers/queue-runner.ts";
import type { TaskJournal } from "../workers/task-journal.ts";
import type { TaskRunner } from "../workers/worker-pool.ts";
import { createTaskRunner, createThreadRunner } from "./task-runner.ts";

/** Whoever does the tasks of a run. */
export interface Workforce {
  readonly runner: TaskRunner;
  /** When there is no more to do, or nobody wants it. */
  dismiss(): Promise<void>;
}

/** What decides who does the tasks of a run. */
export interface WorkRequest {
  /** Threads of this process; of a run whose work others do, for what they cannot do. */
  readonly jobs: number;
  /** The collection whose workers do it; null for the threads of this process. */
  readonly workersOf: CollectionLocation | null;
  /** What was asked for, in short. */
  readonly command: string;
  readonly signal: AbortSignal;
}

/** Throws OUTPUT_BUSY, STORE_UNREACHABLE, DRIVER_MISSING where others are to do the work. */
export async function hireWorkers(request: WorkRequest, journal: TaskJournal): Promise<Workforce> {
  const { jobs, workersOf, command, signal } = request;
  if (workersOf === null) {
    const runner = createTaskRunner(jobs, signal, journal);
    return { runner, dismiss: () => runner.close() };
  }
  const { openRunQueue } = await import("../../store/postgres/run-queue.ts");
  const queue = await openRunQueue(workersOf, { command, version: TOOL_VERSION, signal });
  const local = createThreadRunner(Math.max(1, jobs), signal, null);
  const runner = new QueueRunner({ queue, local, journal, signal, name: nameOfArchive(workersOf) });
  return {
    runner,
    async dismiss() {
      await runner.close();
      try {
        await queue.remove();
      } finally {
        // What is left open holds the process.
        await queue.close();
      }
    },
  };
}
