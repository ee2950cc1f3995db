import { EventEmitter } from "node:events";
import type { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { FIRST_MESSAGE, ordinalAt } from "../../mail/records/ordinal.ts";
import type { HashFileTask, PrepareTask, Task } from "../staging/task.ts";
import { Feed } from "./feed.ts";
import { WORKER_LIMITS } from "./worker-limits.ts";
import { type Errand, type Errands, InlineRunner, type TaskRunner, ThreadRunner } from "./worker-pool.ts";

/** A thread that answers on request. */
class FakeWorker extends EventEmitter {
  readonly tasks: Task[] = [];
  /** All tasks so far. */
  readonly kinds = new Set<Task["kind"]>();
  readonly performance = { eventLoopUtilization: () => ({ active: 0 }) };
  isEnded = false;

  postMessage(task: Task): void {
    this.tasks.push(task);
    this.kinds.add(task.kind);
  }

  answer(): void {
    const task = this.tasks.shift()!;
    const error = { message: "no such file", code: "ENOENT", stack: "" };
    const name = task.kind === "hash-file" ? task.path : task.kind === "prepare" ? task.base : "";
    this.emit("message", name === "gone" ? { fault: error } : { result: { sha256: name, sizeBytes: 0 } });
  }

  ref(): void {}
  unref(): void {}

  async terminate(): Promise<void> {
    this.isEnded = true;
    this.emit("exit", 1);
  }
}

class Threads {
  readonly started: FakeWorker[] = [];
  readonly runner: TaskRunner;
  taken = 0;

  constructor(jobs: number, signal = new AbortController().signal) {
    const start = (): Worker => {
      const worker = new FakeWorker();
      this.started.push(worker);
      return worker as unknown as Worker;
    };
    this.runner = new ThreadRunner({ jobs, signal, start, limits: WORKER_LIMITS, journal: null });
  }

  *errands(paths: readonly string[]): Generator<Errand<HashFileTask, string>> {
    for (const path of paths) {
      this.taken++;
      yield { task: { kind: "hash-file", path, sizeBytes: 0 }, about: path };
    }
  }

  /** Answers all pending tasks, the last thread first, until none is left. */
  async work(): Promise<void> {
    for (let idle = 0; idle < 5; idle++) {
      await new Promise(setImmediate);
      for (const worker of this.started.toReversed()) {
        if (worker.tasks.length === 0) continue;
        worker.answer();
        idle = 0;
      }
    }
  }
}

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `file ${index}`);

async function gathered(
  runner: TaskRunner,
  errands: Errands<HashFileTask, string>,
  results: (readonly [string, string])[] = [],
): Promise<readonly (readonly [string, string])[]> {
  for await (const { about, result } of runner.inOrder(errands)) results.push([about, result.sha256]);
  return results;
}

describe("ThreadRunner", () => {
  it("returns results in task order, and starts no more threads than jobs", async () => {
    const threads = new Threads(3);
    const results = gathered(threads.runner, threads.errands(names(40)));
    await threads.work();
    expect(await results).toEqual(names(40).map((name) => [name, name]));
    expect(threads.started).toHaveLength(3);
  });

  it("starts one thread for one task", async () => {
    const threads = new Threads(8);
    const results = gathered(threads.runner, threads.errands(["alone"]));
    await threads.work();
    expect(await results).toHaveLength(1);
    expect(threads.started).toHaveLength(1);
  });

  it("starts no workers for a few small files", async () => {
    const threads = new Threads(8);
    const results = gathered(threads.runner, threads.errands(names(3)));
    await threads.work();
    expect(await results).toHaveLength(3);
    expect(threads.started).toHaveLength(1);
  });

  it("prefetches a limited number of tasks", async () => {
    const threads = new Threads(2);
    const results = gathered(threads.runner, threads.errands(names(1000)));
    await new Promise(setImmediate);
    expect(threads.taken).toBeLessThan(20);
    await threads.work();
    expect(await results).toHaveLength(1000);
  });

  it("throws a system fault when its task is due", async () => {
    const threads = new Threads(2);
    const seen: string[] = [];
    const all = (async () => {
      for await (const { about } of threads.runner.inOrder(threads.errands(["a", "gone", "b"]))) seen.push(about);
    })();
    all.catch(() => undefined);
    await threads.work();
    await expect(all).rejects.toMatchObject({ code: "ENOENT" });
    expect(seen).toEqual(["a"]);
  });

  it("ends its threads on close, and starts new ones for later tasks", async () => {
    const threads = new Threads(2);
    for (const round of [1, 2]) {
      const results = gathered(threads.runner, threads.errands(names(4)));
      await threads.work();
      expect(await results).toHaveLength(4);
      await threads.runner.close();
      expect(threads.started.map(({ isEnded }) => isEnded)).toEqual(Array.from({ length: 2 * round }, () => true));
    }
  });

  it("returns results of single tasks immediately", async () => {
    const threads = new Threads(2);
    const [first, second] = [...threads.errands(["first", "second"])] as const;
    const feed = new Feed<Errand<HashFileTask, string>>();
    const results: (readonly [string, string])[] = [];
    const all = gathered(threads.runner, feed, results);
    feed.push(first!);
    await threads.work();
    expect(results).toEqual([["first", "first"]]);
    feed.push(second!);
    feed.end();
    await threads.work();
    expect(await all).toEqual(["first", "second"].map((name) => [name, name]));
  });

  it("stops waiting for tasks to come when the run is stopped", async () => {
    const abort = new AbortController();
    const threads = new Threads(2, abort.signal);
    const results = gathered(threads.runner, new Feed<Errand<HashFileTask, string>>());
    await new Promise(setImmediate);
    abort.abort(new Error("stopped by hand"));
    await expect(results).rejects.toThrow("stopped by hand");
  });

  it("stops waiting when the run is stopped", async () => {
    const abort = new AbortController();
    const threads = new Threads(1, abort.signal);
    const results = gathered(threads.runner, threads.errands(names(2)));
    await new Promise(setImmediate);
    abort.abort(new Error("stopped by hand"));
    await expect(results).rejects.toThrow("stopped by hand");
  });
});

