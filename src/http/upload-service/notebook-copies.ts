import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Notebook, NotebookEntry, NotebookNews, WrittenEntry } from "../../mail/notebook.ts";
import { archiveIn, type FileLocation } from "../../store/archive-location.ts";
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
      const { answer, known, news } = withNotebook(location, (copy) => tried(copy, use));
      if (news.revision === known) return answer;
      // Somebody else may have been faster: then it is done again with what they wrote.
      if (!this.notebooks.writeNotebook(uploadId, known, news)) continue;
      this.bring(uploadId, location);
      return answer;
    }
  }
}

/** What something would write into a notebook: it is let write into another one of the same entries. */
function tried<T>(
  copy: Notebook,
  use: (notebook: Notebook) => T,
): { readonly answer: T; readonly known: number; readonly news: NotebookNews } {
  const [known, before] = [copy.revision(), copy.entries()];
  const directory = mkdtempSync(join(tmpdir(), "archivetool-notebook-"));
  try {
    return withNotebook(archiveIn(directory), (trial) => {
      trial.receive({ revision: known, entries: before });
      const answer = use(trial);
      const revision = trial.revision();
      return { answer, known, news: { revision, entries: changes(before, trial.entries(), { known, revision }) } };
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function changes(
  before: readonly NotebookEntry[],
  after: readonly NotebookEntry[],
  { known, revision }: { readonly known: number; readonly revision: number },
): readonly WrittenEntry[] {
  const left = new Set(after.map(nameOf));
  const removed = before.filter((entry) => !left.has(nameOf(entry)));
  return [
    ...after.filter((entry) => entry.revision > known),
    ...removed.map((entry): WrittenEntry => ({ ...entry, revision, value: null })),
  ];
}

function nameOf({ kind, key }: NotebookEntry): string {
  return `${kind} ${key}`;
}
