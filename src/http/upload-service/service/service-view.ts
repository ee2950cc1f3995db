import type { FastifyRequest } from "fastify";
import { ArchiveError } from "../../../errors.ts";
import type { Actor, Role } from "../../../mail/access.ts";
import type { Archive } from "../../../mail/archive.ts";
import type { Instant } from "../../../mail/dates/instant.ts";
import { isReadable, type UploadRecord } from "../../../mail/uploads.ts";
import { archiveIn } from "../../../store/contract/archive-location.ts";
import { notebookEntries } from "../../../store/notebook/open-notebook.ts";
import { AuditNotes } from "../../audit-notes.ts";
import { type RequestedAct, requestedAct } from "../../audited-request.ts";
import type { CorrectionLoan } from "../../explore-api/routes/correction-routes.ts";
import type { NotebookLoan } from "../../explore-api/routes/notebook-routes.ts";
import type { ExploreSetting } from "../../explore-api/setting/explore-setting.ts";
import { formatText } from "../../format-value.ts";
import type { OriginalLoan } from "../../original-files.ts";
import type { Caller, Callers } from "./caller.ts";
import type { CompletedArchives } from "./completed-archives.ts";
import type { Service } from "./service.ts";
import type { UploadOriginals } from "./upload-originals.ts";

/** Resources for opening uploads. */
interface UploadStock {
  readonly service: Service;
  readonly archives: CompletedArchives;
  readonly originals: UploadOriginals;
  readonly notes: AuditNotes;
  now(): Instant;
}

/** Files of a completed upload on disk. */
interface UploadFiles {
  readonly upload: UploadRecord;
  readonly archiveDirectory: string;
  readonly cacheDirectory: string;
}

/** Permissions of a caller besides reading. */
export interface Permissions {
  readonly name: string;
  readonly mayUpload: boolean;
  /** Uploads that the caller may remove. */
  readonly owns: readonly string[] | "all";
}

/**
 * The uploads visible to one caller. Routes have no other access to them, so that none can omit the check: invisible
 * uploads look exactly like missing ones.
 */
export class ServiceView {
  private readonly noted = new Set<string>();

  /** @param act to audit when an upload is opened */
  constructor(
    private readonly stock: UploadStock,
    readonly caller: Caller,
    private readonly act: RequestedAct,
  ) {}

  /** The upload with an id. Throws NOT_FOUND if it does not exist, is being removed, or is invisible to the caller. */
  async upload(uploadId: string): Promise<UploadRecord> {
    const upload = (await this.sees(uploadId)) ? await this.stock.service.catalog.get(uploadId) : null;
    if (upload === null || upload.status === "cancelled") throw noSuchUpload(uploadId);
    return upload;
  }

  /** The same if it has a readable archive, recording the access. Otherwise throws NOT_FOUND with the status. */
  private async completed(uploadId: string): Promise<UploadRecord> {
    const upload = await this.upload(uploadId);
    if (!isReadable(upload)) throw noArchive(upload);
    await this.note(uploadId);
    return upload;
  }

  /**
   * The upload to which the caller adds mail, if no job is active on it. Throws NOT_FOUND like all readers, FORBIDDEN
   * if the caller does not own it or may not upload, and UPLOAD_BUSY.
   */
  async extended(uploadId: string): Promise<UploadRecord> {
    const { status } = await this.upload(uploadId);
    this.requireUploading();
    if (!(await this.isOwner(uploadId)))
      throw new ArchiveError("FORBIDDEN", `mail can be added to upload ${uploadId} only by its owners`);
    if (status === "queued" || status === "running")
      throw new ArchiveError("UPLOAD_BUSY", `Upload ${uploadId} is ${status}: add mail when it completes`);
    await this.stock.service.queue.settled(uploadId);
    return this.completed(uploadId);
  }

  /** Newest first. */
  async uploads(): Promise<readonly UploadRecord[]> {
    const { catalog } = this.stock.service;
    const seen = await this.seen();
    return (await catalog.list()).filter(({ uploadId }) => seen(uploadId));
  }

