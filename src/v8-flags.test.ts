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

it.each([
  ["11.3.244.8-node.38", true],
  ["12.4.254.21-node.57", false],
  ["13.6.233.17-node.53", true],
  ["14.6.202.34-node.34", true],
])("reduces the compilers of measured versions only: %s", (version, isMeasured) => {
  expect(thriftyCompilerFlags(version).length > 0).toBe(isMeasured);
});
