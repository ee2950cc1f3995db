import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ArchiveError } from "../../../errors.ts";
import { PRIVATE_DIRECTORY, PRIVATE_FILE, UNFINISHED_SUFFIX } from "../../../files/durable-files.ts";
import { writeFullyAsync } from "../../../files/whole-bytes.ts";
import type { Instant } from "../../../mail/dates/instant.ts";
import type { UploadRecord } from "../../../mail/uploads.ts";
import type { UploadCatalogue } from "../../../store/contract/upload-catalogue.ts";
import { unpackArchive } from "../../../unpacking/unpack-archive.ts";
import { UNPACK_LIMITS, type UnpackLimits } from "../../../unpacking/unpack-limits.ts";
import { type BlobBytes, type BlobStore, letGo } from "../../blobs/blob-store.ts";
import { ARCHIVE_PART, CACHE_PART, type DataDirectory, RESUMABLE_MAX_AGE_MS } from "../base/data-directory.ts";
import { type FreeBytes, requireSpace } from "../base/disk-space.ts";
import { packDirectories } from "../base/pack-archive.ts";
import { SharedParts } from "../base/shared-parts.ts";
import { isUploadId } from "../base/upload-id.ts";
import { diskFault, type ReceivedFile } from "./received-file.ts";

/** Bytes of a file read at a time. */
const CHUNK_BYTES = 1 << 18;

/** What of an upload is a blob. */
const SOURCE_BLOB = "source";
const ARCHIVE_BLOB = "archive.tar";
const UPLOADS_PREFIX = "uploads/";
/** Tells the services of one store from those of another; made by the first of them. */
const ID_KEY = "service.id";
/** Characters of a UUID, and no more: it is compared with what the database knows. */
const ID_BYTES = 36;

/**
 * What was packed here may be of any size, as it is looked at before it is fetched. Else it is unpacked as anybody's:
 * whoever may write to the store must not write anywhere else.
 */
const COPY_LIMITS: UnpackLimits = { ...UNPACK_LIMITS, maxExpandedBytes: Number.MAX_SAFE_INTEGER };

interface BlobStorageSetting {
  readonly directory: DataDirectory;
  readonly blobs: BlobStore;
  readonly catalogue: Pick<UploadCatalogue, "get">;
  readonly freeBytes: FreeBytes;
  /** Bytes that copies leave free on the disk. */
  readonly diskMarginBytes: number;
}

/**
 * The id by which the database knows a store. Throws BLOBS_UNREACHABLE.
 * @param newId a UUID for a store that has none
 */
