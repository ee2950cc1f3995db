import type { Notebook, NotebookEntry } from "../../mail/notebook.ts";

/** The notebook of an archive, wherever it is kept. */
export interface StoredNotebook {
  /** By kind and key. */
  entries(): Promise<readonly NotebookEntry[]>;
  /**
   * Writes into it: what one call of the notebook does is done as a whole or not at all. Rejects with what `use`
   * throws, which may be called more than once.
   */
  write<T>(use: (notebook: Notebook) => T): Promise<T>;
  close(): Promise<void>;
}

/** What a notebook holds now; null while its revision is the one that is known. */
export type NotebookReader = (
  known: number,
) => { readonly revision: number; readonly entries: readonly NotebookEntry[] } | null;

/** What a notebook holds at a revision. */
export interface NotebookContent {
  readonly revision: number;
  readonly entries: readonly NotebookEntry[];
}
