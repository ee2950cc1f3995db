import { randomUUID } from "node:crypto";
import type { Instant } from "../../../mail/dates/instant.ts";
import type { DatabaseWatch } from "../../../store/contract/database-watch.ts";
import type { UploadCatalog } from "../../../store/contract/upload-catalog.ts";
import { watchDatabase } from "../../../store/postgres/client/database-watch.ts";
import { postgresCatalog } from "../../../store/postgres/service/upload-catalog.ts";
import type { FileLock } from "../../../store/sqlite/files/file-lock.ts";
import { acquireServiceLock } from "../../../store/sqlite/files/service-lock.ts";
import { openUploadCatalog } from "../../../store/sqlite/service/upload-catalog.ts";
import type { BlobStore } from "../../blobs/blob-store.ts";
import {
  bindToBlobs,
  type DataDirectory,
  openDataDirectory,
  requireUnshared,
  sharedDirectoryId,
} from "../base/data-directory.ts";
import { freeBytes } from "../base/disk-space.ts";
import { EventLog, uploadEventData } from "../jobs/event-log.ts";
import type { StartJob } from "../jobs/job-process.ts";
import { JobQueue } from "../jobs/job-queue.ts";
import type { ServiceLog, UploadQueue } from "../jobs/upload-queue.ts";
import { BlobStorage, blobStoreId } from "../storage/blob-storage.ts";

/** Limits of an upload. */
interface ServiceLimits {
  readonly maxUploadBytes: number;
  /** Bytes to keep free on the disk. */
  readonly diskMarginBytes: number;
  /** Deletes uploaded files after extraction, whatever the upload's option. */
  readonly discardsOriginals: boolean;
}

/** Dependencies of the routes of the upload service. */
export interface Service {
  readonly directory: DataDirectory;
  readonly catalog: UploadCatalog;
  /** Watches the database of the catalog; null for a file. */
  readonly watch: DatabaseWatch | null;
  /** `AccessRegister.eventKey`. */
  readonly eventKey: string;
  /** The blob store that services share; null where the data directory keeps all files of uploads. */
  readonly storage: BlobStorage | null;
  readonly events: EventLog;
  readonly queue: UploadQueue;
  readonly limits: ServiceLimits;
  /** Returns running jobs to the queue, and releases the data directory. */
  close(): Promise<void>;
}

/** A database that services share. */
export interface SharedStore {
  readonly server: string;
  /** Seconds without renewal after which another service takes over. */
  readonly leaseSeconds: number;
  /** Where the files of uploads are stored; null for the data directory, which the services then share. */
  readonly blobs: BlobStore | null;
}

/** Settings of a service. */
export interface ServiceSetting {
  /** `--data`. */
  readonly dataDirectory: string;
  /**
   * The database with the catalog that several services share, together with their data directory; null for a file of
   * one service.
   */
  readonly store: SharedStore | null;
  readonly limits: ServiceLimits;
  /** Concurrent extractions, and worker threads of each. */
  readonly jobs: number;
  readonly threads: number;
  readonly startJob: StartJob;
  readonly log: ServiceLog;
  now(): Instant;
}

/**
 * Opens a data directory, cleans up after an earlier service, and starts jobs. Await it before accepting connections.
 * Throws SERVICE_RUNNING, OUTPUT_NOT_OURS, OUTPUT_UNWRITABLE, ARCHIVE_VERSION, CATALOGUE_UNREACHABLE,
 * BLOBS_UNREACHABLE, DRIVER_MISSING.
 */
export async function openService(setting: ServiceSetting): Promise<Service> {
  const directory = openDataDirectory(setting.dataDirectory);
  if (setting.store === null) requireUnshared(directory);
  const isShared = setting.store !== null && setting.store.blobs === null;
  const lock = isShared ? UNLOCKED : acquireServiceLock(directory.lock);
  try {
    return await startOver(directory, lock, setting);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Services that share a directory only lock the uploads they work on, in the catalog. */
const UNLOCKED: FileLock = { release: () => undefined };

/** The catalog of a directory, in its file or in the shared database. Throws like `openService`. */
export async function openCatalog(
  directory: DataDirectory,
  store: SharedStore | null,
  watch: DatabaseWatch | null = null,
): Promise<UploadCatalog> {
  if (store === null) return openUploadCatalog(directory.catalog, uploadEventData);
  const { server, leaseSeconds, blobs } = store;
  const id = blobs === null ? sharedDirectoryId(directory) : await copiesId(directory, blobs);
  const catalog = postgresCatalog({ server, leaseSeconds, directory: id, owner: randomUUID(), watch }, uploadEventData);
  try {
    // An unusable database prevents the start.
    await catalog.lastSequence();
    return catalog;
  } catch (error) {
    await catalog.close();
    throw error;
  }
}

/** Returns the id of the store whose archives the directory caches. */
async function copiesId(directory: DataDirectory, blobs: BlobStore): Promise<string> {
  const id = await blobStoreId(blobs, randomUUID());
  bindToBlobs(directory, id);
  return id;
}

function storageOf(
  directory: DataDirectory,
  catalog: UploadCatalog,
  { store, limits }: ServiceSetting,
): BlobStorage | null {
  if (store === null || store.blobs === null) return null;
  const { blobs } = store;
  return new BlobStorage({ directory, blobs, catalog, freeBytes, diskMarginBytes: limits.diskMarginBytes });
}

async function startOver(directory: DataDirectory, lock: FileLock, setting: ServiceSetting): Promise<Service> {
  const watch = setting.store === null ? null : watchDatabase(setting.store.server);
  const catalog = await openCatalog(directory, setting.store, watch).catch(async (error: unknown) => {
    await watch?.close();
    throw error;
  });
  const storage = storageOf(directory, catalog, setting);
  const events = new EventLog(catalog);
  const queue = new JobQueue({ ...setting, directory, catalog, storage, events });
  const close = async (): Promise<void> => {
    await queue.close();
    storage?.close();
    await catalog.close();
    await watch?.close();
    lock.release();
  };
  let eventKey: string;
  try {
    eventKey = await catalog.access.eventKey();
    await queue.start();
  } catch (error) {
    await close();
    throw error;
  }
  return { directory, catalog, watch, eventKey, storage, events, queue, limits: setting.limits, close };
}
