import { describe, expect, it } from "vitest";
import { currentTurn, SearchTurns } from "./search-turns.ts";

const NEVER = new AbortController().signal;

/** Queries that run on a fake clock, and the order of their steps. */
class Runs {
  readonly steps: string[] = [];
  private time = 0;
  /** Share of the time in which the thread has a core. */
  share = 1;
  readonly turns = new SearchTurns({ processor: () => this.time * this.share, elapsed: () => this.time });

  work(name: string, steps: number, setting: { signal?: AbortSignal; budget?: number } = {}): Promise<string> {
    const work = async (): Promise<string> => {
      const turn = currentTurn()!;
      for (let step = 0; step < steps; step++) {
        const since = turn.now();
        this.time += 10;
        this.steps.push(name);
        turn.count(since);
        await turn.giveWay();
      }
      return name;
    };
    return this.turns.run(work, setting.signal ?? NEVER, setting.budget);
  }
}

describe("queries of one thread", () => {
  it("lets a short query overtake a long one", async () => {
    const runs = new Runs();
    const long = runs.work("long", 50);
    await new Promise((resolve) => setImmediate(resolve));
    await runs.work("short", 2);
    expect(runs.steps.length).toBeLessThan(10);
    expect(await long).toBe("long");
  });

  it("shares the time among long queries", async () => {
    const runs = new Runs();
    await Promise.all([runs.work("a", 5), runs.work("b", 5), runs.work("c", 5)]);
    expect(runs.steps.slice(0, 6).sort().join("")).toBe("aabbcc");
  });

  it("ends only a canceled query", async () => {
    const runs = new Runs();
    const caller = new AbortController();
    const cancelled = runs.work("cancelled", 1000, { signal: caller.signal });
    const other = runs.work("other", 3);
    caller.abort();
    await expect(cancelled).rejects.toMatchObject({ name: "AbortError" });
    expect(await other).toBe("other");
    expect(runs.steps.filter((name) => name === "cancelled").length).toBeLessThan(5);
  });

  it("stops a query that has used up its budget, and suggests how to narrow it", async () => {
    const runs = new Runs();
    await expect(runs.work("costly", 1000, { budget: 55 })).rejects.toMatchObject({
      code: "QUERY_TOO_EXPENSIVE",
      hint: expect.stringContaining("fewer phrases"),
    });
    expect(runs.steps).toHaveLength(6);
  });

  it("counts no time in which it waited for a core", async () => {
    const runs = new Runs();
    runs.share = 0.1;
    // The first 100 ms are measured as elapsed time, in 10 steps; then a step counts 1 ms.
    await expect(runs.work("waiting", 1000, { budget: 155 })).rejects.toMatchObject({ code: "QUERY_TOO_EXPENSIVE" });
    expect(runs.steps).toHaveLength(10 + 56);
  });

  it("does not limit other work", () => expect(currentTurn()).toBeUndefined());
});
