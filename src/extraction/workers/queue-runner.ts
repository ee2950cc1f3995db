import { createHash } from "node:crypto";
import { mkdirSync, readdirSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ArchiveError } from "../../errors.ts";
import type { WorkUnit } from "../../sources/source.ts";
import { unitContent, unitState } from "../../sources/unit-state.ts";
import { MAX_ATTEMPTS, type QueuedTask, type RunQueue, type TaskState } from "../../store/task-queue.ts";
import type { PackedUnit } from "../staging/packed-unit.ts";
import { packValue, unpackValue } from "../staging/packed-value.ts";
import {
  chunkFiles,
  chunkPath,
  movedChunk,
  packChunkTask,
  packUnitTask,
  SEGMENT,
  unitFiles,
  unitPath,
} from "../staging/queued-task.ts";
import { countStaged } from "../staging/staged-segment.ts";
import type { ParseTask, PreparedChunk, PrepareTask, Task, TaskResult } from "../staging/task.ts";
import type { TaskJournal } from "./task-journal.ts";
import { answersInOrder, type Errands, type Outcome, type TaskRunner, type ThreadRunner } from "./worker-pool.ts";
import { WorkerStop } from "./worker-stop.ts";

/** Tasks in the queue whose results are awaited: enough for a dozen machines, and their results are held in memory. */
const AHEAD = 48;
/** Milliseconds between two looks at the queue. */
const LOOK_MS = 50;
/** Milliseconds between two looks at who works. */
const LOOK_AT_WORKERS_MS = 1_000;
/** Milliseconds without a worker after which a run ends. */
const ALONE_MS = 60_000;
/** Milliseconds in which another worker may come that sees what those at work do not. */
const UNSEEN_MS = 3_000;

/** What a run over a queue works with. */
export interface QueueMeans {
  readonly queue: RunQueue;
  /** Does what no worker can do. */
  readonly local: ThreadRunner;
  readonly journal: TaskJournal;
  readonly signal: AbortSignal;
  /** What messages call the collection. */
  readonly name: string;
}

/** What came of a task in the queue; `unseen` when no worker can read what it names. */
type Ending = Exclude<TaskState, "waiting"> | "unseen";

interface Waiting {
  readonly settle: (ending: Ending) => void;
  readonly reject: (error: unknown) => void;
  /** Since when all workers have refused it; null while one may still do it. */
  unseenSince: number | null;
}

/** A segment that a task of the queue has made. */
interface MadeSegment {
  readonly task: number;
  readonly inputs: string;
}

/** Has tasks done by workers that share a queue, wherever they are. Results are taken in the order of the tasks. */
export class QueueRunner implements TaskRunner {
  private readonly means: QueueMeans;
  private readonly waiting = new Map<number, Waiting>();
  private isLooking = false;
  private readonly segments = new Map<string, MadeSegment>();

  constructor(means: QueueMeans) {
    this.means = means;
  }

  inOrder<T extends Task, A>(errands: Errands<T, A>): AsyncIterable<Outcome<T, A>> {
    const { journal, signal } = this.means;
    return answersInOrder(errands, { ahead: AHEAD, signal }, (task) =>
      journal.through(task, () => this.perform(task) as Promise<TaskResult<T>>),
    );
  }

  /** Whoever works takes tasks of any kind, those of the first pass first. */
  prepareAhead(): boolean {
    return false;
  }

  endReading(wasMuch: boolean): Promise<void> {
    return this.means.local.endReading(wasMuch);
  }

  /** What is still waited for is wanted by nobody any more. */
  close(): Promise<void> {
    this.waiting.clear();
    return this.means.local.close();
  }

  private perform(task: Task): Promise<unknown> {
    if (task.kind === "parse") return this.parse(task);
    if (task.kind === "prepare") return this.prepare(task);
    return this.means.local.perform(task);
  }

  private async parse(task: ParseTask): Promise<PackedUnit> {
    const { queue } = this.means;
    const inputs = unitState(task.unit);
    const content = unitContent(task.unit);
    const key = basename(task.segmentPath);
    if (task.attachmentDirectory !== null) mkdirSync(task.attachmentDirectory, { recursive: true, mode: 0o700 });
    const ownTask = { key, inputs, body: NO_BODY };
    // What is gone for this process is gone, and told so. A password is stored nowhere, and so not in the queue.
    if (content === null || hasPassword(task.unit)) return this.parseHere(task, ownTask);
    const queued: QueuedTask = { key, inputs, body: packUnitTask(task, content) };
    const number = await queue.add(queued);
    const ending = await this.endingOf(number);
    if (ending === "done") {
      const result = unpackValue(await queue.fetch(number, (name) => unitPath(task, name))) as PackedUnit;
      this.segments.set(key, { task: number, inputs });
      return { ...result, inputs };
    }
    await queue.take(number);
    if (ending === "spent") {
      const { code, message } = new WorkerStop("crash", `${MAX_ATTEMPTS} times`);
      return this.parseHere({ ...task, lost: { code, message } }, queued);
    }
    if (unitContent(task.unit) !== content) return this.parseHere(task, queued);
    throw unseen(task);
  }

