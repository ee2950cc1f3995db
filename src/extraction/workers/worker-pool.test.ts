import { EventEmitter } from "node:events";
import type { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import type { HashFileTask } from "../staging/task.ts";
import { WORKER_LIMITS } from "./worker-limits.ts";
import { type Errand, InlineRunner, type TaskRunner, ThreadRunner } from "./worker-pool.ts";

/** A thread that answers when it is told to. */
class FakeWorker extends EventEmitter {
  readonly tasks: HashFileTask[] = [];
  readonly performance = { eventLoopUtilization: () => ({ active: 0 }) };
  isEnded = false;

  postMessage(task: HashFileTask): void {
    this.tasks.push(task);
  }

  answer(): void {
    const task = this.tasks.shift()!;
    const error = { message: "no such file", code: "ENOENT", stack: "" };
    this.emit("message", task.path === "gone" ? { fault: error } : { result: { sha256: task.path, sizeBytes: 0 } });
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

  /** Answers all there is to do, the last thread first, until nothing is left. */
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
  errands: Iterable<Errand<HashFileTask, string>>,
): Promise<readonly (readonly [string, string])[]> {
  const results: (readonly [string, string])[] = [];
  for await (const { about, result } of runner.inOrder(errands)) results.push([about, result.sha256]);
  return results;
}

describe("ThreadRunner", () => {
  it("gives results in the order of the tasks, whoever finishes first, and starts no more threads than there are jobs", async () => {
    const threads = new Threads(3);
    const results = gathered(threads.runner, threads.errands(names(40)));
    await threads.work();
    expect(await results).toEqual(names(40).map((name) => [name, name]));
    expect(threads.started).toHaveLength(3);
  });

  it("starts one thread where there is one task", async () => {
    const threads = new Threads(8);
    const results = gathered(threads.runner, threads.errands(["alone"]));
    await threads.work();
    expect(await results).toHaveLength(1);
    expect(threads.started).toHaveLength(1);
  });

  it("starts none for little files while few wait", async () => {
    const threads = new Threads(8);
    const results = gathered(threads.runner, threads.errands(names(3)));
    await threads.work();
    expect(await results).toHaveLength(3);
    expect(threads.started).toHaveLength(1);
  });

  it("takes a bounded number of tasks ahead of the one that is awaited", async () => {
    const threads = new Threads(2);
    const results = gathered(threads.runner, threads.errands(names(1000)));
    await new Promise(setImmediate);
    expect(threads.taken).toBeLessThan(20);
    await threads.work();
    expect(await results).toHaveLength(1000);
  });

  it("throws a fault of the system where the turn of its task comes", async () => {
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

  it("ends its threads when it is closed, and starts new ones for later tasks", async () => {
    const threads = new Threads(2);
    for (const round of [1, 2]) {
      const results = gathered(threads.runner, threads.errands(names(4)));
      await threads.work();
      expect(await results).toHaveLength(4);
      await threads.runner.close();
      expect(threads.started.map(({ isEnded }) => isEnded)).toEqual(Array.from({ length: 2 * round }, () => true));
    }
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
