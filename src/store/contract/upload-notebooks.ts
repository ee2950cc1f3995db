import type { NotebookNews } from "../../mail/notebook.ts";

/** The notebooks of uploads in a database. Each call is one transaction. */
export interface UploadNotebooks {
  /** Entries after a revision: all after 0. */
  notebookSince(uploadId: string, revision: number): Promise<NotebookNews>;
  /** Writes entries on top of a revision. Returns false without writing if the revision has changed. */
  writeNotebook(uploadId: string, known: number, news: NotebookNews): Promise<boolean>;
}
