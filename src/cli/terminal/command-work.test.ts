import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { scratchDirectory } from "../../../test/e2e/cli.ts";
import { performWork } from "./command-work.ts";

const scratch = scratchDirectory("command-work");

it("leaves no listener on a signal that outlives the work", async () => {
  const { signal } = new AbortController();
  const missing = { file: `${scratch}/missing.db` } as const;
  const work = { kind: "copy", from: missing, to: { file: `${scratch}/copy.db` }, isVerified: false } as const;
  const ended = performWork(work, { signal, onEvent: () => undefined, cleanUp: () => undefined });
  await expect(ended).rejects.toThrow();
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
