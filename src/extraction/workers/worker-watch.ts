import type { WorkerLimits } from "./worker-limits.ts";
import type { StopReason } from "./worker-stop.ts";

/** Polling interval in milliseconds: the fastest allocation takes about 100 MB in it. */
const LOOK_MS = 100;
/** Maximum milliseconds counted per check, so that sleep of the machine does not count. */
const MAX_LOOK_MS = 1_000;
const MIB = 1 << 20;

/** A monitored worker and its task. */
export interface Watched {
  /** Bytes of mail that its task reads. Called only when needed, since it stats files. */
  taskBytes(): number;
  /** Milliseconds its thread has been active; waiting has separate limits. */
  activeMs(): number;
  /** Ends the thread. */
  stop(reason: StopReason): void;
}

/**
 * Monitors workers and stops those that exceed their limits. V8's own limit covers only its heap and ends the whole
 * process on a large allocation; this checks resident memory and triggers first.
 */
export class WorkerWatch {
  /** Milliseconds of each worker for its task, and its total time at the last check. */
  private readonly elapsed = new Map<Watched, { readonly task: number; readonly all: number }>();
  private timer: NodeJS.Timeout | null = null;
  /** Resident memory before the first of them started. */
  private base = 0;
  private lookedAt = 0;

  constructor(private readonly limits: WorkerLimits) {}

  begin(worker: Watched): void {
    if (this.timer === null) {
      this.base = process.memoryUsage.rss();
      this.lookedAt = performance.now();
      this.timer = setInterval(() => this.look(), LOOK_MS).unref();
    }
    this.elapsed.set(worker, { task: 0, all: worker.activeMs() });
  }

  end(worker: Watched): void {
    this.elapsed.delete(worker);
    if (this.elapsed.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }

  private look(): void {
    const now = performance.now();
    const step = Math.min(MAX_LOOK_MS, now - this.lookedAt);
    this.lookedAt = now;
    for (const [worker, before] of this.elapsed) {
      const all = worker.activeMs();
      const task = before.task + Math.min(step, all - before.all);
      this.elapsed.set(worker, { task, all });
      if (task > this.limits.seconds * 1_000 && task > this.timeFor(worker)) worker.stop("time");
    }
    const taken = process.memoryUsage.rss() - this.base;
    const { memoryBytes, furtherBytes, memoryFactor } = this.limits;
    const allowed = memoryBytes + furtherBytes * (this.elapsed.size - 1);
    if (taken <= allowed) return;
    // Memory is measured per process, not per thread, so each task is retried alone.
    const bytes = [...this.elapsed.keys()].reduce((sum, worker) => sum + worker.taskBytes(), 0);
    if (taken <= allowed + memoryFactor * bytes) return;
    for (const worker of this.elapsed.keys()) worker.stop("memory");
  }

  private timeFor(worker: Watched): number {
    return (this.limits.seconds + (this.limits.secondsPerMib * worker.taskBytes()) / MIB) * 1_000;
  }
}
