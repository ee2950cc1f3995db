import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ArchiveError } from "../../../errors.ts";
import { PRIVATE_DIRECTORY, PRIVATE_FILE, UNFINISHED_SUFFIX, writeDurably } from "../../../files/durable-files.ts";
import { writeFullyAsync } from "../../../files/read-fully.ts";
import type { Instant } from "../../../mail/dates/instant.ts";
import { isReadable, type UploadRecord } from "../../../mail/uploads.ts";
import type { UploadCatalog } from "../../../store/contract/upload-catalog.ts";
import { unpackArchive } from "../../../unpacking/unpack-archive.ts";
import { UNPACK_LIMITS, type UnpackLimits } from "../../../unpacking/unpack-limits.ts";
import { type BlobBytes, type BlobStore, closeUnreadBlob } from "../../blobs/blob-store.ts";
import {
  ARCHIVE_PART,
  ARCHIVE_VERSION_FILE,
  CACHE_PART,
  type DataDirectory,
  RESUMABLE_MAX_AGE_MS,
} from "../base/data-directory.ts";
import { type FreeBytes, requireSpace } from "../base/disk-space.ts";
import { packDirectories } from "../base/pack-archive.ts";
import { SharedParts } from "../base/shared-parts.ts";
import { type SourceFile, sourcesOf } from "../base/upload-files.ts";
import { isUploadId } from "../base/upload-id.ts";
import { diskFault } from "./received-file.ts";

/** Bytes of a file read at a time. */
const CHUNK_BYTES = 1 << 18;

/** Name of the source blob of an upload. */
const SOURCE_BLOB = "source";
const ARCHIVE_BLOB = "archive.tar";
const UPLOADS_PREFIX = "uploads/";
/** Identifies the services of one store; created by the first of them. */
const ID_KEY = "service.id";
/** Characters of a UUID: it is compared with the id in the database. */
const ID_BYTES = 36;

/**
 * Copies have no size limit, because sizes are checked before the download. Other checks apply: whoever can write to
 * the store must not write elsewhere.
 */
const COPY_LIMITS: UnpackLimits = { ...UNPACK_LIMITS, maxExpandedBytes: Number.MAX_SAFE_INTEGER };

interface BlobStorageSetting {
  readonly directory: DataDirectory;
  readonly blobs: BlobStore;
  readonly catalog: Pick<UploadCatalog, "get">;
  readonly freeBytes: FreeBytes;
  /** Bytes that copies must leave free on the disk. */
  readonly diskMarginBytes: number;
}

/** The id of a store in the database. Throws BLOBS_UNREACHABLE. @param newId a UUID for a store without one */
export async function blobStoreId(blobs: BlobStore, newId: string): Promise<string> {
  const { signal } = new AbortController();
  const id = await readId(blobs);
  if (id !== null) return id;
  await blobs.put(ID_KEY, { sizeBytes: ID_BYTES, bytes: once(Buffer.from(newId)) }, signal);
  // Another service may have written its own id first; the database keeps the first one it receives.
  return (await readId(blobs)) ?? newId;
}

