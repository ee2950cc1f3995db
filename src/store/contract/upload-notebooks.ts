import type { NotebookNews } from "../../mail/notebook.ts";

/** The notebooks of uploads in a database. Each call is one transaction. */
export interface UploadNotebooks {
  /** Entries after a revision: all after 0. */
  notebookSince(uploadId: string, revision: number): Promise<NotebookNews>;
  /** Writes what follows a revision. False, and nothing written, when the notebook has another one by now. */
  writeNotebook(uploadId: string, known: number, news: NotebookNews): Promise<boolean>;
}
