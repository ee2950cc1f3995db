import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_POSTGRES, testServer } from "../../../test/stores.ts";
import { archiveOnServer } from "../archive-location.ts";
import { MAX_ATTEMPTS, type RunQueue, type WorkerPulse, type WorkerQueue } from "../task-queue.ts";
import { openRunQueue } from "./run-queue.ts";
import { openWorkerPulse, openWorkerQueue } from "./worker-queue.ts";

const { signal } = new AbortController();
const scratch = mkdtempSync(join(tmpdir(), "archivetool-queue-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const bytesOf = (value: string): Uint8Array => Buffer.from(value);

function fileOf(name: string, content: string): { name: string; path: string } {
  const path = join(scratch, `${name}-made`);
  writeFileSync(path, content);
  return { name, path };
}

describe.skipIf(!HAS_POSTGRES)("the queue of a run", () => {
  let run: RunQueue;
  const workers: { readonly pulse: WorkerPulse; readonly queue: WorkerQueue }[] = [];
  const openRun = (command: string): Promise<RunQueue> =>
    openRunQueue(archiveOnServer(testServer().url, "queued"), { command, version: "1", signal });

  /** @param leaseSeconds 0: what it claims may be claimed by the next */
  async function worker(leaseSeconds: number): Promise<WorkerQueue> {
    const setting = { server: testServer().url, name: "test", version: "1", leaseSeconds, signal };
    const pulse = await openWorkerPulse(setting, "ship");
    const queue = openWorkerQueue(setting, pulse.worker);
    workers.push({ pulse, queue });
    return queue;
  }

  beforeAll(async () => {
    run = await openRun("read all");
  });
  afterAll(async () => {
    for (const { pulse, queue } of workers) {
      await queue.close();
      await pulse.close();
    }
    await run?.remove();
    await run?.close();
  });

  const task = (key: string, inputs = "same"): Parameters<RunQueue["add"]>[0] => ({
    key,
    inputs,
    body: bytesOf(`do ${key}`),
  });

  it("gives each task to one worker, and its result and files back", async () => {
    const number = await run.add(task("a"));
    const [first, second] = [await worker(60), await worker(60)];
    const claimed = (await first.claim())!;
    expect([claimed.task, text(claimed.body), await second.claim()]).toEqual([number, "do a", null]);
    const large = "x".repeat((2 << 20) + 1);
    expect(await first.complete(claimed, bytesOf("result"), [fileOf("s", large), fileOf("empty", "")])).toBe(true);
    expect((await run.states([number])).get(number)).toBe("done");
    expect(text(await run.fetch(number, (name) => join(scratch, name)))).toBe("result");
    expect([readFileSync(join(scratch, "s"), "utf8") === large, readFileSync(join(scratch, "empty"), "utf8")]).toEqual([
      true,
      "",
    ]);
    expect(await first.complete(claimed, bytesOf("again"), []), "its answer was lost on the way").toBe(true);
    expect(text(await run.fetch(number, (name) => join(scratch, name)))).toBe("result");
    await second.fetchFile(number, "empty", join(scratch, "one"));
    expect(readFileSync(join(scratch, "one"), "utf8")).toBe("");
  });

  it("takes no result of a worker that comes too late, and none of its files", async () => {
    const number = await run.add(task("late"));
    const [slow, quick] = [await worker(0), await worker(60)];
    const before = (await slow.claim())!;
    const after = (await quick.claim())!;
    expect([after.task, after.token > before.token]).toEqual([number, true]);
    expect(await slow.complete(before, bytesOf("slow"), [fileOf("slow", "late")])).toBe(false);
    expect((await run.states([number])).get(number)).toBe("waiting");
    expect(await quick.complete(after, bytesOf("quick"), [])).toBe(true);
    expect(await slow.complete(before, bytesOf("slow"), [])).toBe(false);
    const noFile = (name: string): string => {
      throw new Error(`a file of the late result: ${name}`);
    };
    expect(text(await run.fetch(number, noFile))).toBe("quick");
  });

  it("gives a task that ends whatever does it to nobody any more", async () => {
    const number = await run.add(task("deadly"));
    const dying = await worker(0);
    expect((await dying.claim())?.task).toBe(number);
    const fresh = await run.add(task("fresh"));
    expect((await dying.claim())?.task, "what nobody has begun goes first").toBe(fresh);
    await run.take(fresh);
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) expect((await dying.claim())?.task).toBe(number);
    expect(await dying.claim()).toBeNull();
    expect((await run.states([number])).get(number)).toBe("spent");
    await run.put(task("deadly"), bytesOf("lost"), []);
    expect((await run.states([number])).get(number)).toBe("done");
  });

  it("leaves to others what a worker refuses, counts no attempt, and knows when all have", async () => {
    const number = await run.add(task("hidden"));
    const [blind, other] = [await worker(60), await worker(60)];
    const refused = (await blind.claim())!;
    await blind.refuse(refused, "not here");
    expect(await blind.claim()).toBeNull();
    expect((await run.workers()).refused.size).toBe(0);
    for (let again = 0; again <= MAX_ATTEMPTS; again++) await other.release((await other.claim())!);
    expect((await run.states([number])).get(number)).toBe("waiting");
    for (const { queue } of workers) {
      const claimed = await queue.claim();
      if (claimed !== null) await queue.refuse(claimed, "nor here");
    }
    expect([...(await run.workers()).refused]).toEqual([[number, "nor here"]]);
    await run.take(number);
  });

  /** What a process that ended has left of a task, which the next one needs again. */
  async function expectBegunAgain(key: string, leave: () => Promise<void>): Promise<void> {
    await leave();
    await run.close();
    run = await openRun("read all");
    const number = await run.add(task(key));
    expect((await run.states([number])).get(number), key).toBe("waiting");
    const claimed = (await (await worker(60)).claim())!;
    expect([claimed.task, text(claimed.body)], key).toEqual([number, `do ${key}`]);
  }

  it("has done again what a process dropped or took before it ended, and the next one needs", async () => {
    await expectBegunAgain("dropped", async () => {
      const dropped = await run.put(task("dropped"), bytesOf("dropped"), [fileOf("file", "of it")]);
      await run.dropFiles([dropped]);
    });
    await expectBegunAgain("taken", async () => run.take(await run.add(task("taken"))));
  });

  it("is gone on with by the same command, where each task has the same inputs, and by no other", async () => {
    await expect(openRun("read all")).rejects.toMatchObject({ code: "OUTPUT_BUSY" });
    const done = await run.put(task("kept"), bytesOf("kept"), []);
    const closed = run;
    const [before] = await Promise.all([run.states([done]), run.close()]);
    expect(before.get(done)).toBe("done");
    await expect(closed.states([done]), "it would connect anew").rejects.toThrow("is closed");
    run = await openRun("read all");
    expect(await run.add(task("kept"))).toBe(done);
    expect((await run.states([done])).get(done)).toBe("done");
    expect(await run.add(task("kept", "other"))).toBe(done);
    expect((await run.states([done])).get(done)).toBe("waiting");
    await run.close();
    run = await openRun("read less");
    expect((await run.states([done])).size).toBe(0);
  });
});
