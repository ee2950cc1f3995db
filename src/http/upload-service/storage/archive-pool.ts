import type { Archive } from "../../../mail/archive.ts";
import type { Instant } from "../../../mail/dates/instant.ts";
import type { UploadRecord } from "../../../mail/uploads.ts";

/** Limit of open archives: each has its own thread and cache, and together they must leave memory for uploads. */
export const MAX_OPEN_ARCHIVES = 4;

interface ShelvedArchive {
  readonly archive: Promise<Archive>;
  /** When its extraction was completed: adding mail creates another archive. */
  readonly version: Instant | null;
  borrowers: number;
  /** True if its upload was deleted or has a newer version: it is closed after its last use. */
  isRemoved: boolean;
}

/** Pool of open archives of completed uploads; closes the least recently used one that is not in use. */
export class ArchivePool {
  /** Least recently used first. */
  private readonly shelved = new Map<string, ShelvedArchive>();
  private readonly closing = new Set<Promise<void>>();

  constructor(private readonly open: (uploadId: string) => Promise<Archive>) {}

  /** Lends the current archive of an upload while `use` runs. Rejects like `open`, which the next call retries. */
  async lend<T>(
    { uploadId, completedAt }: Pick<UploadRecord, "uploadId" | "completedAt">,
    use: (archive: Archive) => Promise<T>,
  ): Promise<T> {
    const shelved = this.take(uploadId, completedAt);
    shelved.borrowers++;
    try {
      return await use(await shelved.archive);
    } finally {
      shelved.borrowers--;
      if (shelved.isRemoved && shelved.borrowers === 0) this.shut(shelved.archive);
      this.makeRoom();
    }
  }

  /** Forgets the archive of an upload that is deleted. */
  remove(uploadId: string): void {
    const shelved = this.shelved.get(uploadId);
    if (shelved === undefined) return;
    this.shelved.delete(uploadId);
    shelved.isRemoved = true;
    if (shelved.borrowers === 0) this.shut(shelved.archive);
  }

  /** Closes every archive. */
  async close(): Promise<void> {
    for (const uploadId of [...this.shelved.keys()]) this.remove(uploadId);
    await Promise.all(this.closing);
  }

  get openCount(): number {
    return this.shelved.size;
  }

  private take(uploadId: string, version: Instant | null): ShelvedArchive {
    if (this.shelved.get(uploadId)?.version !== version) this.remove(uploadId);
    const shelved = this.shelved.get(uploadId) ?? this.add(uploadId, version);
    this.shelved.delete(uploadId);
    this.shelved.set(uploadId, shelved);
    return shelved;
  }

  private add(uploadId: string, version: Instant | null): ShelvedArchive {
    // The archive being closed may be an earlier version, which must not be used for this one.
    const archive = Promise.all(this.closing).then(() => this.open(uploadId));
    const shelved = { archive, version, borrowers: 0, isRemoved: false };
    shelved.archive.catch(() => {
      if (this.shelved.get(uploadId) === shelved) this.shelved.delete(uploadId);
    });
    return shelved;
  }

  private makeRoom(): void {
    for (const [uploadId, { borrowers }] of this.shelved) {
      if (this.shelved.size <= MAX_OPEN_ARCHIVES) return;
      if (borrowers === 0) this.remove(uploadId);
    }
  }

  private shut(opened: Promise<Archive>): void {
    const closed = opened
      .then(
        (archive) => archive.close(),
        // The caller received the error of opening it.
        () => undefined,
      )
      .finally(() => this.closing.delete(closed));
    this.closing.add(closed);
  }
}
