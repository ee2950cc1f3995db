import type { UploadCatalogue } from "../../store/upload-catalogue.ts";
import type { DataDirectory } from "./data-directory.ts";
import type { EventLog } from "./event-log.ts";

/** What one upload may be. */
export interface ServiceLimits {
  readonly maxUploadBytes: number;
  /** Bytes that stay free on the disk. */
  readonly diskMarginBytes: number;
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
