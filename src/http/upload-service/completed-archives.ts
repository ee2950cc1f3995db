import type { Archive } from "../../mail/archive.ts";
import { archiveIn } from "../../store/archive-location.ts";
import { openSearchedArchive, SearchThread } from "../../store/archive-thread.ts";
import { SHARED_MEMORY } from "../../store/reading-memory.ts";
import { ArchiveShelf } from "./archive-shelf.ts";
import type { DataDirectory } from "./data-directory.ts";
import type { UploadVault } from "./upload-vault.ts";

/** The archives of completed uploads. */
export class CompletedArchives {
  private readonly shelf: ArchiveShelf;
  /** One for all: each would cost as much memory as an archive that is open. */
  private readonly searchThread = new SearchThread(SHARED_MEMORY);

  constructor(directory: DataDirectory, vault: UploadVault) {
    this.shelf = new ArchiveShelf(async (uploadId) => {
      await vault.bringArchive(uploadId);
      return openSearchedArchive(archiveIn(directory.archiveDirectory(uploadId)), this.searchThread);
    });
  }

  /** Lends the archive of an upload until `use` has ended. Only `ServiceView` asks, which knows who may. */
  lend<T>(uploadId: string, use: (archive: Archive) => Promise<T>): Promise<T> {
    return this.shelf.lend(uploadId, use);
  }

  /** To be called when an upload is deleted. */
  forget(uploadId: string): void {
    this.shelf.remove(uploadId);
  }

  get openCount(): number {
    return this.shelf.openCount;
  }

  async close(): Promise<void> {
    await this.shelf.close();
    await this.searchThread.close();
  }
}
