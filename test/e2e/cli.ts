import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll } from "vitest";

const CLI = resolve(import.meta.dirname, "../../dist/cli/main.js");

export interface CliResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command line as a user would. */
export function archivetool(...args: readonly string[]): CliResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  return { exitCode: status, stdout, stderr };
}

/** A directory for one test file, removed when its tests are done. */
export function scratchDirectory(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), `archivetool-${name}-`));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
