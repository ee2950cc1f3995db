/** Log of a service: ids, codes and times, never names, options or text of mail. A pino logger fits. */
export interface ServiceLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The queue of uploads as the routes see it. */
export interface UploadQueue {
  /** To be called after an upload was added. */
  wake(): void;
  /** Ends the job of an upload and removes everything of it but its events. Throws NOT_FOUND. */
  cancel(uploadId: string): Promise<void>;
  /** Waits until nothing of the last job of an upload is left to do here. */
  settled(uploadId: string): Promise<void>;
  /** Uploads that wait. */
  queueLength(): Promise<number>;
  /** Uploads with running jobs. */
  runningCount(): number;
  /** Messages of the extractions that this service completed. */
  readonly extractedMessages: number;
}
