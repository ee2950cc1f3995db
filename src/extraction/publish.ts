import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ArchiveError, systemErrorCode } from "../errors.ts";
import { replaceFile, writeDurably } from "../files/durable-files.ts";
import { isRunDirectory, isRunning, type RunDirectory, runDirectoryOf, runsIn } from "./run-directory.ts";

/** Lists the files of an output, so that a later run replaces these and nothing else in the directory. */
export const MANIFEST_FILE = ".archivetool-files.json";
/** Its presence in a run directory says: the new output is complete, move it into place. A publish that was cut short is finished from it. */
const READY_FILE = "ready.json";

interface Manifest {
  readonly tool: "archivetool";
  readonly files: readonly string[];
}

interface Ready {
  readonly stale: readonly string[];
}

/**
 * Checks that an output directory may be written: missing, empty, or an earlier output of ours. Finishes a publish that was cut short,
 * removes what dead runs left, and refuses while another run is at work.
 *
 * @returns the files of the earlier output; empty when there is none
 */
export function claimOutputDirectory(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  try {
    for (const processId of runsIn(directory)) settleRun(directory, processId);
    const manifest = readManifest(directory);
    if (manifest !== null) return manifest.files;
    const foreign = readdirSync(directory).filter((name) => !isRunDirectory(name));
    if (foreign.length === 0) return [];
    throw new ArchiveError("OUTPUT_NOT_OURS", `${directory} is not empty and holds no archivetool output`);
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw new ArchiveError("OUTPUT_UNWRITABLE", `cannot use ${directory} as output directory`, { cause: error });
  }
}

function settleRun(directory: string, processId: number): void {
  if (processId !== process.pid && isRunning(processId)) {
    throw new ArchiveError("OUTPUT_BUSY", `another run (process ${processId}) is writing to ${directory}`);
  }
  const root = runDirectoryOf(directory, processId);
  if (existsSync(join(root, READY_FILE))) moveIntoPlace(root, directory);
  rmSync(root, { recursive: true, force: true });
}

function readManifest(directory: string): Manifest | null {
  const path = join(directory, MANIFEST_FILE);
  if (!existsSync(path)) return null;
  const manifest = JSON.parse(readFileSync(path, "utf8")) as Partial<Manifest>;
  if (manifest.tool !== "archivetool" || !Array.isArray(manifest.files)) return null;
  return { tool: "archivetool", files: manifest.files.filter((file) => typeof file === "string" && isInside(file)) };
}

/** A manifest may have been tampered with: only relative paths below the directory are ever touched. */
function isInside(path: string): boolean {
  return path !== "" && !path.startsWith("/") && !path.includes("\\") && !path.split("/").includes("..") && !/^[a-z]:/i.test(path);
}

/**
 * Moves a complete output into place. Each file appears whole (rename); the order is such that a reader of the archive sees the old or
 * the new store, never half of one. What an earlier output had and this one has not is removed, and nothing else.
 *
 * @param kept files of the earlier output that stay valid (attachments saved by an earlier run)
 */
export function publishOutput(
  run: RunDirectory,
  directory: string,
  earlier: readonly string[],
  kept: ReadonlySet<string>,
): readonly string[] {
  const created = filesBelow(run.output);
  const all = new Set([...created, ...earlier.filter((file) => kept.has(file)), MANIFEST_FILE]);
  const manifest: Manifest = { tool: "archivetool", files: [...all].sort() };
  writeDurably(join(run.output, MANIFEST_FILE), JSON.stringify(manifest));
  const ready: Ready = { stale: earlier.filter((file) => !all.has(file)) };
  writeDurably(join(run.root, READY_FILE), JSON.stringify(ready));
  moveIntoPlace(run.root, directory);
  rmSync(run.root, { recursive: true, force: true });
  return created;
}

function moveIntoPlace(root: string, directory: string): void {
  moveBelow(join(root, "output"), directory);
  const { stale } = JSON.parse(readFileSync(join(root, READY_FILE), "utf8")) as Ready;
  const parents = new Set<string>();
  for (const file of stale) {
    if (!isInside(file)) continue;
    rmSync(join(directory, file), { force: true });
    for (let parent = dirname(file); parent !== "."; parent = dirname(parent)) parents.add(parent);
  }
  for (const parent of [...parents].sort((a, b) => b.length - a.length)) removeIfEmpty(join(directory, parent));
}

/** A directory that has no like in its new place is moved whole: a vault has thousands of pages. */
function moveBelow(source: string, target: string): void {
  const pending = [""];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const entry of readdirSync(join(source, next), { withFileTypes: true })) {
      const path = join(next, entry.name);
      if (entry.isDirectory() && existsSync(join(target, path))) pending.push(path);
      else replaceFile(join(source, path), join(target, path));
    }
  }
}

function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code !== "ENOTEMPTY" && code !== "EEXIST" && code !== "ENOENT") throw error;
  }
}

/** Relative paths of all files below a directory, `/` between levels, sorted. */
export function filesBelow(root: string): readonly string[] {
  const files: string[] = [];
  const pending = [""];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const entry of readdirSync(join(root, next), { withFileTypes: true })) {
      const path = next === "" ? entry.name : `${next}/${entry.name}`;
      if (entry.isDirectory()) pending.push(path);
      else files.push(path);
    }
  }
  return files.sort();
}
