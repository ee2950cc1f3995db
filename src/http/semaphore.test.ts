import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { Semaphore } from "./semaphore.ts";

it("limits concurrency, keeps the order, and continues after a failure", async () => {
  const turnstile = new Semaphore(2);
  const log: string[] = [];
  let running = 0;
  const work = (name: string) => async (): Promise<string> => {
    running++;
    log.push(`${name} ${running}`);
    await setImmediate();
    running--;
    if (name === "b") throw new Error(name);
    return name;
  };
  const results = await Promise.allSettled(["a", "b", "c", "d", "e"].map((name) => turnstile.pass(work(name))));
  expect(log.map((line) => line[0]).join("")).toBe("abcde");
  expect(log.every((line) => !line.endsWith("3"))).toBe(true);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled", "fulfilled"]);
  expect(await turnstile.pass(work("f"))).toBe("f");
});
