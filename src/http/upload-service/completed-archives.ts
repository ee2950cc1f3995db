import { ArchiveError } from "../../errors.ts";
import type { Archive } from "../../mail/archive.ts";
import type { UploadRecord } from "../../mail/uploads.ts";
import { archiveIn } from "../../store/archive-location.ts";
import { openSearchedArchive, SearchThread } from "../../store/archive-thread.ts";
import { SHARED_MEMORY } from "../../store/reading-memory.ts";
import { shownText } from "../shown-value.ts";
import { ArchiveShelf } from "./archive-shelf.ts";
import type { Service } from "./service.ts";

/** The upload of an id. Throws NOT_FOUND for none, and for one that is being removed. */
export function requireUpload({ catalogue }: Service, uploadId: string): UploadRecord {
  const upload = catalogue.get(uploadId);
  if (upload === null || upload.status === "cancelled")
    throw new ArchiveError("NOT_FOUND", `Upload ${shownText(uploadId)} not found`);
  return upload;
}

/** The same, when there is something to read of it. Throws NOT_FOUND that tells the status otherwise. */
export function requireCompleted(service: Service, uploadId: string): UploadRecord {
  const upload = requireUpload(service, uploadId);
  if (upload.status === "completed") return upload;
  throw new ArchiveError(
    "NOT_FOUND",
    `Upload ${uploadId} is ${upload.status}: its archive can be read when it is completed`,
  );
}

/** The archives of completed uploads. */
export class CompletedArchives {
  private readonly service: Service;
  private readonly shelf: ArchiveShelf;
  /** One for all: each would cost as much memory as an archive that is open. */
  private readonly searchThread = new SearchThread(SHARED_MEMORY);

  constructor(service: Service) {
    this.service = service;
    const { directory } = service;
    this.shelf = new ArchiveShelf((uploadId) =>
      openSearchedArchive(archiveIn(directory.archiveDirectory(uploadId)), this.searchThread),
    );
  }

  /** Lends the archive of an upload until `use` has ended. Throws NOT_FOUND. */
  lend<T>(uploadId: string, use: (archive: Archive) => Promise<T>): Promise<T> {
    return this.shelf.lend(requireCompleted(this.service, uploadId).uploadId, use);
  }

  /**
   * The upload that is explored: the one that is named, else the newest completed one; null when there is none. Throws
   * NOT_FOUND.
   */
  explored(uploadId: string | undefined): string | null {
    if (uploadId) return requireCompleted(this.service, uploadId).uploadId;
    return this.service.catalogue.newestCompleted()?.uploadId ?? null;
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
