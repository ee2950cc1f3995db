import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Directories of runs lie inside the output directory, so that publishing is a rename on one file system. */
const PREFIX = ".archivetool-run-";

/** Parts of a run's private directory. */
export interface RunDirectory {
  readonly root: string;
  /** Text between the passes; deleted as it is consumed, and never published. */
  readonly staging: string;
  /** The new output, complete before any of it is published. */
  readonly output: string;
}

/** Makes the private directory of this process (mode 0700: staged text is not yet redacted). */
export function makeRunDirectory(outputDirectory: string, processId: number): RunDirectory {
  const root = join(outputDirectory, `${PREFIX}${processId}`);
  rmSync(root, { recursive: true, force: true });
  const directory = { root, staging: join(root, "staging"), output: join(root, "output") };
  for (const path of [root, directory.staging, directory.output]) mkdirSync(path, { mode: 0o700 });
  return directory;
}

/** Process ids whose run directories lie in an output directory, live or dead. */
export function runsIn(outputDirectory: string): readonly number[] {
  return readdirSync(outputDirectory)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => Number(name.slice(PREFIX.length)))
    .filter((processId) => Number.isSafeInteger(processId));
}

export function runDirectoryOf(outputDirectory: string, processId: number): string {
  return join(outputDirectory, `${PREFIX}${processId}`);
}

/** True for names that `makeRunDirectory` gives: they are not content of the output directory. */
export function isRunDirectory(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** True when a process of that id runs and is one of ours to wait for. A recycled id of another program is told apart by its command line where the system shows it. */
export function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  try {
    return /archivetool|cli\/main|node/.test(readFileSync(`/proc/${processId}/cmdline`, "utf8"));
  } catch {
    return true;
  }
}
