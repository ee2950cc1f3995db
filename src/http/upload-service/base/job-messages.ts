import type { Instant } from "../../../mail/dates/instant.ts";
import type { UploadCounts, UploadFault, UploadOptions } from "../../../mail/uploads.ts";
import type { JobPhase } from "./wire-uploads.ts";

/**
 * What is said between the service and the process of a job. Options go this way alone: arguments and environment can
 * be read by others.
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
  /**
   * SHA-256 that a path of the server had when it was added: it may have changed since. Null for bytes that nobody else
   * can change.
   */
  readonly expectedSha256: string | null;
  /** Worker threads. */
  readonly threads: number;
}

/** Messages of a job. `ended` is the last one; a successful job has written a result. */
export type JobMessage =
  | ({ readonly kind: "phase" } & JobPhase)
  | { readonly kind: "ended"; readonly fault: JobFault | null };

/** Why a job gave up. */
export interface JobFault extends UploadFault {
  /**
   * Kind of the error and places in the code, for the log of the service: never its message, which may hold text of
   * mail.
   */
  readonly trace: readonly string[];
}

/** In the directory of an attempt: written last, so that its presence says that everything else is there. */
export const RESULT_FILE = "result.json";

export interface JobResult {
  readonly counts: UploadCounts;
  readonly extractedAt: Instant;
}
