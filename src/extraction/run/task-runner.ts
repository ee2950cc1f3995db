import type { Worker } from "node:worker_threads";
import { startProgramThread } from "../../program-thread.ts";
import type { TaskJournal } from "../workers/task-journal.ts";
import { WORKER_HEAP_MB, WORKER_LIMITS } from "../workers/worker-limits.ts";
import { InlineRunner, type TaskRunner, ThreadRunner } from "../workers/worker-pool.ts";
import { createTaskExecutor } from "./task-executor.ts";

/** Young-generation heap of one worker in MiB: twice as much saves no measurable CPU and costs 40 MB resident. */
const WORKER_NURSERY_MB = 24;

/**
 * A runner with `jobs` worker threads, which survives hostile mail: see `recoverTask`. With 0, works in this thread,
 * without that protection. The results are the same.
 */
export function createTaskRunner(jobs: number, signal: AbortSignal, journal: TaskJournal | null): TaskRunner {
  return jobs === 0
    ? new InlineRunner(createTaskExecutor(), signal)
    : new ThreadRunner({ jobs, signal, start: startWorker, limits: WORKER_LIMITS, journal });
}

function startWorker(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: WORKER_HEAP_MB, maxYoungGenerationSizeMb: WORKER_NURSERY_MB };
  return startProgramThread("extraction/worker.js", { resourceLimits });
}