  /** Returns the named upload, else the newest completed one, else null. Throws NOT_FOUND. */
  async explored(uploadId: string | undefined): Promise<string | null> {
    if (uploadId) return (await this.completed(uploadId)).uploadId;
    if (this.caller.isOperator) return (await this.stock.service.catalog.newestCompleted())?.uploadId ?? null;
    return (await this.uploads()).find(isReadable)?.uploadId ?? null;
  }

  /** Lends the archive of an upload until `use` has ended. Throws NOT_FOUND. */
  async lend<T>(uploadId: string, use: (archive: Archive, upload: UploadRecord) => Promise<T>): Promise<T> {
    const upload = await this.completed(uploadId);
    return this.whileThere(uploadId, () => this.stock.archives.lend(upload, (archive) => use(archive, upload)));
  }

  /** Like `lend`, with the settings of its page. */
  explore<T>(uploadId: string, use: (archive: Archive, setting: ExploreSetting) => Promise<T>): Promise<T> {
    const { service, originals } = this.stock;
    return this.lend(uploadId, (archive, upload) =>
      use(archive, {
        name: upload.filename,
        hasNotebook: true,
        originals: service.storage !== null ? null : () => originals.of(upload),
      }),
    );
  }

  /** The same with the reader of its originals. */
  lendOriginals<T>(uploadId: string, use: (loan: OriginalLoan) => Promise<T>): Promise<T> {
    return this.lend(uploadId, async (archive, upload) =>
      use({ archive, originals: await this.stock.originals.of(upload) }),
    );
  }

  /** Returns the paths of the archive of an upload and of its cache. Throws NOT_FOUND. */
  async files(uploadId: string): Promise<UploadFiles> {
    const upload = await this.completed(uploadId);
    const { directory } = this.stock.service;
    return {
      upload,
      archiveDirectory: directory.archiveDirectory(upload.uploadId),
      cacheDirectory: directory.cacheDirectory(upload.uploadId),
    };
  }

  /** Like `files`, after downloading what another service created. Also throws BLOBS_UNREACHABLE. */
  async lendFiles<T>(uploadId: string, use: (files: UploadFiles) => Promise<T>): Promise<T> {
    const files = await this.files(uploadId);
    return this.whileThere(uploadId, async () => {
      await this.stock.service.storage?.bringArchive(files.upload.uploadId);
      return use(files);
    });
  }

  /** Lends the archive of an upload with its notebook. Throws NOT_FOUND. */
  lendNotebook<T>(uploadId: string, use: (loan: NotebookLoan) => Promise<T>): Promise<T> {
    const { archives, service } = this.stock;
    return this.lend(uploadId, (archive, upload) => {
      const location = archiveIn(service.directory.archiveDirectory(upload.uploadId));
      const notebook: NotebookLoan["notebook"] = {
        entries: async () => notebookEntries(location),
        write: async (change) => archives.writeNotebook(upload.uploadId, change),
      };
      return use({ archive, author: this.caller.name, notebook });
    });
  }

  /** Lends the archive of an upload with its corrections. Throws NOT_FOUND. */
  lendCorrections<T>(uploadId: string, use: (loan: CorrectionLoan) => Promise<T>): Promise<T> {
    return this.lend(uploadId, (archive, upload) =>
      use({ archive, corrections: this.stock.archives.correctionsOf(upload.uploadId) }),
    );
  }

  /**
   * If an upload is removed during the read, here or by another service, converts any error to NOT_FOUND; else throws
   * errors of `use`.
   */
  private async whileThere<T>(uploadId: string, use: () => Promise<T>): Promise<T> {
    try {
      return await use();
    } catch (error) {
      await this.upload(uploadId);
      throw error;
    }
  }

  /** Removes an upload. Throws NOT_FOUND, and FORBIDDEN if the caller does not own it. */
  async remove(uploadId: string): Promise<void> {
    const { service, archives, originals } = this.stock;
    await this.upload(uploadId);
    if (!(await this.isOwner(uploadId)))
      throw new ArchiveError("FORBIDDEN", `Upload ${uploadId} can be deleted only by its owners`);
    await this.record("deleted", uploadId);
    archives.forget(uploadId);
    await originals.forget(uploadId);
    await service.queue.cancel(uploadId);
  }

