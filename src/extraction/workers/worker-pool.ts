import type { Worker } from "node:worker_threads";
import type { Task, TaskResult } from "../staging/task.ts";
import { recoverTask } from "./recover-task.ts";
import type { TaskJournal } from "./task-journal.ts";
import type { WorkerLimits } from "./worker-limits.ts";
import { WorkerSlot } from "./worker-slot.ts";
import { WorkerStop } from "./worker-stop.ts";
import { WorkerWatch } from "./worker-watch.ts";

/** Maximum tasks ahead of the one whose result is awaited, which limits memory if one unit is slow. */
const LOOKAHEAD_PER_WORKER = 4;

/** A task, with data about its result that stays in this thread. */
export interface Errand<T extends Task, A> {
  readonly task: T;
  readonly about: A;
}

export interface Outcome<T extends Task, A> extends Errand<T, A> {
  readonly result: TaskResult<T>;
}

/** Tasks to run, as a list or a stream. */
export type Errands<T extends Task, A> = Iterable<Errand<T, A>> | AsyncIterable<Errand<T, A>>;

/** Runs tasks and returns their results in task order. */
export interface TaskRunner {
  inOrder<T extends Task, A>(errands: Errands<T, A>): AsyncIterable<Outcome<T, A>>;
  /** Reserves workers for the second pass while mail is read. Returns false if none can be spared. */
  prepareAhead(): boolean;
  /** All mail is read. After much mail, the parsing threads end: later tasks need other code. */
  endReading(wasMuch: boolean): Promise<void>;
  /** Ends the threads and frees their memory. Later tasks start new ones. */
  close(): Promise<void>;
}

/** Works in this thread, without separate threads. */
export class InlineRunner implements TaskRunner {
  constructor(
    private readonly perform: Perform,
    private readonly signal: AbortSignal,
  ) {}

  async *inOrder<T extends Task, A>(errands: Errands<T, A>): AsyncIterable<Outcome<T, A>> {
    for await (const errand of errands) {
      this.signal.throwIfAborted();
      yield { ...errand, result: (await this.perform(errand.task)) as TaskResult<T> };
      // Yields to signal handlers and the progress line between two units.
      await new Promise(setImmediate);
    }
  }

  prepareAhead(): boolean {
    return false;
  }

  async endReading(): Promise<void> {}

  async close(): Promise<void> {}
}

/** Hashing a file up to this size takes no longer than starting a thread, and neither does a unit of message files. */
const LITTLE_FILE_BYTES = 8 << 20;
/** Waiting tasks beyond which a new thread is worth starting. */
const FEW_WAITING = 2;
/** The same for chunks: compiling code for the first one takes as long as a chunk or two. */
const FEW_CHUNKS_WAITING = 4;

/** Executes one task, in any thread. */
type Perform = (task: Task) => Promise<unknown>;

interface ThreadSetting {
  /** Maximum number of threads. */
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly start: () => Worker;
  readonly limits: WorkerLimits;
  /** Returns results of tasks completed by an earlier process, and stores those of this one. */
  readonly journal: TaskJournal | null;
}

/**
 * Threads for some kinds of work. Each thread compiles its code itself, so two should not share a short piece of work.
 */
class Crew {
  readonly seats = new Set<WorkerSlot>();
  /** Maximum number of threads. */
  size: number;
  private free: WorkerSlot[] = [];

  constructor(size: number) {
    this.size = size;
  }

  get hasFree(): boolean {
    return this.free.length > 0;
  }

  get isIdle(): boolean {
    return this.free.length >= this.seats.size;
  }

  /** A free seat, or a new one: a thread may have ended while idle. */
  takeSeat(start: () => Worker): WorkerSlot {
    for (let seat = this.free.pop(); seat !== undefined; seat = this.free.pop()) {
      if (seat.isOpen) return seat;
      this.seats.delete(seat);
    }
    const seat = new WorkerSlot(start());
    this.seats.add(seat);
    return seat;
  }

  giveBack(seat: WorkerSlot): void {
    if (seat.isOpen && this.seats.has(seat)) this.free.push(seat);
    else this.seats.delete(seat);
  }

  /** Adds the threads of a crew without further work. */
  takeOver(other: Crew): void {
    for (const seat of other.seats) this.seats.add(seat);
    this.free.push(...other.free);
    other.leave();
  }

  async close(): Promise<void> {
    const seats = [...this.seats];
    this.leave();
    await Promise.all(seats.map((seat) => seat.close()));
  }

  private leave(): void {
    this.seats.clear();
    this.free = [];
  }
}

/**
 * Starts a thread with the first task that finds the others busy: a small source is one unit, and starting a thread
 * costs 30 ms and loads all its modules. If texts are prepared while mail is still read, half of the threads do each:
 * with two threads, no code is compiled twice.
 */
export class ThreadRunner implements TaskRunner {
  private readonly watch: WorkerWatch;
  private readonly crew: Crew;
  /** Threads of the second pass, if it does not wait for the first. */
  private ahead: Crew | null = null;
  /** Tasks that wait for a free slot, or for the running ones. */
  private waiting: (() => void)[] = [];
  /** Tasks that stopped their worker are retried one at a time, to find the one that exceeds the limits. */
  private recoveries = 0;
  private lastRecovery: Promise<unknown> = Promise.resolve();
  /** Counts how often the threads were ended. */
  private generation = 0;

  constructor(private readonly setting: ThreadSetting) {
    this.watch = new WorkerWatch(setting.limits);
    this.crew = new Crew(setting.jobs);
  }

