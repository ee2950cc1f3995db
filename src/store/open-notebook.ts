import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Notebook, NotebookEntry } from "../mail/notebook.ts";
import { ARCHIVE_FILE, type FileLocation } from "./archive-location.ts";
import { openNotebookDatabase } from "./sqlite/notebook-database.ts";

/** The file beside the archive of an output directory that is its notebook. No extraction touches it. */
const NOTEBOOK_FILE = "notebook.db";

/** Where the notebook of an archive is, whether there is one or not. */
function notebookFile({ file }: FileLocation): string {
  const name = basename(file);
  return join(dirname(file), name === ARCHIVE_FILE ? NOTEBOOK_FILE : `${name.replace(/\.db$/, "")}.${NOTEBOOK_FILE}`);
}

/** Opens the notebook of an archive until `use` has ended; makes it where there is none. */
export function withNotebook<T>(location: FileLocation, use: (notebook: Notebook) => T): T {
  const notebook = openNotebookDatabase(notebookFile(location));
  try {
    return use(notebook);
  } finally {
    notebook.close();
  }
}

/** The notebook of an archive, wherever it is kept. */
export interface PlacedNotebook {
  /** By kind and key. */
  entries(): Promise<readonly NotebookEntry[]>;
  /**
   * Writes into it: what one call of the notebook does is done as a whole or not at all. Rejects with what `use`
   * throws, which may be called more than once.
   */
  write<T>(use: (notebook: Notebook) => T): Promise<T>;
  close(): Promise<void>;
}

/** The notebook beside an archive that is a file. */
export function fileNotebook(location: FileLocation): PlacedNotebook {
  return {
    entries: async () => notebookEntries(location),
    write: async (use) => withNotebook(location, use),
    close: async () => undefined,
  };
}

/** What a notebook holds now; null while its revision is the one that is known. */
export type NotebookReader = (
  known: number,
) => { readonly revision: number; readonly entries: readonly NotebookEntry[] } | null;

/** Reads the notebook of an archive whenever it was written to; one that nobody is to see has nothing. */
export function notebookReader(location: FileLocation): NotebookReader {
  return (known) => {
    if (location.isNotebookHidden || !existsSync(notebookFile(location)))
      return known === 0 ? null : { revision: 0, entries: [] };
    return withNotebook(location, (notebook) => {
      const revision = notebook.revision();
      return revision === known ? null : { revision, entries: notebook.entries() };
    });
  };
}

/** The entries of the notebook of an archive; reading makes none. */
export function notebookEntries(location: FileLocation): ReturnType<Notebook["entries"]> {
  return existsSync(notebookFile(location)) ? withNotebook(location, (notebook) => notebook.entries()) : [];
}
