import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { lateOptimizationFlag } from "./late-optimization.ts";

it("names a flag that this Node.js knows, or none", () => {
  const flag = lateOptimizationFlag(process.versions.v8);
  const { status, stderr } = spawnSync(process.execPath, [...(flag === null ? [] : [flag]), "-e", ""]);
  expect([status, stderr.toString()]).toEqual([0, ""]);
});

it("is for versions that optimize at once only", () => {
  expect(lateOptimizationFlag("11.3.244.8-node.38")).not.toBeNull();
  expect(lateOptimizationFlag("13.6.233.17-node.53")).toBeNull();
});
