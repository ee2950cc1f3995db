import type { Notebook, NotebookEntry } from "../../mail/notebook.ts";

/** The notebook of an archive, in any store. */
export interface StoredNotebook {
  /** By kind and key. */
  entries(): Promise<readonly NotebookEntry[]>;
  /** Writes to it atomically. Rejects with errors of `use`, which may be called several times. */
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