  inOrder<T extends Task, A>(errands: Errands<T, A>): AsyncIterable<Outcome<T, A>> {
    const { jobs, signal, journal } = this.setting;
    return answersInOrder(errands, { ahead: jobs * LOOKAHEAD_PER_WORKER, signal }, (task) =>
      journal === null ? this.perform(task) : journal.through(task, () => this.perform(task)),
    );
  }

  prepareAhead(): boolean {
    const { jobs } = this.setting;
    if (jobs < 2) return false;
    this.crew.size = Math.floor(jobs / 2);
    this.ahead = new Crew(jobs - this.crew.size);
    return true;
  }

  async endReading(wasMuch: boolean): Promise<void> {
    const { crew, ahead } = this;
    if (ahead !== null) ahead.size = this.setting.jobs;
    if (wasMuch) await crew.close();
    else ahead?.takeOver(crew);
  }

  async close(): Promise<void> {
    this.generation++;
    await Promise.all([this.crew.close(), this.ahead?.close()]);
    this.ahead = null;
    this.crew.size = this.setting.jobs;
  }

  /** Does one task, as soon as a thread is free. */
  async perform<T extends Task>(task: T): Promise<TaskResult<T>> {
    const { generation } = this;
    while (this.recoveries > 0 || !(this.crewFor(task).hasFree || this.mayStartFor(task))) await this.change();
    try {
      return await this.attempt(task, generation);
    } catch (error) {
      if (!(error instanceof WorkerStop) || generation !== this.generation) throw error;
      return await this.recover(task, error, generation);
    }
  }

  private crewFor(task: Task): Crew {
    return task.kind === "prepare" && this.ahead !== null ? this.ahead : this.crew;
  }

  /** Hashes of little mail, and chunks that need not wait for all mail, do not start a thread. */
  private mayStartFor(task: Task): boolean {
    const crew = this.crewFor(task);
    return crew.seats.size < (this.waiting.length < this.fewWaitingWith(task) ? 1 : crew.size);
  }

  /** Number of waiting tasks from which another thread pays off; 0 if it always does. */
  private fewWaitingWith(task: Task): number {
    if (task.kind === "prepare") return this.ahead === null ? 0 : FEW_CHUNKS_WAITING;
    const isLittle = task.kind === "hash" || (task.kind === "hash-file" && task.sizeBytes <= LITTLE_FILE_BYTES);
    return isLittle ? FEW_WAITING : 0;
  }

  private async attempt<T extends Task>(task: T, generation: number): Promise<TaskResult<T>> {
    if (generation !== this.generation) throw new Error("the threads were ended");
    const crew = this.crewFor(task);
    const seat = crew.takeSeat(this.setting.start);
    this.watch.begin(seat);
    try {
      return (await seat.perform(task)) as TaskResult<T>;
    } finally {
      this.watch.end(seat);
      crew.giveBack(seat);
      this.wake();
    }
  }

  private async recover<T extends Task>(task: T, stop: WorkerStop, generation: number): Promise<TaskResult<T>> {
    this.recoveries++;
    const turn = this.lastRecovery.then(async () => {
      while (!(this.crew.isIdle && (this.ahead?.isIdle ?? true))) await this.change();
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

  /** Resolves when a task ends, successfully or not. */
  private change(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/** Maximum results requested ahead of their turn. */
interface Lookahead {
  readonly ahead: number;
  readonly signal: AbortSignal;
}

/** A task with a pending result. */
interface Asked<T extends Task, A> {
  readonly errand: Errand<T, A>;
  readonly answer: Promise<TaskResult<T>>;
  /** Resolves when it is settled. */
  readonly settled: Promise<undefined>;
}

/** Requests results of tasks with limited concurrency, and returns them in task order. */
async function* answersInOrder<T extends Task, A>(
  errands: Errands<T, A>,
  { ahead, signal }: Lookahead,
  answerTo: (task: T) => Promise<TaskResult<T>>,
): AsyncGenerator<Outcome<T, A>> {
  const source = new ErrandSource(errands);
  const asked: Asked<T, A>[] = [];
  for (;;) {
    signal.throwIfAborted();
    const first = asked[0];
    const errand = asked.length < ahead ? await abortable(source.nextBefore(first?.settled), signal) : undefined;
    if (errand !== undefined) {
      asked.push(askedOf(errand, answerTo(errand.task)));
      continue;
    }
    if (first === undefined) return;
    asked.shift();
    yield { ...first.errand, result: await abortable(first.answer, signal) };
  }
}

/** A stream of tasks with one pending read. */
class ErrandSource<T extends Task, A> {
  private readonly errands: AsyncIterator<Errand<T, A>, undefined> | Iterator<Errand<T, A>, undefined>;
  private coming: Promise<Errand<T, A> | undefined> | null = null;

  constructor(errands: Errands<T, A>) {
    this.errands = Symbol.iterator in errands ? errands[Symbol.iterator]() : errands[Symbol.asyncIterator]();
  }

  /** Returns the next task; undefined if there are none left or a result arrives first. */
  async nextBefore(answer: Promise<undefined> | undefined): Promise<Errand<T, A> | undefined> {
    if (this.coming === null) {
      this.coming = this.next();
      // Thrown when awaited.
      this.coming.catch(() => undefined);
    }
    const errand = await (answer === undefined ? this.coming : Promise.race([this.coming, answer]));
    if (errand !== undefined) this.coming = null;
    return errand;
  }

  private async next(): Promise<Errand<T, A> | undefined> {
    return (await this.errands.next()).value;
  }
}

/** Errors are thrown in task order; until then the rejection counts as handled. */
function askedOf<T extends Task, A>(errand: Errand<T, A>, answer: Promise<TaskResult<T>>): Asked<T, A> {
  const nothing = (): undefined => undefined;
  return { errand, answer, settled: answer.then(nothing, nothing) };
}

function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
