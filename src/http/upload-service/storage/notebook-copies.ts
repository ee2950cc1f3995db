import type { Notebook } from "../../../mail/notebook.ts";
import type { FileLocation } from "../../../store/contract/archive-location.ts";
import type { UploadNotebooks } from "../../../store/contract/upload-notebooks.ts";
import { tryNotebook } from "../../../store/notebook/notebook-dry-run.ts";
import { withNotebook } from "../../../store/notebook/open-notebook.ts";

/**
 * Notebooks in the database of services that share no disk. Each has a copy beside its copy of the archive, which
 * searches read as any other notebook, and which holds nothing that the database has not.
 */
export class NotebookCopies {
  private readonly notebooks: UploadNotebooks;

  constructor(notebooks: UploadNotebooks) {
    this.notebooks = notebooks;
  }

  /** Brings the copy beside an archive up to what is written now. */
  async bring(uploadId: string, location: FileLocation): Promise<void> {
    const known = withNotebook(location, (copy) => copy.revision());
    const news = await this.notebooks.notebookSince(uploadId, known);
    if (news.revision === known) return;
    withNotebook(location, (copy) => {
      // Another request may have brought later news meanwhile.
      if (copy.revision() < news.revision) copy.receive(news);
    });
  }

  /** Writes into the notebook: into the database, and then the copy. Throws what `use` throws; then nothing is written. */
  async write<T>(uploadId: string, location: FileLocation, use: (notebook: Notebook) => T): Promise<T> {
    for (;;) {
      await this.bring(uploadId, location);
      const before = withNotebook(location, (copy) => ({ revision: copy.revision(), entries: copy.entries() }));
      const { answer, news } = tryNotebook(before, use);
      if (news.revision === before.revision) return answer;
      // Somebody else may have been faster: then it is done again with what they wrote.
      if (!(await this.notebooks.writeNotebook(uploadId, before.revision, news))) continue;
      await this.bring(uploadId, location);
      return answer;
    }
  }
}
