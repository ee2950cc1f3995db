import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterAll, expect } from "vitest";
import { newDirectory } from "../run-directory.ts";

const CLI = resolve(import.meta.dirname, "../../dist/cli/main.js");

export interface CliResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command line as a user would. */
export function archivetool(...args: readonly string[]): CliResult {
  return archivetoolWith({}, ...args);
}

/** The same with additional environment variables. */
export function archivetoolWith(environment: Readonly<Record<string, string>>, ...args: readonly string[]): CliResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    encoding: "utf8",
    maxBuffer: 64 << 20,
    env: { ...process.env, ...environment },
  });
  return { exitCode: status, stdout, stderr };
}

/** A directory for one test file, removed after its tests, or after the run if a hook requested it. */
export function scratchDirectory(name: string): string {
  const directory = newDirectory(name);
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Archives that the same extraction created before, by arguments: test files do not share sources. */
const extracted = new Map<string, string>();

/**
 * Puts the archive of sources into a new directory. It is copied if the same extraction ran before, which takes a
 * hundredth of the time. Sources must not change in between, and must stay where they are.
 */
export function putArchive(output: string, ...args: readonly string[]): void {
  const key = JSON.stringify(args);
  const archive = extracted.get(key) ?? extractBeside(output, args);
  extracted.set(key, archive);
  cpSync(archive, output, { recursive: true, preserveTimestamps: true });
}

function extractBeside(output: string, args: readonly string[]): string {
  const archive = join(mkdtempSync(join(dirname(output), "extracted-")), "archive");
  const { exitCode, stderr } = archivetool("-q", "extract", ...args, "-o", archive);
  expect(exitCode, stderr).toBe(0);
  return archive;
}
