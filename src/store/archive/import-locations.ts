import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Prefix of directories for archives imported from documents. */
const IMPORT_PREFIX = "import-";
/** Suffix of the lock file of such a directory, locked while a process uses it. */
export const LOCK_SUFFIX = ".lock";

/** Directory in which a document is imported. */
export function importDirectory(cacheDirectory: string, work: string): string {
  return join(cacheDirectory, IMPORT_PREFIX + work);
}

/** Directories and locks of imports; empty if there are none or the directory is not readable. */
export function importNamesIn(cacheDirectory: string): readonly string[] {
  try {
    return readdirSync(cacheDirectory).filter((name) => name.startsWith(IMPORT_PREFIX));
  } catch {
    return [];
  }
}
