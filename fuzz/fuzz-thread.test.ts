import { expect, it } from "vitest";
import { watchFuzzing } from "./fuzz-thread.ts";

/** Found by the watch, as no oracle inside the thread can tell of them. */
it.each([
  ["hang", "hangs", 1],
  ["death", "dies: ", 60],
])("reports the input after a %s of its thread", async (name, reason, hangSeconds) => {
  const found: string[] = [];
  await watchFuzzing({
    targets: new URL("./planted-targets.ts", import.meta.url).href,
    name,
    bytesMax: 400,
    seed: 1,
    seconds: 4,
    hangSeconds,
    onFound: (input, verdict) => void found.push(`${verdict.reason} ${Buffer.from(input).toString("latin1")}`),
    onLook: () => undefined,
  });
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(reason);
  expect(found[0]).toMatch(new RegExp(`${name}$`));
});
