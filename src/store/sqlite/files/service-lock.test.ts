import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { acquireServiceLock } from "./service-lock.ts";

const directory = mkdtempSync(join(tmpdir(), "archivetool-lock-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it("admits one service at a time, and the next after its release", () => {
  const path = join(directory, "service.lock");
  const first = acquireServiceLock(path);
  expect(readdirSync(directory)).toEqual(["service.lock"]);
  expect(() => acquireServiceLock(path)).toThrowError(expect.objectContaining({ code: "SERVICE_RUNNING" }));
  first.release();
  const second = acquireServiceLock(path);
  expect(() => acquireServiceLock(path)).toThrowError(expect.objectContaining({ code: "SERVICE_RUNNING" }));
  second.release();
});
