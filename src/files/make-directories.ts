import { existsSync, mkdirSync, rmdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { systemErrorCode } from "../errors.ts";
import { PRIVATE_DIRECTORY, syncDirectory } from "./durable-files.ts";

/**
 * Creates a directory and its parents one by one, each synced. `mkdirSync` with `recursive` never returns on file
 * systems that answer ENOENT below an existing parent (/proc is one), and reports read-only file systems as ENOENT.
 * @returns created directories, the deepest first
 */
export function makeDirectories(path: string): readonly string[] {
  const made: string[] = [];
  try {
    for (const next of missingDirectories(path).toReversed()) {
      if (!makeDirectory(next)) continue;
      made.unshift(next);
      syncDirectory(dirname(next));
    }
  } catch (error) {
    removeDirectories(made);
    throw error;
  }
  return made;
}

/** The missing directories of a path, the deepest first. */
export function missingDirectories(path: string): readonly string[] {
  const missing: string[] = [];
  for (let next = resolve(path); !existsSync(next); next = dirname(next)) missing.push(next);
  return missing;
}

/** Removes created directories that are still empty. @param made the deepest first */
export function removeDirectories(made: readonly string[]): void {
  try {
    for (const path of made) rmdirSync(path);
  } catch {
    // Another program uses it, or the disk fails: the earlier error is the one reported.
  }
}

/** Returns false if another program has created it since. */
function makeDirectory(path: string): boolean {
  try {
    mkdirSync(path, { mode: PRIVATE_DIRECTORY });
    return true;
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
    return false;
  }
}
