import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { thriftyCompilerFlags } from "./thrifty-compiler.ts";

it("names flags that this Node.js knows, or none", () => {
  const { status, stderr } = spawnSync(process.execPath, [...thriftyCompilerFlags(process.versions.v8), "-e", ""]);
  expect([status, stderr.toString()]).toEqual([0, ""]);
});

it("is for versions that optimize at once only", () => {
  expect(thriftyCompilerFlags("11.3.244.8-node.38")).not.toEqual([]);
  expect(thriftyCompilerFlags("13.6.233.17-node.53")).toEqual([]);
});
