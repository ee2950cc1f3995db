import type { ErrorCode } from "../../errors.ts";
import type { Instant } from "../../mail/instant.ts";
import type { PiiType } from "../../mail/provenance.ts";
import type { LoggedEvent, UploadCounts, UploadRecord, UploadStatus } from "../../mail/uploads.ts";
import type { SqlValue } from "../sqlite/sqlite-database.ts";
import type { UploadJob } from "../upload-catalogue.ts";

/** A row of `UPLOAD_COLUMNS`. */
type UploadRow = readonly [
  uploadId: string,
  filename: string,
  sizeBytes: number,
  sha256: string,
  sourcePath: string | null,
  status: UploadStatus,
  phase: string | null,
  createdAt: Instant,
  startedAt: Instant | null,
  completedAt: Instant | null,
  errorCode: ErrorCode | null,
  errorMessage: string | null,
  counts: string | null,
  discardsOriginals: number,
];
/** A row of `JOB_COLUMNS`. */
type JobRow = readonly [
  ...upload: UploadRow,
  redact: string,
  password: string | null,
  maxMessages: number | null,
  attempt: number,
  interruptions: number,
  processId: number | null,
  processStartedAt: string | null,
];

/** Columns of `UPLOAD_COLUMNS`. */
const UPLOAD_WIDTH = 14;

export function recordOf(row: readonly SqlValue[]): UploadRecord {
  const [uploadId, filename, sizeBytes, sha256, sourcePath, status, phase, ...others] = row as unknown as UploadRow;
  const [createdAt, startedAt, completedAt, errorCode, errorMessage, counts, discardsOriginals] = others;
  return {
    uploadId,
    filename,
    sizeBytes,
    sha256,
    status,
    phase,
    createdAt,
    startedAt,
    completedAt,
    error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? "" },
    counts: counts === null ? null : (JSON.parse(counts) as UploadCounts),
    sourcePath,
    discardsOriginals: discardsOriginals === 1,
  };
}

export function jobOf(row: readonly SqlValue[]): UploadJob {
  const upload = recordOf(row);
  const asked = (row as unknown as JobRow).slice(UPLOAD_WIDTH) as [
    string,
    string | null,
    number | null,
    number,
    number,
    number | null,
    string | null,
  ];
  const [redact, password, maxMessages, attempt, interruptions, processId, startedAt] = asked;
  const { discardsOriginals } = upload;
  return {
    upload,
    options: { redact: JSON.parse(redact) as PiiType[], password, maxMessages, discardsOriginals },
    attempt,
    interruptions,
    process: processId === null ? null : { processId, startedAt },
  };
}

/** A row of sequence, upload, event and data. */
export function eventOf(row: readonly SqlValue[]): LoggedEvent {
  const [sequence, uploadId, event, data] = row as unknown as [number, string, LoggedEvent["event"], string];
  return { sequence, uploadId, event, data };
}