  /** What is read here becomes a task that is done, so that a worker finds its segment. */
  private async parseHere(task: ParseTask, queued: QueuedTask): Promise<PackedUnit> {
    const result = await this.means.local.perform(task);
    const attachments = task.attachmentDirectory === null ? [] : readdirSync(task.attachmentDirectory);
    const number = await this.means.queue.put(queued, packValue(result), unitFiles(task, attachments));
    this.segments.set(queued.key, { task: number, inputs: queued.inputs });
    return result;
  }

  private async prepare(task: PrepareTask): Promise<PreparedChunk> {
    const { queue, local } = this.means;
    const made: MadeSegment[] = [];
    for (const { path } of task.segments) made.push(await this.segmentOf(path));
    const tasks = made.map(({ task: number }) => number);
    const body = packChunkTask(task, tasks);
    const hash = createHash("sha256").update(body);
    for (const { inputs } of made) hash.update(inputs);
    const queued: QueuedTask = { key: basename(task.base), inputs: hash.digest("hex"), body };
    const number = await queue.add(queued);
    const ending = await this.endingOf(number);
    let chunk: PreparedChunk;
    if (ending === "done") {
      const result = unpackValue(await queue.fetch(number, (name) => chunkPath(task, name))) as PreparedChunk;
      chunk = movedChunk(result, "", task.base);
    } else {
      await queue.take(number);
      const count = task.segments.reduce((sum, { actions }) => sum + countStaged(actions), 0);
      // It has ended whatever read it: all of it is kept without being read.
      const unread = ending === "spent" ? Array.from({ length: count }, (_, entry) => entry) : [];
      chunk = await local.perform({ ...task, unread });
      await queue.put(queued, packValue(movedChunk(chunk, task.base, "")), chunkFiles(task, chunk));
    }
    // This process has them, and nobody else asks for them again.
    await queue.dropFiles(tasks);
    return chunk;
  }

  /** The task that has made a segment, of this process or of one before it. */
  private async segmentOf(path: string): Promise<MadeSegment> {
    const key = basename(path);
    const known = this.segments.get(key);
    if (known !== undefined) return known;
    const inputs = this.means.journal.inputsOf(key);
    const files = [{ name: SEGMENT, path }];
    const made = { task: await this.means.queue.put({ key, inputs, body: NO_BODY }, NO_BODY, files), inputs };
    this.segments.set(key, made);
    return made;
  }

  private endingOf(task: number): Promise<Ending> {
    return new Promise((settle, reject) => {
      this.waiting.set(task, { settle, reject, unseenSince: null });
      if (!this.isLooking) void this.look();
    });
  }

  /** Looks at the queue as long as somebody waits for it. */
  private async look(): Promise<void> {
    this.isLooking = true;
    const { queue, signal } = this.means;
    const workers = { lookedAt: 0, lastSeen: performance.now() };
    try {
      while (this.waiting.size > 0) {
        await pause(LOOK_MS, undefined, { signal });
        const asked = [...this.waiting.keys()];
        const states = await queue.states(asked);
        for (const task of asked) this.learn(task, states.get(task));
        await this.lookAtWorkers(workers);
      }
    } catch (error) {
      for (const { reject } of this.waiting.values()) reject(error);
      this.waiting.clear();
    } finally {
      this.isLooking = false;
    }
  }

  /** Throws NO_WORKER when nobody has worked for long. */
  private async lookAtWorkers(workers: { lookedAt: number; lastSeen: number }): Promise<void> {
    const now = performance.now();
    if (now - workers.lookedAt < LOOK_AT_WORKERS_MS) return;
    workers.lookedAt = now;
    const { alive, refused } = await this.means.queue.workers();
    if (alive > 0) workers.lastSeen = now;
    else if (now - workers.lastSeen > ALONE_MS)
      throw new ArchiveError("NO_WORKER", `no worker is at work for ${this.means.name}`);
    for (const [task, waiting] of this.waiting) {
      if (alive === 0 || !refused.has(task)) waiting.unseenSince = null;
      else if (waiting.unseenSince === null) waiting.unseenSince = now;
      else if (now - waiting.unseenSince > UNSEEN_MS) this.settle(task, "unseen");
    }
  }

  /** Throws STORE_UNREACHABLE for a task that nobody has any more, and nobody would ever do. */
  private learn(task: number, state: TaskState | undefined): void {
    if (state === undefined)
      throw new ArchiveError("STORE_UNREACHABLE", `tasks of this run are gone from ${this.means.name}`, {
        hint: "was a standby promoted that lagged behind? The same command goes on with what is finished",
      });
    if (state !== "waiting") this.settle(task, state);
  }

  private settle(task: number, ending: Ending): void {
    this.waiting.get(task)?.settle(ending);
    this.waiting.delete(task);
  }
}

const NO_BODY = new Uint8Array(0);

function hasPassword(unit: WorkUnit): boolean {
  return "password" in unit && unit.password !== null;
}

function unseen(task: ParseTask): ArchiveError {
  const path = "path" in task.unit ? task.unit.path : task.unit.root;
  return new ArchiveError("NO_WORKER", `no worker can read ${path}`, {
    hint: "let the machine of a worker see it under the same path, with the same bytes",
  });
}
