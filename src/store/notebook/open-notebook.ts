import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ArchiveError } from "../../errors.ts";
import { PRIVATE_FILE } from "../../files/durable-files.ts";
import type { Notebook } from "../../mail/notebook.ts";
import type { ArchiveCheck } from "../contract/archive-check.ts";
import { ARCHIVE_FILE, type FileLocation } from "../contract/archive-location.ts";
import type { NotebookReader, StoredNotebook } from "../contract/notebook-location.ts";
import { openNotebookDatabase } from "../sqlite/service/notebook-database.ts";
import { backupOf } from "../sqlite/service/notebook-file.ts";

/** The notebook of the archive in an output directory. Extractions do not change it. */
const NOTEBOOK_FILE = "notebook.db";

/** True for a file of an output directory that belongs to a notebook. */
export function isNotebookFile(path: string): boolean {
  return path.startsWith(NOTEBOOK_FILE);
}

/** Path of the notebook of an archive, even if there is none. */
function notebookFile({ file }: FileLocation): string {
  const name = basename(file);
  return join(dirname(file), name === ARCHIVE_FILE ? NOTEBOOK_FILE : `${name.replace(/\.db$/, "")}.${NOTEBOOK_FILE}`);
}

/** Also true if the file is damaged, or only the backup remains. */
function isNotebookThere(location: FileLocation): boolean {
  const file = notebookFile(location);
  return existsSync(file) || existsSync(backupOf(file));
}

/** Same permissions as the archive; the owner can always read and write. */
function notebookMode({ file }: FileLocation): number {
  return existsSync(file) ? (statSync(file).mode & 0o666) | PRIVATE_FILE : PRIVATE_FILE;
}

/** Opens or creates the notebook of an archive for the duration of `use`. */
export function withNotebook<T>(location: FileLocation, use: (notebook: Notebook) => T): T {
  const notebook = openNotebookDatabase(notebookFile(location), notebookMode(location));
  try {
    return use(notebook);
  } finally {
    notebook.close();
  }
}

/** The notebook of an archive file. */
export function fileNotebook(location: FileLocation): StoredNotebook {
  return {
    entries: async () => notebookEntries(location),
    write: async (use) => withNotebook(location, use),
    close: async () => undefined,
  };
}

/** Reads the notebook of an archive after each write; a hidden one is empty. */
export function notebookReader(location: FileLocation): NotebookReader {
  return (known) => {
    if (location.isNotebookHidden || !isNotebookThere(location))
      return known === 0 ? null : { revision: 0, entries: [] };
    return withNotebook(location, (notebook) => {
      const revision = notebook.revision();
      return revision === known ? null : { revision, entries: notebook.entries() };
    });
  };
}

/** Entries of the notebook of an archive; does not create it. */
export function notebookEntries(location: FileLocation): ReturnType<Notebook["entries"]> {
  return isNotebookThere(location) ? withNotebook(location, (notebook) => notebook.entries()) : [];
}

/** Checks a whole notebook; null if there is none. Faults are returned, not thrown. */
export function checkNotebook(location: FileLocation): ArchiveCheck | null {
  if (!isNotebookThere(location)) return null;
  try {
    notebookEntries(location);
  } catch (error) {
    if (error instanceof ArchiveError) return { faultCount: 1, faults: [error.message] };
    throw error;
  }
  return { faultCount: 0, faults: [] };
}
