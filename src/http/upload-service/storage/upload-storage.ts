import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { PRIVATE_DIRECTORY, syncDirectoryAsync } from "../../../files/durable-files.ts";
import type { Instant } from "../../../mail/dates/instant.ts";
import type { UploadRecord } from "../../../mail/uploads.ts";
import type { DataDirectory } from "../base/data-directory.ts";
import type { SharedParts } from "../base/shared-parts.ts";
import type { ReceivedFile } from "./received-file.ts";

/**
 * Where the files of uploads are kept for all services that serve them. What a service works with lies in its data
 * directory, which may be the vault itself.
 */
export interface UploadVault {
  /**
   * True when the data directory is this service's alone, and what lies there of an upload that has ended is a copy of
   * what is in the vault.
   */
  readonly isApart: boolean;
  /** Bytes of resumable uploads that are not complete; null where all services see the files they are received in. */
  readonly parts: SharedParts | null;
  /**
   * Keeps a received file as the source of its upload. When it returns, the source survives the end of this machine as
   * far as the vault does; when it throws, nothing of it is there. Throws BLOBS_UNREACHABLE, DISK_FULL, the reason of
   * the signal.
   */
  keepSource(file: ReceivedFile, signal: AbortSignal): Promise<void>;
  /** Sees that the source lies in its directory. False when the vault has none. Throws as `keepSource`. */
  bringSource(upload: UploadRecord, signal: AbortSignal): Promise<boolean>;
  /** Keeps the archive and the cache that lie in their directories. Throws as `keepSource`. */
  keepArchive(uploadId: string, signal: AbortSignal): Promise<void>;
  /** Sees that both lie there. Throws as `keepSource`, and NOT_FOUND when the upload was deleted. */
  bringArchive(uploadId: string): Promise<void>;
  /** Removes what is no part of an upload in the status it has. */
  tidy(upload: UploadRecord): Promise<void>;
  /** Removes everything of an upload. */
  remove(uploadId: string): Promise<void>;
  /** Removes the copies of an upload that was deleted elsewhere. */
  forget(uploadId: string): Promise<void>;
  /** Removes what belongs to no upload, and nothing that others may be putting there. */
  tidyAll(now: Instant): Promise<void>;
  close(): void;
}

/** The data directory itself: what is received is moved to its place, and read where it lies. */
export class DirectoryVault implements UploadVault {
  readonly isApart = false;
  readonly parts = null;
  private readonly directory: DataDirectory;

  constructor(directory: DataDirectory) {
    this.directory = directory;
  }

  /** Each name on the way to the bytes is made durable before the catalogue knows the upload. */
  async keepSource({ uploadId, filename, path }: ReceivedFile): Promise<void> {
    const { directory } = this;
    const source = directory.sourceDirectory(uploadId);
    await mkdir(source, { recursive: true, mode: PRIVATE_DIRECTORY });
    await rename(path, join(source, filename));
    for (const changed of [source, directory.uploadDirectory(uploadId), directory.uploads])
      await syncDirectoryAsync(changed);
  }

  async bringSource(): Promise<boolean> {
    return true;
  }

  async keepArchive(): Promise<void> {
    // It lies where all services see it.
  }

  async bringArchive(): Promise<void> {
    // As above.
  }

  async tidy(): Promise<void> {
    // The files of the data directory are tidied by whoever works there.
  }

  async remove(): Promise<void> {
    // As above.
  }

  async forget(): Promise<void> {
    // There are no copies.
  }

  async tidyAll(): Promise<void> {
    // As above.
  }

  close(): void {
    // Nothing is held.
  }
}
