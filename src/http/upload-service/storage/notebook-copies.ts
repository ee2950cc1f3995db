import type { Notebook } from "../../../mail/notebook.ts";
import type { FileLocation } from "../../../store/contract/archive-location.ts";
import type { UploadNotebooks } from "../../../store/contract/upload-notebooks.ts";
import { tryNotebook } from "../../../store/notebook/notebook-dry-run.ts";
import { withNotebook } from "../../../store/notebook/open-notebook.ts";

/**
 * Notebooks in the database, for services without a common disk. Each has a local replica next to the cached archive.
 * Searches read the replica like any notebook, and all of its data is in the database.
 */
export class NotebookCopies {
  constructor(private readonly notebooks: UploadNotebooks) {}

  /** Updates the replica next to an archive to the latest revision. */
  async bring(uploadId: string, location: FileLocation): Promise<void> {
    const known = withNotebook(location, (copy) => copy.revision());
    const news = await this.notebooks.notebookSince(uploadId, known);
    if (news.revision === known) return;
    withNotebook(location, (copy) => {
      // Another request may have applied a later revision.
      if (copy.revision() < news.revision) copy.receive(news);
    });
  }

  /** Writes to the notebook: the database, then the copy. Throws errors of `use` without writing. */
  async write<T>(uploadId: string, location: FileLocation, use: (notebook: Notebook) => T): Promise<T> {
    for (;;) {
      await this.bring(uploadId, location);
      const before = withNotebook(location, (copy) => ({ revision: copy.revision(), entries: copy.entries() }));
      const { answer, news } = tryNotebook(before, use);
      if (news.revision === before.revision) return answer;
      // On a concurrent change, repeats this with the new entries.
      if (!(await this.notebooks.writeNotebook(uploadId, before.revision, news))) continue;
      await this.bring(uploadId, location);
      return answer;
    }
  }
}
