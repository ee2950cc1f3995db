import type { Archive } from "../../../mail/archive.ts";
import type { Notebook } from "../../../mail/notebook.ts";
import type { UploadRecord } from "../../../mail/uploads.ts";
import { openArchive } from "../../../store/archive/open-archive.ts";
import { openSearchedArchive } from "../../../store/archive/open-with-search-thread.ts";
import { replacementOf } from "../../../store/archive/replaced-archive.ts";
import { archiveIn, type FileLocation } from "../../../store/contract/archive-location.ts";
import { SHARED_MEMORY } from "../../../store/contract/reading-memory.ts";
import type { UploadCorrections } from "../../../store/contract/upload-corrections.ts";
import {
  areWritten,
  PEOPLE_FILE,
  storedCorrections,
  TOPICS_FILE,
  writeCorrections,
} from "../../../store/notebook/corrections-file.ts";
import { withNotebook } from "../../../store/notebook/open-notebook.ts";
import { SearchThread } from "../../../store/threads/search-thread.ts";
import type { ArchiveCorrections } from "../../explore-api/routes/correction-routes.ts";
import { CorrectionFollower } from "../../explore-api/setting/correction-follower.ts";
import type { DataDirectory } from "../base/data-directory.ts";
import { ArchivePool } from "../storage/archive-pool.ts";
import { writeCache } from "../storage/graph-cache.ts";
import { NotebookCopies } from "../storage/notebook-copies.ts";
import type { Service } from "./service.ts";

/** Applies corrections to the archive of an output directory. */
export type FollowCorrections = (location: FileLocation, signal: AbortSignal) => Promise<void>;

/** The archives of completed uploads. */
export class CompletedArchives {
  private readonly shelf: ArchivePool;
  /** Shared by all uploads: each additional one would cost as much memory as an open archive. */
  private readonly searchThread = new SearchThread(SHARED_MEMORY);

  private readonly directory: DataDirectory;
  /** Null if all services share the notebooks next to the archives. */
  private readonly copies: NotebookCopies | null;

  private readonly storage: Service["storage"];
  private readonly rows: UploadCorrections;
  private readonly corrections = new Map<string, ArchiveCorrections>();
  /** The corrections last applied to the copy of an archive: a failed run is not repeated for each request. */
  private readonly followed = new Map<string, string>();
  /** Both return true if an open archive was replaced, here or by a service with the same directory. */
  private readonly replacements = new Map<string, () => boolean>();
  private readonly ending = new AbortController();

  constructor(
    { directory, storage, catalog }: Pick<Service, "directory" | "storage" | "catalog">,
    /** Null if archives cannot be corrected. */
    private readonly follow: FollowCorrections | null = null,
  ) {
    this.storage = storage;
    this.rows = catalog;
    this.directory = directory;
    this.copies = storage !== null && catalog.notebooks !== null ? new NotebookCopies(catalog.notebooks) : null;
    this.shelf = new ArchivePool(async (uploadId) => {
      await storage?.bringArchive(uploadId);
      const location = this.locationOf(uploadId);
      this.replacements.set(uploadId, replacementOf(location));
      return openSearchedArchive(location, this.searchThread);
    });
  }

  /** Opens the archive of an upload while `use` runs. Only `ServiceView` calls this, after checking permissions. */
  lend<T>(upload: UploadRecord, use: (archive: Archive) => Promise<T>): Promise<T> {
    const { uploadId } = upload;
    if (this.replacements.get(uploadId)?.() === true) this.forget(uploadId);
    return this.shelf.lend(upload, async (archive) => {
      await this.copies?.bring(uploadId, this.locationOf(uploadId));
      if (this.storage !== null) await this.catchUp(uploadId);
      return use(archive);
    });
  }

  /** Without a shared disk, each service applies the corrections of all of them to its copy of an archive. */
  private async catchUp(uploadId: string): Promise<void> {
    const corrections = this.correctionsOf(uploadId);
    if (corrections === null || corrections.follower.state === "applying") return;
    const stored = JSON.stringify([await corrections.people.text(), await corrections.topics.text()]);
    if (this.followed.get(uploadId) === stored) return;
    this.followed.set(uploadId, stored);
    await this.resume(corrections, this.locationOf(uploadId));
  }

  /** Writes to the notebook of a borrowed archive. */
  async writeNotebook<T>(uploadId: string, change: (notebook: Notebook) => T): Promise<T> {
    const location = this.locationOf(uploadId);
    return this.copies === null ? withNotebook(location, change) : this.copies.write(uploadId, location, change);
  }

  /** The corrections of an upload; null if it cannot be corrected. */
  correctionsOf(uploadId: string): ArchiveCorrections | null {
    const { follow } = this;
    if (follow === null) return null;
    const known = this.corrections.get(uploadId);
    if (known !== undefined) return known;
    const location = this.locationOf(uploadId);
    const people = storedCorrections(this.rows, { uploadId, location, name: PEOPLE_FILE });
    const topics = storedCorrections(this.rows, { uploadId, location, name: TOPICS_FILE });
    const corrections = {
      people,
      topics,
      follower: new CorrectionFollower(async () => {
        await this.storage?.bringArchive(uploadId);
        await writeCorrections(people, location, PEOPLE_FILE);
        await writeCorrections(topics, location, TOPICS_FILE);
        await follow(location, this.ending.signal);
        const archive = await openArchive(location);
        await writeCache(archive, this.directory.cacheDirectory(uploadId)).finally(() => archive.close());
      }),
    };
    this.corrections.set(uploadId, corrections);
    if (this.storage === null) void this.resume(corrections, location);
    return corrections;
  }

  /** Applies corrections that another service stored, or one that ended before applying them. */
  private async resume({ people, topics, follower }: ArchiveCorrections, location: FileLocation): Promise<void> {
    const written = Promise.all([areWritten(people, location, PEOPLE_FILE), areWritten(topics, location, TOPICS_FILE)]);
    // A catalog that cannot be read fails the request, too.
    if ((await written.catch((): readonly boolean[] => [])).includes(false)) follower.follow();
  }

  /** Call when an upload is deleted or its archive was replaced. */
  forget(uploadId: string): void {
    this.replacements.delete(uploadId);
    this.followed.delete(uploadId);
    this.shelf.remove(uploadId);
    // An extraction that added mail may have started before the last correction: apply it now.
    if (this.corrections.get(uploadId)?.follower.state !== "applying") this.corrections.delete(uploadId);
  }

  get openCount(): number {
    return this.shelf.openCount;
  }

  private locationOf(uploadId: string): FileLocation {
    return archiveIn(this.directory.archiveDirectory(uploadId));
  }

  async close(): Promise<void> {
    this.ending.abort();
    for (const { follower } of this.corrections.values()) await follower.ended();
    await this.shelf.close();
    await this.searchThread.close();
  }
}
