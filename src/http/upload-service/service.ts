import type { Instant } from "../../mail/instant.ts";
import type { FileLock } from "../../store/sqlite/file-lock.ts";
import { acquireServiceLock } from "../../store/sqlite/service-lock.ts";
import { openUploadCatalogue } from "../../store/sqlite/upload-catalogue.ts";
import type { UploadCatalogue } from "../../store/upload-catalogue.ts";
import { type DataDirectory, openDataDirectory } from "./data-directory.ts";
import { EventLog, uploadEventData } from "./event-log.ts";
import type { StartJob } from "./job-process.ts";
import { JobQueue } from "./job-queue.ts";

/**
 * Where a service tells what it does: ids, codes and times, never names, options or text of mail. A pino logger is one.
 */
export interface ServiceLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What one upload may be. */
export interface ServiceLimits {
  readonly maxUploadBytes: number;
  /** Bytes that stay free on the disk. */
  readonly diskMarginBytes: number;
  /** What was uploaded goes when it was extracted, whatever the upload says. */
  readonly discardsOriginals: boolean;
}

/** The queue of uploads as the routes see it. */
export interface UploadQueue {
  /** To be called after an upload was added. */
  wake(): void;
  /** Ends the job of an upload and removes everything of it but its events. Throws NOT_FOUND. */
  cancel(uploadId: string): Promise<void>;
  /** Uploads that wait. */
  queueLength(): number;
  /** Uploads whose jobs run. */
  runningCount(): number;
}

/** Everything the routes of the upload service stand on. */
export interface Service {
  readonly directory: DataDirectory;
  readonly catalogue: UploadCatalogue;
  readonly events: EventLog;
  readonly queue: UploadQueue;
  readonly limits: ServiceLimits;
  /** Ends the jobs, which go back to the queue, and gives the data directory free. */
  close(): Promise<void>;
}

/** What a service is opened with. */
export interface ServiceSetting {
  /** `--data`. */
  readonly dataDirectory: string;
  readonly limits: ServiceLimits;
  /** Extractions at a time, and worker threads of each. */
  readonly jobs: number;
  readonly threads: number;
  readonly startJob: StartJob;
  readonly log: ServiceLog;
  now(): Instant;
}

/**
 * Opens a data directory, settles what an earlier service left, and begins to work. To be awaited before anybody may
 * connect. Throws SERVICE_RUNNING, OUTPUT_NOT_OURS, OUTPUT_UNWRITABLE, ARCHIVE_VERSION.
 */
export async function openService(setting: ServiceSetting): Promise<Service> {
  const directory = openDataDirectory(setting.dataDirectory);
  const lock = acquireServiceLock(directory.lock);
  try {
    return await startOver(directory, lock, setting);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function startOver(directory: DataDirectory, lock: FileLock, setting: ServiceSetting): Promise<Service> {
  const catalogue = openUploadCatalogue(directory.catalogue, uploadEventData);
  const events = new EventLog(catalogue);
  const queue = new JobQueue({ ...setting, directory, catalogue, events });
  const close = async (): Promise<void> => {
    await queue.close();
    catalogue.close();
    lock.release();
  };
  try {
    await queue.start();
  } catch (error) {
    await close();
    throw error;
  }
  return { directory, catalogue, events, queue, limits: setting.limits, close };
}