/** Chunks by base name. */
function* chunks(bases: readonly string[]): Generator<Errand<PrepareTask, string>> {
  const firstOrdinal = ordinalAt(FIRST_MESSAGE);
  for (const base of bases) {
    const task: PrepareTask = {
      kind: "prepare",
      segments: [],
      firstOrdinal,
      base,
      redact: [],
      mentions: false,
      range: null,
      unread: [],
    };
    yield { task, about: base };
  }
}

async function prepared(runner: TaskRunner, bases: readonly string[]): Promise<readonly string[]> {
  const done: string[] = [];
  for await (const { about } of runner.inOrder(chunks(bases))) done.push(about);
  return done;
}

describe("ThreadRunner that prepares ahead", () => {
  it("lets some threads read and others prepare, at most one per job", async () => {
    for (const jobs of [2, 3, 8]) {
      const threads = new Threads(jobs);
      expect(threads.runner.prepareAhead()).toBe(true);
      const read = gathered(threads.runner, threads.errands(names(60)));
      const done = prepared(threads.runner, names(60));
      await threads.work();
      expect(await read).toHaveLength(60);
      expect(await done).toEqual(names(60));
      expect(threads.started).toHaveLength(jobs);
      expect(threads.started.map(({ kinds }) => kinds.size)).toEqual(threads.started.map(() => 1));
    }
  });

  it("uses the only thread for reading", () => {
    expect(new Threads(1).runner.prepareAhead()).toBe(false);
  });

  it("ends threads that read much, and keeps the others", async () => {
    const threads = new Threads(2);
    threads.runner.prepareAhead();
    const read = gathered(threads.runner, threads.errands(names(4)));
    const done = prepared(threads.runner, ["one"]);
    await new Promise(setImmediate);
    await threads.work();
    await Promise.all([read, done]);
    await threads.runner.endReading(true);
    const reading = (worker: FakeWorker): boolean => worker.kinds.has("hash-file");
    expect(threads.started.map(({ isEnded }) => isEnded)).toEqual(threads.started.map(reading));
    await threads.runner.close();
    expect(threads.started.every(({ isEnded }) => isEnded)).toBe(true);
  });

  it("prepares small sources in the thread that read them", async () => {
    const threads = new Threads(2);
    threads.runner.prepareAhead();
    const read = gathered(threads.runner, threads.errands(["little"]));
    await threads.work();
    await read;
    await threads.runner.endReading(false);
    const done = prepared(threads.runner, ["one"]);
    await threads.work();
    expect(await done).toEqual(["one"]);
    expect(threads.started).toHaveLength(1);
  });

  it("lets all threads prepare after reading", async () => {
    const threads = new Threads(4);
    threads.runner.prepareAhead();
    await threads.runner.endReading(true);
    const done = prepared(threads.runner, names(20));
    await threads.work();
    expect(await done).toHaveLength(20);
    expect(threads.started).toHaveLength(4);
  });
});

describe("InlineRunner", () => {
  it("does one task after the other in this thread, and looks at the signal between them", async () => {
    const abort = new AbortController();
    const done: string[] = [];
    const runner = new InlineRunner(async (task) => {
      const { path } = task as HashFileTask;
      done.push(path);
      if (path === "file 1") abort.abort(new Error("stopped by hand"));
      return { sha256: path, sizeBytes: 0 };
    }, abort.signal);
    await expect(gathered(runner, new Threads(1).errands(names(5)))).rejects.toThrow("stopped by hand");
    expect(done).toEqual(["file 0", "file 1"]);
  });
});
