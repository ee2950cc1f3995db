import type { Archive } from "../../../mail/archive.ts";
import type { Notebook } from "../../../mail/notebook.ts";
import type { UploadRecord } from "../../../mail/uploads.ts";
import { openSearchedArchive } from "../../../store/archive/archive-thread.ts";
import { archiveIn, type FileLocation } from "../../../store/contract/archive-location.ts";
import { SHARED_MEMORY } from "../../../store/contract/reading-memory.ts";
import { withNotebook } from "../../../store/notebook/open-notebook.ts";
import { SearchThread } from "../../../store/threads/search-thread.ts";
import type { DataDirectory } from "../base/data-directory.ts";
import { ArchiveShelf } from "../storage/archive-pool.ts";
import { NotebookCopies } from "../storage/notebook-copies.ts";
import type { Service } from "./service.ts";

/** The archives of completed uploads. */
export class CompletedArchives {
  private readonly shelf: ArchiveShelf;
  /** One for all: each would cost as much memory as an archive that is open. */
  private readonly searchThread = new SearchThread(SHARED_MEMORY);

  private readonly directory: DataDirectory;
  /** Null if all services share the notebooks next to the archives. */
  private readonly copies: NotebookCopies | null;

  constructor({ directory, storage, catalogue }: Pick<Service, "directory" | "storage" | "catalogue">) {
    this.directory = directory;
    this.copies = storage !== null && catalogue.notebooks !== null ? new NotebookCopies(catalogue.notebooks) : null;
    this.shelf = new ArchiveShelf(async (uploadId) => {
      await storage?.bringArchive(uploadId);
      return openSearchedArchive(this.locationOf(uploadId), this.searchThread);
    });
  }

  /** Lends the archive of an upload until `use` has ended. Only `ServiceView` asks, which knows who may. */
  lend<T>(upload: UploadRecord, use: (archive: Archive) => Promise<T>): Promise<T> {
    const { uploadId } = upload;
    return this.shelf.lend(upload, async (archive) => {
      await this.copies?.bring(uploadId, this.locationOf(uploadId));
      return use(archive);
    });
  }

  /** Writes into the notebook of an archive that is lent. */
  async writeNotebook<T>(uploadId: string, change: (notebook: Notebook) => T): Promise<T> {
    const location = this.locationOf(uploadId);
    return this.copies === null ? withNotebook(location, change) : this.copies.write(uploadId, location, change);
  }

  /** To be called when an upload is deleted. */
  forget(uploadId: string): void {
    this.shelf.remove(uploadId);
  }

  get openCount(): number {
    return this.shelf.openCount;
  }

  private locationOf(uploadId: string): FileLocation {
    return archiveIn(this.directory.archiveDirectory(uploadId));
  }

  async close(): Promise<void> {
    await this.shelf.close();
    await this.searchThread.close();
  }
}
