import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import type { Instant } from "../../../mail/dates/instant.ts";
import type { UploadRecord } from "../../../mail/uploads.ts";
import { OriginalThread } from "../../../originals/original-thread.ts";
import type { DataDirectory } from "../base/data-directory.ts";
import type { BlobStorage } from "../storage/blob-storage.ts";

/** Maximum uploads with open originals: each has a thread, and packed ones stay unpacked while it lives. */
const MAX_THREADS = 2;

interface VersionedThread {
  /** When the upload was completed: adding mail adds another source. */
  readonly version: Instant | null;
  readonly originals: OriginalThread;
}

/** Readers of the originals of uploads, each in a separate thread. */
export class UploadOriginals {
  /** By upload, least recently used first. */
  private readonly threads = new Map<string, VersionedThread>();

  constructor(
    private readonly directory: DataDirectory,
    private readonly storage: BlobStorage | null,
  ) {}

  /**
   * The thread of an upload, whose source is stored with it or at the path it was added from. Rejects with
   * BLOBS_UNREACHABLE.
   */
  async of(upload: UploadRecord): Promise<OriginalThread> {
    const { uploadId, completedAt, sourcePath, discardsOriginals } = upload;
    if (!discardsOriginals) await this.storage?.bringSources(upload, new AbortController().signal);
    const directories = [
      ...(sourcePath === null ? [] : [dirname(sourcePath)]),
      ...(sourcePath === null || upload.added.length > 0 ? [this.directory.sourceDirectory(uploadId)] : []),
    ];
    if (this.threads.get(uploadId)?.version !== completedAt) void this.forget(uploadId);
    const thread = this.threads.get(uploadId) ?? { version: completedAt, originals: this.start(directories) };
    this.threads.delete(uploadId);
    this.threads.set(uploadId, thread);
    const [oldest] = this.threads.keys();
    if (this.threads.size > MAX_THREADS && oldest !== undefined) void this.forget(oldest);
    return thread.originals;
  }

  /** Call when an upload is deleted. */
  async forget(uploadId: string): Promise<void> {
    const thread = this.threads.get(uploadId);
    this.threads.delete(uploadId);
    await thread?.originals.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.threads.keys()].map((uploadId) => this.forget(uploadId)));
  }

  private start(directories: readonly string[]): OriginalThread {
    // Leftovers of a killed service are removed by the next one.
    const unpackedDirectory = join(this.directory.incoming, `originals-${randomBytes(9).toString("hex")}`);
    return new OriginalThread({ directories, password: null, unpackedDirectory });
  }
}