export async function blobStoreId(blobs: BlobStore, newId: string): Promise<string> {
  const { signal } = new AbortController();
  const id = await readId(blobs);
  if (id !== null) return id;
  await blobs.put(ID_KEY, { sizeBytes: ID_BYTES, bytes: once(Buffer.from(newId)) }, signal);
  // Another service may have put its own meanwhile; the database takes the first of them that it is told.
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
 * Keeps the files of uploads in a blob store that all services share. The data directory belongs to one service, and
 * holds copies of what that service works with.
 */
export class BlobStorage {
  /** Bytes of resumable uploads that are not complete. */
  readonly parts: SharedParts;
  private readonly setting: BlobStorageSetting;
  /** Copies that are being made, by their directory: whoever wants the same waits for it. */
  private readonly bringing = new Map<string, Promise<boolean>>();

  constructor(setting: BlobStorageSetting) {
    this.setting = setting;
    this.parts = new SharedParts(setting.blobs);
  }

  /**
   * Keeps a received file as the source of its upload. Once it returns, the source survives the loss of this machine;
   * when it throws, nothing of it is stored. Throws BLOBS_UNREACHABLE, DISK_FULL, the reason of the signal.
   */
  async keepSource({ uploadId, path, sizeBytes }: ReceivedFile, signal: AbortSignal): Promise<void> {
    const handle = await open(path, "r");
    try {
      await this.setting.blobs.put(sourceKey(uploadId), { sizeBytes, bytes: bytesOf(handle) }, signal);
    } finally {
      await handle.close();
    }
  }

  /** Downloads the source unless it is in its directory. False when the store has none. Throws as `keepSource`. */
  async bringSource(upload: UploadRecord, signal: AbortSignal): Promise<boolean> {
    if (upload.sourcePath !== null) return true;
    const directory = this.setting.directory.sourceDirectory(upload.uploadId);
    return this.bringOnce(directory, async (unfinished) => {
      mkdirSync(unfinished, { recursive: true, mode: PRIVATE_DIRECTORY });
      const found = await this.setting.blobs.get(sourceKey(upload.uploadId), signal);
      if (found === null) return false;
      const sha256 = await this.download(found, join(unfinished, upload.filename));
      if (sha256 !== upload.sha256)
        throw new ArchiveError("SOURCE_CHANGED", `${upload.filename} does not match the upload`);
      await rename(unfinished, directory);
      return true;
    });
  }

  /** Stores the archive and the cache of an upload. Throws as `keepSource`. */
  async keepArchive(uploadId: string, signal: AbortSignal): Promise<void> {
    const packed = await packDirectories(this.setting.directory.uploadDirectory(uploadId), [ARCHIVE_PART, CACHE_PART]);
    await this.setting.blobs.put(archiveKey(uploadId), packed, signal);
  }

  /** Downloads both unless they are there. Throws as `keepSource`, and NOT_FOUND when the upload was deleted. */
  async bringArchive(uploadId: string): Promise<void> {
    const { directory } = this.setting;
    const archive = directory.archiveDirectory(uploadId);
    if (existsSync(archive)) return;
    const isThere = await this.bringOnce(archive, async (unfinished) => {
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
      await rm(directory.cacheDirectory(uploadId), { recursive: true, force: true });
      // The archive comes last: once it is there, all is.
      await rename(join(unfinished, CACHE_PART), directory.cacheDirectory(uploadId));
      await rename(join(unfinished, ARCHIVE_PART), archive);
      return true;
    });
    const status = (await this.setting.catalogue.get(uploadId))?.status ?? "cancelled";
    if (isThere && status !== "cancelled") return;
    await this.forget(uploadId);
    throw new ArchiveError("NOT_FOUND", `Upload ${uploadId} not found`);
  }

  /** Removes what is no part of an upload in the status it has. */
  async tidy(upload: UploadRecord): Promise<void> {
    const kept = keptBlobs(upload);
    for (const [blob, key] of blobsOf(upload.uploadId)) if (!kept.includes(blob)) await this.setting.blobs.remove(key);
  }

  /** Removes everything of an upload. */
  async remove(uploadId: string): Promise<void> {
    for (const [, key] of blobsOf(uploadId)) await this.setting.blobs.remove(key);
  }

  /** Removes the copies of an upload that was deleted elsewhere. */
  async forget(uploadId: string): Promise<void> {
    await rm(this.setting.directory.uploadDirectory(uploadId), { recursive: true, force: true });
  }

  /** Removes what belongs to no upload, and nothing that others may be writing. */
  async tidyAll(now: Instant): Promise<void> {
    const { blobs, catalogue } = this.setting;
    const old = now - RESUMABLE_MAX_AGE_MS;
    await blobs.sweep(old);
    for await (const { key, putAt } of blobs.list(UPLOADS_PREFIX)) {
      const [, uploadId, blob] = key.split("/");
      // What is new may be an upload that the catalogue is told of in a moment.
      if (uploadId === undefined || blob === undefined || !isUploadId(uploadId) || putAt >= old) continue;
      const upload = await catalogue.get(uploadId);
      if (upload === null || !keptBlobs(upload).includes(blob)) await blobs.remove(key);
    }
  }

  close(): void {
    this.setting.blobs.close();
  }

  /** Makes a directory once, however many want it at a time, beside its place. Gives false when there is nothing. */
  private async bringOnce(target: string, bring: (unfinished: string) => Promise<boolean>): Promise<boolean> {
    if (existsSync(target)) return true;
    const unfinished = `${target}-${randomBytes(9).toString("hex")}${UNFINISHED_SUFFIX}`;
    const under =
      this.bringing.get(target) ??
      bring(unfinished)
        .catch((error: unknown) => Promise.reject(diskFault(error)))
        .finally(async () => {
          this.bringing.delete(target);
          await rm(unfinished, { recursive: true, force: true });
        });
    this.bringing.set(target, under);
    return under;
  }

  /** Writes a blob to a new file; gives its SHA-256. */
  private async download(blob: BlobBytes, path: string): Promise<string> {
    const hash = createHash("sha256");
    const handle = await this.openFor(blob, path).catch(async (error: unknown) => {
      await letGo(blob).catch(() => undefined);
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

  /** A new file with room for a blob. */
  private async openFor({ sizeBytes }: BlobBytes, path: string): Promise<FileHandle> {
    const { freeBytes, directory, diskMarginBytes } = this.setting;
    await requireSpace(freeBytes(directory.root), 2 * sizeBytes, diskMarginBytes);
    return open(path, "wx", PRIVATE_FILE);
  }
}

function sourceKey(uploadId: string): string {
  return `${UPLOADS_PREFIX}${uploadId}/${SOURCE_BLOB}`;
}

function archiveKey(uploadId: string): string {
  return `${UPLOADS_PREFIX}${uploadId}/${ARCHIVE_BLOB}`;
}

function blobsOf(uploadId: string): readonly (readonly [blob: string, key: string])[] {
  return [
    [SOURCE_BLOB, sourceKey(uploadId)],
    [ARCHIVE_BLOB, archiveKey(uploadId)],
  ];
}

/** A running upload may have just been published. */
function keptBlobs({ status, discardsOriginals }: UploadRecord): readonly string[] {
  if (status === "completed") return discardsOriginals ? [ARCHIVE_BLOB] : [ARCHIVE_BLOB, SOURCE_BLOB];
  return status === "queued" || status === "running" ? [ARCHIVE_BLOB, SOURCE_BLOB] : [];
}

/** Pieces of a file, each in memory of its own: a part of a blob holds them until it is sent. */
async function* bytesOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}
