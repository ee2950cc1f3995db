import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Directory for one test run, whose threads belong to one process. */
const RUN_DIRECTORY = join(tmpdir(), `archivetool-tests-${process.pid}`);

/** Archives that several test files copy. */
export const SHARED_ARCHIVES = join(RUN_DIRECTORY, "shared");

/** A new directory, which exists until the end of the run at most. */
export function newDirectory(name: string): string {
  mkdirSync(RUN_DIRECTORY, { recursive: true });
  return mkdtempSync(join(RUN_DIRECTORY, `${name}-`));
}

/** Removes leftovers after all tests: vitest ignores an `afterAll` that a hook requests. */
export function teardown(): void {
  rmSync(RUN_DIRECTORY, { recursive: true, force: true });
}
