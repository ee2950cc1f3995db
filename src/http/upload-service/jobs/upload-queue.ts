/** Log of a service: ids, codes and times, never names, options or text of mail. Compatible with pino. */
export interface ServiceLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The queue of uploads as the routes see it. */
export interface UploadQueue {
  /** Call after an upload was added. */
  wake(): void;
  /** Ends the job of an upload and removes everything except its events. Throws NOT_FOUND. */
  cancel(uploadId: string): Promise<void>;
  /** Waits until all work on the last job of an upload is done here. */
  settled(uploadId: string): Promise<void>;
  /** Number of waiting uploads. */
  queueLength(): Promise<number>;
  /** Number of uploads with running jobs. */
  runningCount(): number;
  /** Messages of the extractions that this service completed. */
  readonly extractedMessages: number;
}