  /** Throws FORBIDDEN if the caller may not upload. */
  requireUploading(): void {
    if (!this.caller.mayUpload) throw new ArchiveError("FORBIDDEN", "this token is not allowed to upload");
  }

  /** Throws NOT_FOUND if the caller may not continue the upload. */
  async requireOwn(uploadId: string): Promise<void> {
    if (!(await this.isOwner(uploadId))) throw noSuchUpload(uploadId);
  }

  /** Makes the caller the owner of an upload that is about to be created. */
  async own(uploadId: string): Promise<void> {
    const { isOperator, name } = this.caller;
    if (!isOperator) await this.access.grant({ name, uploadId, role: "owner" }, this.actor);
  }

  /** Undoes this for a rejected upload. */
  async disown(uploadId: string): Promise<void> {
    if (!this.caller.isOperator) await this.access.ungrant(this.caller.name, uploadId, this.actor);
  }

  /** Records an accepted upload in the audit. */
  uploaded(uploadId: string): Promise<void> {
    return this.record("uploaded", uploadId);
  }

  /** Throws FORBIDDEN unless the caller is the operator. */
  requireOperator(): void {
    if (!this.caller.isOperator) throw new ArchiveError("FORBIDDEN", "the service token is required");
  }

  /** True if the caller may see the upload, even if it does not exist or was deleted. */
  async sees(uploadId: string): Promise<boolean> {
    return this.caller.isOperator || (await this.role(uploadId)) !== null;
  }

  /** Permissions of the caller besides reading. */
  async permissions(): Promise<Permissions> {
    const { name, mayUpload, isOperator } = this.caller;
    if (isOperator) return { name, mayUpload, owns: "all" };
    const grants = await this.access.grants(name);
    return { name, mayUpload, owns: grants.flatMap(({ uploadId, role }) => (role === "owner" ? [uploadId] : [])) };
  }

  /** Role of the caller for an upload, or null. */
  async role(uploadId: string): Promise<Role | null> {
    return this.caller.isOperator ? "owner" : this.access.roleOf(this.caller.name, uploadId);
  }

  /** Current `sees` for many uploads at once. */
  async seen(): Promise<(uploadId: string) => boolean> {
    if (this.caller.isOperator) return () => true;
    const granted = new Set((await this.access.grants(this.caller.name)).map(({ uploadId }) => uploadId));
    return (uploadId) => granted.has(uploadId);
  }

  /** Looked up once per upload and request. */
  private async note(uploadId: string): Promise<void> {
    if (this.noted.has(uploadId)) return;
    await this.stock.notes.note(this.caller.name, uploadId, this.act);
    this.noted.add(uploadId);
  }

  private record(action: "deleted" | "uploaded", uploadId: string): Promise<void> {
    return this.access.record({ ...this.actor, action, uploadId, detail: null });
  }

  private get actor(): Actor {
    return { name: this.caller.name, at: this.stock.now() };
  }

  private async isOwner(uploadId: string): Promise<boolean> {
    return (await this.role(uploadId)) === "owner";
  }

  private get access() {
    return this.stock.service.catalog.access;
  }
}

/** Gives each request its caller's view of the service. */
export interface ViewSource {
  of(request: FastifyRequest): ServiceView;
}

/** Creates the view of each caller. */
export class ServiceViews implements ViewSource {
  private readonly stock: UploadStock;

  constructor(
    stock: Omit<UploadStock, "notes">,
    private readonly callers: Callers,
  ) {
    this.stock = { ...stock, notes: new AuditNotes(stock.service.catalog.access, stock.now) };
  }

  /** The service as visible to the sender of a request. Throws UNAUTHORIZED if the request was not checked. */
  of(request: FastifyRequest): ServiceView {
    return new ServiceView(this.stock, this.callers.of(request), requestedAct(request));
  }
}

function noArchive({ uploadId, status }: UploadRecord): ArchiveError {
  return new ArchiveError("NOT_FOUND", `Upload ${uploadId} is ${status}: its archive is available when it completes`);
}

function noSuchUpload(uploadId: string): ArchiveError {
  return new ArchiveError("NOT_FOUND", `Upload ${formatText(uploadId)} not found`);
}
