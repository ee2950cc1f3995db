import type { Notebook, NotebookEntry } from "../../mail/notebook.ts";

/** The notebook of an archive, in any store. */
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

/** Reads the notebook; returns null if the revision is unchanged. */
export type NotebookReader = (
  known: number,
) => { readonly revision: number; readonly entries: readonly NotebookEntry[] } | null;

/** Content of a notebook at a revision. */
export interface NotebookContent {
  readonly revision: number;
  readonly entries: readonly NotebookEntry[];
}
