import type { Instant } from "../../../mail/dates/instant.ts";
import type { UploadCounts, UploadFault, UploadOptions } from "../../../mail/uploads.ts";
import type { JobPhase } from "./wire-uploads.ts";

/**
 * Messages between the service and the process of a job. Options are sent only this way: other users can read
 * arguments and environments.
 */

/** The one message to a job. */
export interface JobRequest {
  /** Absolute path of the directory that contains the source. */
  readonly sourceDirectory: string;
  /** Name of the source in it. */
  readonly filename: string;
  /** Absolute path of the directory the job writes to, and nowhere else. */
  readonly attemptDirectory: string;
  /** Absolute path of the archive that the source is added to, which the job writes to as well; null for a new one. */
  readonly archiveDirectory: string | null;
  readonly options: UploadOptions;
  /** SHA-256 of a server path when it was added, since it may have changed. Null for bytes that cannot change. */
  readonly expectedSha256: string | null;
  /** Worker threads. */
  readonly threads: number;
}

/** Messages of a job. `ended` is the last one; a successful job has written a result. */
export type JobMessage =
  | ({ readonly kind: "phase" } & JobPhase)
  | { readonly kind: "ended"; readonly fault: JobFault | null };

/** Why a job failed. */
export interface JobFault extends UploadFault {
  /** Error class and stack frames for the service log, never the message, which may contain text of mail. */
  readonly trace: readonly string[];
}

/** Written last to the directory of an attempt, so that its presence means that everything is there. */
export const RESULT_FILE = "result.json";

export interface JobResult {
  readonly counts: UploadCounts;
  readonly extractedAt: Instant;
}
