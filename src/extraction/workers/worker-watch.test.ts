import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { StopReason } from "./worker-stop.ts";
import { type Watched, WorkerWatch } from "./worker-watch.ts";

const MIB = 1 << 20;
const LIMITS = { memoryBytes: 100 * MIB, furtherBytes: 50 * MIB, memoryFactor: 4, seconds: 10, secondsPerMib: 2 };

class Worker implements Watched {
  readonly bytes: number;
  readonly stops: StopReason[] = [];
  idleMs = 0;

  constructor(bytes: number) {
    this.bytes = bytes;
  }

  taskBytes(): number {
    return this.bytes;
  }

  activeMs(): number {
    return performance.now() - this.idleMs;
  }

  stop(reason: StopReason): void {
    this.stops.push(reason);
  }
}

let resident = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  resident = 300 * MIB;
  vi.spyOn(process.memoryUsage, "rss").mockImplementation(() => resident);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("WorkerWatch", () => {
  it("stops only the worker that exceeds its time", () => {
    const watch = new WorkerWatch(LIMITS);
    const [small, large] = [new Worker(0), new Worker(5 * MIB)];
    watch.begin(small);
    watch.begin(large);
    vi.advanceTimersByTime(10_000);
    expect([small.stops, large.stops]).toEqual([[], []]);
    vi.advanceTimersByTime(200);
    expect([small.stops[0], large.stops]).toEqual(["time", []]);
    watch.end(small);
    vi.advanceTimersByTime(9_900);
    expect(large.stops[0]).toBe("time");
  });

  it("counts no time that a worker waits", () => {
    const watch = new WorkerWatch(LIMITS);
    const worker = new Worker(0);
    watch.begin(worker);
    vi.advanceTimersByTime(5_000);
    for (let waited = 0; waited < 60_000; waited += 100) {
      worker.idleMs += 100;
      vi.advanceTimersByTime(100);
    }
    expect(worker.stops).toEqual([]);
    vi.advanceTimersByTime(5_200);
    expect(worker.stops[0]).toBe("time");
    watch.end(worker);
  });

  it("counts the time of a task from its beginning", () => {
    const watch = new WorkerWatch(LIMITS);
    const worker = new Worker(0);
    for (let task = 0; task < 3; task++) {
      watch.begin(worker);
      vi.advanceTimersByTime(9_000);
      watch.end(worker);
    }
    expect(worker.stops).toEqual([]);
  });

  it("stops all workers if together they exceed the memory of their tasks", () => {
    const watch = new WorkerWatch(LIMITS);
    const workers = [new Worker(10 * MIB), new Worker(0)];
    for (const worker of workers) watch.begin(worker);
    resident += 190 * MIB;
    vi.advanceTimersByTime(1_000);
    expect(workers.map(({ stops }) => stops)).toEqual([[], []]);
    resident++;
    vi.advanceTimersByTime(100);
    expect(workers.map(({ stops }) => stops)).toEqual([["memory"], ["memory"]]);
  });

  it("does not check while no worker is busy", () => {
    const watch = new WorkerWatch(LIMITS);
    const worker = new Worker(0);
    watch.begin(worker);
    watch.end(worker);
    expect(vi.getTimerCount()).toBe(0);
    resident += 1_000 * MIB;
    watch.begin(worker);
    vi.advanceTimersByTime(1_000);
    expect(worker.stops).toEqual([]);
  });
});