async function readId(blobs: BlobStore): Promise<string | null> {
  const found = await blobs.get(ID_KEY, new AbortController().signal);
  if (found === null) return null;
  let text = "";
  for await (const chunk of found.bytes) text = (text + Buffer.from(chunk).toString("latin1")).slice(0, ID_BYTES);
  return text;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/**
 * Stores the files of uploads in a blob store shared by all services. The data directory belongs to one service and
 * caches the files in use.
 */
export class BlobStorage {
  /** Bytes of resumable uploads that are not complete. */
  readonly parts: SharedParts;
  /** Running downloads by directory, shared by concurrent requests. */
  private readonly bringing = new Map<string, Promise<boolean>>();

  constructor(private readonly setting: BlobStorageSetting) {
    this.parts = new SharedParts(setting.blobs);
  }

  /**
   * Stores a received file as the source of its upload. On return, the source survives the loss of this machine; on an
   * error, nothing is stored. Throws BLOBS_UNREACHABLE, DISK_FULL, the reason of the signal.
   */
  async keepSource(
    uploadId: string,
    { id, path, sizeBytes }: { readonly id: string | null; readonly path: string; readonly sizeBytes: number },
    signal: AbortSignal,
  ): Promise<void> {
    const handle = await open(path, "r");
    try {
      await this.setting.blobs.put(sourceKey(uploadId, id), { sizeBytes, bytes: bytesOf(handle) }, signal);
    } finally {
      await handle.close();
    }
  }

  /**
   * Downloads missing sources of an upload to its directory. Returns false if the store lacks one. Throws like
   * `keepSource`.
   */
  async bringSources(upload: UploadRecord, signal: AbortSignal): Promise<boolean> {
    for (const source of sourcesOf(upload))
      if (!(await this.bringSource(upload.uploadId, source, signal))) return false;
    return true;
  }

  /**
   * Downloads the inputs of the next job of an upload. A job that adds mail changes the copy of the archive; unless
   * it succeeds, the copy has no version. Throws like `keepSource`.
   */
  async bringForJob(upload: UploadRecord, signal: AbortSignal): Promise<boolean> {
    const { uploadId, adding } = upload;
    if (adding === null) return this.bringSources(upload, signal);
    await this.bringArchive(uploadId);
    if (!(await this.bringSource(uploadId, adding, signal))) return false;
    writeDurably(this.versionFile(uploadId), extended(adding.id));
    return true;
  }

  private bringSource(uploadId: string, { id, filename, sha256 }: SourceFile, signal: AbortSignal): Promise<boolean> {
    const { blobs, directory } = this.setting;
    const target = join(directory.sourceDirectory(uploadId), filename);
    return this.bringOnce(target, directory.sourceDirectory(uploadId), async (unfinished) => {
      mkdirSync(unfinished, { recursive: true, mode: PRIVATE_DIRECTORY });
      const found = await blobs.get(sourceKey(uploadId, id), signal);
      if (found === null) return false;
      if ((await this.download(found, join(unfinished, filename))) !== sha256)
        throw new ArchiveError("SOURCE_CHANGED", `${filename} does not match the upload`);
      mkdirSync(dirname(target), { recursive: true, mode: PRIVATE_DIRECTORY });
      await rename(join(unfinished, filename), target);
      return true;
    });
  }

  /** Stores the archive and the cache of an upload. Throws like `keepSource`. */
  async keepArchive(uploadId: string, signal: AbortSignal): Promise<void> {
    const packed = await packDirectories(this.setting.directory.uploadDirectory(uploadId), [ARCHIVE_PART, CACHE_PART]);
    await this.setting.blobs.put(archiveKey(uploadId), packed, signal);
  }

  /** Marks the copy of an archive as the version with which its upload was completed. */
  markArchive(upload: UploadRecord): void {
    if (upload.added.length > 0) writeDurably(this.versionFile(upload.uploadId), String(upload.completedAt));
  }

  /** The copy of an archive without added mail has no mark. */
  private isCurrent(upload: UploadRecord): boolean {
    if (!existsSync(this.setting.directory.archiveDirectory(upload.uploadId))) return false;
    const file = this.versionFile(upload.uploadId);
    const version = existsSync(file) ? readFileSync(file, "utf8") : null;
    if (version === null) return upload.added.length === 0;
    return (
      version === (upload.adding === null ? null : extended(upload.adding.id)) || version === String(upload.completedAt)
    );
  }

  private versionFile(uploadId: string): string {
    return join(this.setting.directory.uploadDirectory(uploadId), ARCHIVE_VERSION_FILE);
  }

  /**
   * Downloads both unless the current versions are there. Throws like `keepSource`, and NOT_FOUND if the upload was
   * deleted.
   */
  async bringArchive(uploadId: string): Promise<void> {
    const { directory, catalog } = this.setting;
    const archive = directory.archiveDirectory(uploadId);
    const upload = await catalog.get(uploadId);
    if (upload !== null && this.isCurrent(upload)) return;
    const isThere = await this.bringOnce(null, archive, async (unfinished) => {
      const { signal } = new AbortController();
      mkdirSync(directory.uploadDirectory(uploadId), { recursive: true, mode: PRIVATE_DIRECTORY });
      const found = await this.setting.blobs.get(archiveKey(uploadId), signal);
      if (found === null) return false;
      const packed = `${unfinished}.tar`;
      try {
        await this.download(found, packed);
        await unpackArchive(packed, unfinished, COPY_LIMITS, signal);
      } finally {
        await rm(packed, { force: true });
      }
      for (const left of [archive, directory.cacheDirectory(uploadId)])
        await rm(left, { recursive: true, force: true });
      // The archive is renamed last, so that its presence means that everything is there.
      await rename(join(unfinished, CACHE_PART), directory.cacheDirectory(uploadId));
      if (upload !== null) this.markArchive(upload);
      await rename(join(unfinished, ARCHIVE_PART), archive);
      return true;
    });
    const status = (await catalog.get(uploadId))?.status ?? "cancelled";
    if (isThere && status !== "cancelled") return;
    await this.forget(uploadId);
    throw new ArchiveError("NOT_FOUND", `Upload ${uploadId} not found`);
  }

  /** Removes files that an upload with its status does not need. */
  async tidy(upload: UploadRecord): Promise<void> {
    const kept = keptBlobs(upload);
    await this.removeBlobs(upload.uploadId, (blob) => !kept.includes(blob));
  }

  /** Removes everything of an upload. */
  async remove(uploadId: string): Promise<void> {
    await this.removeBlobs(uploadId, () => true);
  }

  /** Removes a rejected source. */
  async removeSource(uploadId: string, id: string): Promise<void> {
    await this.setting.blobs.remove(sourceKey(uploadId, id));
  }

  private async removeBlobs(uploadId: string, isRemoved: (blob: string) => boolean): Promise<void> {
    const keys: string[] = [];
    for await (const { key } of this.setting.blobs.list(`${UPLOADS_PREFIX}${uploadId}/`)) keys.push(key);
    for (const key of keys) if (isRemoved(key.slice(key.lastIndexOf("/") + 1))) await this.setting.blobs.remove(key);
  }

  /** Removes the copies of an upload that was deleted elsewhere. */
  async forget(uploadId: string): Promise<void> {
    await rm(this.setting.directory.uploadDirectory(uploadId), { recursive: true, force: true });
  }

  /** Removes files of no upload, except those that others may be writing. */
  async tidyAll(now: Instant): Promise<void> {
    const { blobs, catalog } = this.setting;
    const old = now - RESUMABLE_MAX_AGE_MS;
    await blobs.sweep(old);
    for await (const { key, putAt } of blobs.list(UPLOADS_PREFIX)) {
      const [, uploadId, blob] = key.split("/");
      // A new blob may belong to an upload that is about to be registered.
      if (uploadId === undefined || blob === undefined || !isUploadId(uploadId) || putAt >= old) continue;
      const upload = await catalog.get(uploadId);
      if (upload === null || !keptBlobs(upload).includes(blob)) await blobs.remove(key);
    }
  }

  close(): void {
    this.setting.blobs.close();
  }

  /**
   * Creates something once for all concurrent callers, in a directory next to a path. Returns false if there is nothing
   * to create.
   * @param target the resulting path; null if its existence does not prove that it is complete
   */
  private async bringOnce(
    target: string | null,
    beside: string,
    bring: (unfinished: string) => Promise<boolean>,
  ): Promise<boolean> {
    if (target !== null && existsSync(target)) return true;
    const wanted = target ?? beside;
    const unfinished = `${beside}-${randomBytes(9).toString("hex")}${UNFINISHED_SUFFIX}`;
    const under =
      this.bringing.get(wanted) ??
      bring(unfinished)
        .catch((error: unknown) => Promise.reject(diskFault(error)))
        .finally(async () => {
          this.bringing.delete(wanted);
          await rm(unfinished, { recursive: true, force: true });
        });
    this.bringing.set(wanted, under);
    return under;
  }

  /** Writes a blob to a new file; returns its SHA-256. */
  private async download(blob: BlobBytes, path: string): Promise<string> {
    const hash = createHash("sha256");
    const handle = await this.openFor(blob, path).catch(async (error: unknown) => {
      await closeUnreadBlob(blob).catch(() => undefined);
      throw error;
    });
    try {
      let at = 0;
      for await (const chunk of blob.bytes) {
        hash.update(chunk);
        await writeFullyAsync(handle, chunk, at);
        at += chunk.length;
      }
    } finally {
      await handle.close();
    }
    return hash.digest("hex");
  }

  /** Creates a file with reserved space for a blob. */
  private async openFor({ sizeBytes }: BlobBytes, path: string): Promise<FileHandle> {
    const { freeBytes, directory, diskMarginBytes } = this.setting;
    await requireSpace(freeBytes(directory.root), 2 * sizeBytes, diskMarginBytes);
    return open(path, "wx", PRIVATE_FILE);
  }
}

/** Version of a copy that a job has changed, or is about to. */
function extended(id: string): string {
  return `with ${id}`;
}

function sourceBlob(id: string | null): string {
  return id === null ? SOURCE_BLOB : `${SOURCE_BLOB}-${id}`;
}

function sourceKey(uploadId: string, id: string | null): string {
  return `${UPLOADS_PREFIX}${uploadId}/${sourceBlob(id)}`;
}

function archiveKey(uploadId: string): string {
  return `${UPLOADS_PREFIX}${uploadId}/${ARCHIVE_BLOB}`;
}

/** A running upload may have just been published. */
function keptBlobs(upload: UploadRecord): readonly string[] {
  const { status } = upload;
  const sources = sourcesOf(upload).map(({ id }) => sourceBlob(id));
  return isReadable(upload) || status === "queued" || status === "running" ? [ARCHIVE_BLOB, ...sources] : [];
}

/** Pieces of a file, each in a separate buffer, which the upload keeps until it is sent. */
async function* bytesOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}
