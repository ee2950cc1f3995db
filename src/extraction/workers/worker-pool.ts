import type { Worker } from "node:worker_threads";
import type { Task, TaskResult } from "../staging/task.ts";
import { recoverTask } from "./recover-task.ts";
import type { TaskJournal } from "./task-journal.ts";
import type { WorkerLimits } from "./worker-limits.ts";
import { WorkerSeat } from "./worker-seat.ts";
import { WorkerStop } from "./worker-stop.ts";
import { WorkerWatch } from "./worker-watch.ts";

/**
 * Tasks that may be under way or done ahead of the one whose result is awaited: bounds what waits in memory when one
 * unit is slow.
 */
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

/** Does the work in this thread, and ends with it. */
export class InlineRunner implements TaskRunner {
  private readonly perform: Perform;
  private readonly signal: AbortSignal;

  constructor(perform: Perform, signal: AbortSignal) {
    this.perform = perform;
    this.signal = signal;
  }

  async *inOrder<T extends Task, A>(errands: Iterable<Errand<T, A>>): AsyncIterable<Outcome<T, A>> {
    for (const errand of errands) {
      this.signal.throwIfAborted();
      yield { ...errand, result: (await this.perform(errand.task)) as TaskResult<T> };
      // Lets a signal handler and the progress line have their turn between two units.
      await new Promise(setImmediate);
    }
  }

  async close(): Promise<void> {}
}

/** Bytes of a file up to which hashing it takes no longer than starting a thread for it does. */
const LITTLE_FILE_BYTES = 8 << 20;
/** Tasks that wait while one that is little does so as well: where there are more, another thread pays. */
const FEW_WAITING = 2;

/** The work of one task, in whatever thread. */
export type Perform = (task: Task) => Promise<unknown>;

export interface ThreadSetting {
  /** Threads at a time. */
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly start: () => Worker;
  readonly limits: WorkerLimits;
  /** Knows the results of tasks that an earlier process has finished, and keeps those of this one. */
  readonly journal: TaskJournal | null;
}

/**
 * Starts a thread with the first task that finds the others busy: small mail is one unit, and a thread is 30 ms and all
 * its modules.
 */
export class ThreadRunner implements TaskRunner {
  private readonly setting: ThreadSetting;
  private readonly watch: WorkerWatch;
  private readonly seats = new Set<WorkerSeat>();
  private free: WorkerSeat[] = [];
  /** Tasks that wait for a free seat, or for the end of those under way. */
  private waiting: (() => void)[] = [];
  /**
   * Tasks that stopped their worker. They are done again one after the other, while no other is under way: only so is
   * it known who takes what.
   */
  private recoveries = 0;
  private lastRecovery: Promise<unknown> = Promise.resolve();
  /** Counts how often the threads were ended. */
  private generation = 0;

  constructor(setting: ThreadSetting) {
    this.setting = setting;
    this.watch = new WorkerWatch(setting.limits);
  }

  inOrder<T extends Task, A>(errands: Iterable<Errand<T, A>>): AsyncIterable<Outcome<T, A>> {
    const { jobs, signal, journal } = this.setting;
    return answersInOrder(errands, { ahead: jobs * LOOKAHEAD_PER_WORKER, signal }, (task) =>
      journal === null ? this.perform(task) : journal.through(task, () => this.perform(task)),
    );
  }

  async close(): Promise<void> {
    this.generation++;
    this.free = [];
    const ending = [...this.seats].map((seat) => seat.close());
    this.seats.clear();
    await Promise.all(ending);
  }

  /** Does one task, as soon as a thread is free. */
  async perform<T extends Task>(task: T): Promise<TaskResult<T>> {
    const { generation } = this;
    while (this.recoveries > 0 || (this.free.length === 0 && !this.mayStartFor(task))) await this.change();
    try {
      return await this.attempt(task, generation);
    } catch (error) {
      if (!(error instanceof WorkerStop) || generation !== this.generation) throw error;
      return await this.recover(task, error, generation);
    }
  }

  /** The hash of a little file waits for a thread that is there. */
  private mayStartFor(task: Task): boolean {
    const isLittle = task.kind === "hash-file" && task.sizeBytes <= LITTLE_FILE_BYTES;
    const threads = isLittle && this.waiting.length < FEW_WAITING ? 1 : this.setting.jobs;
    return this.seats.size < threads;
  }

  private async attempt<T extends Task>(task: T, generation: number): Promise<TaskResult<T>> {
    if (generation !== this.generation) throw new Error("the threads were ended");
    const seat = this.takeSeat();
    this.watch.begin(seat);
    try {
      return (await seat.perform(task)) as TaskResult<T>;
    } finally {
      this.watch.end(seat);
      if (seat.isOpen && this.seats.has(seat)) this.free.push(seat);
      else this.seats.delete(seat);
      this.wake();
    }
  }

  private async recover<T extends Task>(task: T, stop: WorkerStop, generation: number): Promise<TaskResult<T>> {
    this.recoveries++;
    const turn = this.lastRecovery.then(async () => {
      while (this.free.length < this.seats.size) await this.change();
      return recoverTask(task, stop, (part) => this.attempt(part, generation));
    });
    this.lastRecovery = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.recoveries--;
      this.wake();
    }
  }

  /** A free seat, or a new one: a thread may have ended while it had nothing to do. */
  private takeSeat(): WorkerSeat {
    for (let seat = this.free.pop(); seat !== undefined; seat = this.free.pop()) {
      if (seat.isOpen) return seat;
      this.seats.delete(seat);
    }
    const seat = new WorkerSeat(this.setting.start());
    this.seats.add(seat);
    return seat;
  }

  /** Until a task ends, well or not. */
  private change(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/** How far answers may be asked for ahead of the one whose turn it is. */
interface Lookahead {
  readonly ahead: number;
  readonly signal: AbortSignal;
}

/** Asks for the answers of tasks, some at a time, and gives them in the order of the tasks. */
export async function* answersInOrder<T extends Task, A>(
  errands: Iterable<Errand<T, A>>,
  { ahead, signal }: Lookahead,
  answerTo: (task: T) => Promise<TaskResult<T>>,
): AsyncGenerator<Outcome<T, A>> {
  const source = errands[Symbol.iterator]();
  const asked: { readonly errand: Errand<T, A>; readonly answer: Promise<TaskResult<T>> }[] = [];
  for (;;) {
    while (asked.length < ahead) {
      const next = source.next();
      if (next.done === true) break;
      const answer = answerTo(next.value.task);
      // The failure is thrown where its turn comes; until then it is no unhandled rejection.
      answer.catch(() => undefined);
      asked.push({ errand: next.value, answer });
    }
    const first = asked.shift();
    if (first === undefined) return;
    signal.throwIfAborted();
    yield { ...first.errand, result: await abortable(first.answer, signal) };
  }
}

function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
