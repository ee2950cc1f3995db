import { Worker } from "node:worker_threads";
import { builtFile, isFromSource } from "../built-files.ts";
import { ArchiveError } from "../errors.ts";
import { performTask, type Task, type TaskResult } from "./task.ts";

/** Old-generation heap of one worker in MiB: a message's text lives there, archives never do. */
const WORKER_HEAP_MB = 512;
/** Young-generation heap of one worker in MiB: twice as much saves no measurable CPU and costs 40 MB resident. */
const WORKER_NURSERY_MB = 24;
/** Tasks that may be under way or done ahead of the one whose result is awaited: bounds what waits in memory when one unit is slow. */
const LOOKAHEAD_PER_WORKER = 4;

/** A task and what its result will be about; the latter stays in this thread. */
export interface Errand<T extends Task, A> {
  readonly task: T;
  readonly about: A;
}

export interface Outcome<T extends Task, A> extends Errand<T, A> {
  readonly result: TaskResult<T>;
}

/** Runs tasks and gives back their results in the order of the tasks, whoever finishes first. */
export interface TaskRunner {
  inOrder<T extends Task, A>(errands: Iterable<Errand<T, A>>): AsyncIterable<Outcome<T, A>>;
  /** Ends the threads, and gives back their memory. Later tasks start new ones. */
  close(): Promise<void>;
}

/** A runner with `jobs` worker threads; with one job the work is done in this thread. The results are the same. */
export function createTaskRunner(jobs: number, signal: AbortSignal): TaskRunner {
  return jobs <= 1 ? new InlineRunner(signal) : new ThreadRunner(jobs, signal);
}

class InlineRunner implements TaskRunner {
  private readonly signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  async *inOrder<T extends Task, A>(errands: Iterable<Errand<T, A>>): AsyncIterable<Outcome<T, A>> {
    for (const errand of errands) {
      this.signal.throwIfAborted();
      yield { ...errand, result: (await performTask(errand.task)) as TaskResult<T> };
      // Lets a signal handler and the progress line have their turn between two units.
      await new Promise(setImmediate);
    }
  }

  async close(): Promise<void> {}
}

interface Seat {
  readonly worker: Worker;
  settle: { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void } | null;
}

/** What a worker answers. Nothing in it is made of many small objects: the structured clone of them costs more than any other form. */
export type WorkerReply =
  | { readonly result: unknown }
  | { readonly fault: { readonly message: string; readonly code: string | null; readonly stack: string } };

/** Starts a thread with the first task that finds the others busy: small mail is one unit, and a thread is 30 ms and all its modules. */
class ThreadRunner implements TaskRunner {
  private readonly seats: Seat[] = [];
  private readonly signal: AbortSignal;
  private readonly jobs: number;

  constructor(jobs: number, signal: AbortSignal) {
    this.signal = signal;
    this.jobs = jobs;
  }

  async *inOrder<T extends Task, A>(errands: Iterable<Errand<T, A>>): AsyncIterable<Outcome<T, A>> {
    const source = errands[Symbol.iterator]();
    const ahead: { readonly errand: Errand<T, A>; readonly answer: Promise<unknown> }[] = [];
    const free = [...this.seats];
    const waiting: (() => void)[] = [];
    const start = async (task: T): Promise<unknown> => {
      if (free.length === 0 && this.seats.length < this.jobs) free.push(this.addSeat());
      while (free.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      const seat = free.pop() as Seat;
      try {
        return await assign(seat, task);
      } finally {
        free.push(seat);
        waiting.shift()?.();
      }
    };
    for (;;) {
      while (ahead.length < this.jobs * LOOKAHEAD_PER_WORKER) {
        const next = source.next();
        if (next.done === true) break;
        const answer = start(next.value.task);
        // The failure is thrown where its turn comes; until then it is no unhandled rejection.
        answer.catch(() => undefined);
        ahead.push({ errand: next.value, answer });
      }
      const first = ahead.shift();
      if (first === undefined) return;
      this.signal.throwIfAborted();
      const result = (await abortable(first.answer, this.signal)) as TaskResult<T>;
      yield { ...first.errand, result };
    }
  }

  private addSeat(): Seat {
    const seat = startSeat();
    this.seats.push(seat);
    return seat;
  }

  async close(): Promise<void> {
    await Promise.all(this.seats.splice(0).map((seat) => seat.worker.terminate()));
  }
}

function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** From source, as tests run, a thread must register the loader of TypeScript itself: `--import` does so in the main thread only. */
const SOURCE_ENTRY = (loader: string, entry: string): string =>
  `import(${JSON.stringify(loader)}).then(({ register }) => { register(); return import(${JSON.stringify(entry)}); })`;

function startWorker(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: WORKER_HEAP_MB, maxYoungGenerationSizeMb: WORKER_NURSERY_MB };
  if (!isFromSource) return new Worker(builtFile("extraction/worker.js"), { resourceLimits });
  // Resolved here: evaluated code looks for packages from the working directory, which a job of the upload service has changed.
  const entry = SOURCE_ENTRY(import.meta.resolve("tsx/esm/api"), new URL("./worker.ts", import.meta.url).href);
  return new Worker(entry, { eval: true, resourceLimits });
}

function startSeat(): Seat {
  const worker = startWorker();
  const seat: Seat = { worker, settle: null };
  worker.unref();
  worker.on("message", (reply: WorkerReply) => {
    const settle = seat.settle;
    seat.settle = null;
    if ("result" in reply) settle?.resolve(reply.result);
    else settle?.reject(faultOf(reply.fault));
  });
  const fail = (error: Error): void => {
    seat.settle?.reject(new ArchiveError("INTERNAL_ERROR", `a worker stopped: ${error.message}`, { cause: error }));
    seat.settle = null;
  };
  worker.on("error", fail);
  worker.on("exit", (code) => fail(new Error(`exit code ${code}`)));
  return seat;
}

function faultOf(fault: Extract<WorkerReply, { fault: unknown }>["fault"]): Error {
  const error: Error & { code?: string } = new Error(fault.message);
  error.stack = fault.stack;
  if (fault.code !== null) error.code = fault.code;
  return error;
}

function assign(seat: Seat, task: Task): Promise<unknown> {
  return new Promise((resolve, reject) => {
    seat.settle = { resolve, reject };
    // While a task runs the worker holds the process open; an idle one does not.
    seat.worker.ref();
    seat.worker.postMessage(task);
  }).finally(() => seat.worker.unref());
}
