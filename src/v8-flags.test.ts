import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { HEAP_GROWTH_FLAGS, SMALL_HEAP_FLAG, thriftyCompilerFlags } from "./v8-flags.ts";

it("uses only flags of this Node.js", () => {
  const { status, stderr } = spawnSync(process.execPath, [
    SMALL_HEAP_FLAG,
    ...HEAP_GROWTH_FLAGS,
    ...thriftyCompilerFlags(process.versions.v8, true),
    "-e",
    "",
  ]);
  expect([status, stderr.toString()]).toEqual([0, ""]);
});

it("is for versions that optimize at once only", () => {
  expect(thriftyCompilerFlags("11.3.244.8-node.38")).not.toEqual([]);
  expect(thriftyCompilerFlags("13.6.233.17-node.53", true)).toEqual([]);
});
