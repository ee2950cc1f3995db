import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Lies in every directory that a bench made: only what has it is emptied. */
const MARK = ".archivetool-bench";

/**
 * An empty directory for a bench to work in. One that an earlier bench made is emptied; any other that holds something
 * is refused, for a path of mail given in its place would otherwise be deleted.
 */
export function emptyWorkDirectory(path: string): void {
  if (existsSync(path) && readdirSync(path).length > 0 && !existsSync(join(path, MARK))) {
    throw new Error(`${path} holds files that no bench wrote: name a new directory to work in`);
  }
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, MARK), "");
}

/** Bytes of all files below a directory. */
export function directoryBytes(path: string): number {
  let bytes = 0;
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  }
  return bytes;
}
