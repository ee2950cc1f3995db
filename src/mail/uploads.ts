import type { ErrorCode } from "../errors.ts";
import type { Instant } from "./dates/instant.ts";
import type { PiiType } from "./records/provenance.ts";

/** Terms of the upload service. */

export const UPLOAD_STATUSES = ["queued", "running", "completed", "failed", "cancelled"] as const;
export type UploadStatus = (typeof UPLOAD_STATUSES)[number];

export interface UploadOptions {
  readonly redact: readonly PiiType[];
  /** Kept until the upload is deleted: mail that is added, or extracted again, must be redacted as well. */
  readonly redactWords?: readonly string[];
  /** Erased from the catalog when the job has ended. */
  readonly password: string | null;
  readonly maxMessages: number | null;
  /** Deletes the uploaded file after extraction: on request, or because redaction would otherwise be pointless. */
  readonly discardsOriginals: boolean;
}

/** Why an upload failed. The message names no path of the server. */
export interface UploadFault {
  readonly code: ErrorCode;
  readonly message: string;
}

export interface UploadCounts {
  readonly messages: number;
  readonly contacts: number;
  readonly threads: number;
  readonly topics: number;
  readonly calendarEvents: number;
  readonly attachments: number;
}

/** Mail that is added to the archive of an upload. */
export interface AddedSource {
  /** Identifies its bytes among those of the upload. */
  readonly id: string;
  /** Unique name in the upload. */
  readonly filename: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export interface UploadRecord {
  readonly uploadId: string;
  readonly filename: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly status: UploadStatus;
  /** Current phase of a running job; null before the first, and if none is running. */
  readonly phase: string | null;
  readonly createdAt: Instant;
  readonly startedAt: Instant | null;
  /** When it was completed, failed or canceled. */
  readonly completedAt: Instant | null;
  readonly error: UploadFault | null;
  readonly counts: UploadCounts | null;
  /** An import of a path of the server: it is read in place and never removed. */
  readonly sourcePath: string | null;
  /** See `UploadOptions`. */
  readonly discardsOriginals: boolean;
  /** Mail that was added after the first extraction, oldest first. */
  readonly added: readonly AddedSource[];
  /** Mail that a waiting or running job adds; the current archive stays readable until it is done. */
  readonly adding: AddedSource | null;
}

/** True if an upload has a readable archive. */
export function isReadable({ status, adding }: UploadRecord): boolean {
  return status === "completed" || (adding !== null && status !== "cancelled");
}

export interface NewUpload {
  readonly uploadId: string;
  readonly filename: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly createdAt: Instant;
  readonly options: UploadOptions;
  readonly sourcePath: string | null;
}

/** An entry of the log that clients follow. */
export interface LoggedEvent {
  /** Increases with every event; never reused. */
  readonly sequence: number;
  readonly uploadId: string;
  /** `upload`: its status has changed; `phase`: its job has made progress. */
  readonly event: "phase" | "upload";
  /** JSON as sent. */
  readonly data: string;
}
