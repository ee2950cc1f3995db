import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Archives that several test files copy, for one run of the tests: its threads are of one process. */
export const SHARED_ARCHIVES = join(tmpdir(), `archivetool-shared-${process.pid}`);

/** Removes them once all tests are over. */
export function teardown(): void {
  rmSync(SHARED_ARCHIVES, { recursive: true, force: true });
}
