import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { ThreadCalls } from "./program-thread.ts";

/** A thread that echoes texts, ends on "end" and never answers "wait". */
const ECHO = `const { parentPort } = require("node:worker_threads");
parentPort.on("message", ({ call, text }) => {
  if (text === "end") process.exit(3);
  if (text !== "wait") parentPort.postMessage({ call, text });
});`;

function echo() {
  let threads = 0;
  const calls = new ThreadCalls<{ readonly call: number; readonly text: string }>(
    () => {
      threads++;
      return new Worker(ECHO, { eval: true });
    },
    (cause) => new Error(`stopped: ${cause.message}`),
  );
  return { calls, say: (text: string) => calls.post((call) => ({ call, text })), started: () => threads };
}

it("rejects pending calls when the thread dies, and starts another for the next", async () => {
  const { calls, say, started } = echo();
  expect(await Promise.all([say("a"), say("b")])).toEqual([
    { call: 1, text: "a" },
    { call: 2, text: "b" },
  ]);
  const waiting = say("wait");
  await expect(say("end")).rejects.toThrow("stopped: exit code 3");
  await expect(waiting).rejects.toThrow("stopped: exit code 3");
  expect(await say("c")).toEqual({ call: 5, text: "c" });
  expect(started()).toBe(2);
  await calls.end(new Error("closed"));
});

it("rejects canceled calls and those of a closed thread with the given reason", async () => {
  const { calls, say } = echo();
  const [canceled, closed] = [say("wait"), say("wait")];
  calls.cancel(1, new Error("canceled"));
  await expect(canceled).rejects.toThrow("canceled");
  const ended = calls.end(new Error("closed"));
  await expect(closed).rejects.toThrow("closed");
  await ended;
});
