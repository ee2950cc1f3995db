import type { Notebook } from "../../mail/notebook.ts";
import type { FileLocation } from "../../store/archive-location.ts";
import { tryNotebook } from "../../store/notebook-trial.ts";
import { withNotebook } from "../../store/open-notebook.ts";
import type { UploadNotebooks } from "../../store/upload-notebooks.ts";

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
  bring(uploadId: string, location: FileLocation): void {
    withNotebook(location, (copy) => {
      const known = copy.revision();
      const news = this.notebooks.notebookSince(uploadId, known);
      if (news.revision !== known) copy.receive(news);
    });
  }

  /** Writes into the notebook: into the database, and then the copy. Throws what `use` throws; then nothing is written. */
  write<T>(uploadId: string, location: FileLocation, use: (notebook: Notebook) => T): T {
    for (;;) {
      this.bring(uploadId, location);
      const before = withNotebook(location, (copy) => ({ revision: copy.revision(), entries: copy.entries() }));
      const { answer, news } = tryNotebook(before, use);
      if (news.revision === before.revision) return answer;
      // Somebody else may have been faster: then it is done again with what they wrote.
      if (!this.notebooks.writeNotebook(uploadId, before.revision, news)) continue;
      this.bring(uploadId, location);
      return answer;
    }
  }
}
