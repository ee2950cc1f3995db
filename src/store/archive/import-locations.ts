import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Begins the names of directories in which stores are made of documents. */
const IMPORT_PREFIX = "import-";
/** Suffix of the lock file of such a directory; held while a process works there. */
export const LOCK_SUFFIX = ".lock";

/** Where a store is made of a document. */
export function importDirectory(cacheDirectory: string, work: string): string {
  return join(cacheDirectory, IMPORT_PREFIX + work);
}

/** Directories and locks of imports; none where nothing was ever imported, or nobody may look. */
export function importNamesIn(cacheDirectory: string): readonly string[] {
  try {
    return readdirSync(cacheDirectory).filter((name) => name.startsWith(IMPORT_PREFIX));
  } catch {
    return [];
  }
}
