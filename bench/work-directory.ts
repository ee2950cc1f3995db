import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Marker of directories created by a benchmark: only these are emptied. */
const MARK = ".archivetool-bench";

/**
 * An empty working directory. A directory of an earlier benchmark is emptied; any other with content is rejected, so
 * that a mail path given by mistake is not deleted.
 */
export function emptyWorkDirectory(path: string): void {
  if (existsSync(path) && readdirSync(path).length > 0 && !existsSync(join(path, MARK))) {
    throw new Error(`${path} holds files that no bench wrote: name a new directory to work in`);
  }
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, MARK), "");
}

/** Total bytes of all files below a directory. */
export function directoryBytes(path: string): number {
  let bytes = 0;
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  }
  return bytes;
}
