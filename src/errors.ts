import { listFormats } from "./mail/records/source-formats.ts";

/**
 * The API that sends the code to clients: the query API, or the upload service alone. The service sends the codes of
 * the query API too. Codes without a sender reach clients as INTERNAL_ERROR.
 */
type Sender = "query" | "service";

interface ErrorRow {
  /** HTTP status. */
  readonly httpStatus: number;
  /** Exit code of the command line; 1 if absent. */
  readonly exitCode?: number;
  readonly sentBy?: Sender;
  /** What to do; the message of an error says what failed. */
  readonly hint: string;
}

/** The table of error codes. */
export const ERRORS = {
  SOURCE_NOT_FOUND: { httpStatus: 404, hint: "check the path" },
  SOURCE_UNREADABLE: { httpStatus: 400, hint: "check the permissions of the file" },
  SOURCE_EMPTY: { httpStatus: 400, sentBy: "service", hint: "specify a file or directory that contains mail" },
  SOURCE_CHANGED: { httpStatus: 500, hint: "run again when no program is writing to the source" },
  SOURCE_LOST: { httpStatus: 500, hint: "check that the disk is connected and healthy, then run again" },
  UNSUPPORTED_FORMAT: { httpStatus: 400, sentBy: "service", hint: `supported formats: ${listFormats()}` },
  DAMAGED_SOURCE: { httpStatus: 400, sentBy: "service", hint: "the file is too damaged to read; try a backup" },
  PASSWORD_REQUIRED: {
    httpStatus: 400,
    hint: "set the password with --password-file FILE or ARCHIVETOOL_PASSWORD, or skip the file with --skip-protected",
  },
  OUTPUT_NOT_OURS: { httpStatus: 400, hint: "select an empty or new directory with --output" },
  OUTPUT_OTHER_SOURCES: {
    httpStatus: 409,
    hint: "add to it with --incremental, select another directory with --output, or replace it with --replace",
  },
  OUTPUT_UNWRITABLE: { httpStatus: 500, hint: "select a writable directory with --output" },
  OUTPUT_BUSY: { httpStatus: 409, hint: "wait until the other run ends" },
  OUTPUT_UNFINISHED: {
    httpStatus: 500,
    hint: "fix the problem and run the command again; it resumes where it stopped",
  },
  DISK_FULL: { httpStatus: 507, sentBy: "service", hint: "free some space, or select another disk with --output" },
  COUNTS_DISAGREE: { httpStatus: 500, hint: "report this bug: a message was neither imported nor accounted for" },
  NOT_AN_ARCHIVE: { httpStatus: 400, hint: "create an archive first: archivetool extract <files...>" },
  ARCHIVE_DAMAGED: {
    httpStatus: 500,
    sentBy: "service",
    hint: "restore the directory from a backup, or extract all sources again without --incremental",
  },
  ARCHIVE_VERSION: { httpStatus: 400, hint: "extract again with this version of archivetool" },
  ARCHIVE_FULL: { httpStatus: 413, hint: "split the mail into several archives, for example by year" },
  DOCUMENT_INVALID: { httpStatus: 400, hint: "run archivetool validate to see every error" },
  INVALID_ARGUMENT: { httpStatus: 400, hint: "see archivetool --help" },
  PORT_IN_USE: { httpStatus: 500, hint: "select another port with --port" },
  NETWORK_DENIED: { httpStatus: 500, hint: "start node with --allow-net and --permission, or without both" },
  INVALID_QUERY: { httpStatus: 400, sentBy: "query", hint: "see docs/reference/query-api.md" },
  QUERY_TOO_EXPENSIVE: {
    httpStatus: 422,
    sentBy: "query",
    hint: "use fewer phrases and wildcards, or add a rare word, a person or a date",
  },
  NOT_FOUND: { httpStatus: 404, sentBy: "query", hint: "check the id" },
  UNIMPLEMENTED: { httpStatus: 501, sentBy: "query", hint: "see docs/reference/query-api.md" },
  ORIGINAL_MOVED: {
    httpStatus: 404,
    sentBy: "service",
    hint: "pass the new location of the source with --sources DIR",
  },
  ORIGINAL_CHANGED: {
    httpStatus: 410,
    sentBy: "service",
    hint: "restore the source file to the state it had when it was extracted",
  },
  ORIGINAL_PROTECTED: { httpStatus: 403, sentBy: "service", hint: "set the password with --password-file FILE" },
  ORIGINAL_WITHHELD: { httpStatus: 403, sentBy: "service", hint: "use an archive that is not redacted" },
  ORIGINAL_UNPLACED: {
    httpStatus: 404,
    sentBy: "service",
    hint: "extract the source again: earlier versions did not record the location of events and items",
  },
  ORIGINAL_UNREADABLE: { httpStatus: 503, sentBy: "service", hint: "check the permissions of the source" },
  UPLOAD_TOO_LARGE: {
    httpStatus: 413,
    sentBy: "service",
    hint: "upload a smaller file, or start the service with a larger --max-upload-bytes",
  },
  UPLOAD_BUSY: { httpStatus: 409, sentBy: "service", hint: "try again when the extraction of the upload has ended" },
  UNSAFE_ARCHIVE: {
    httpStatus: 400,
    sentBy: "service",
    hint: "compress the mail again with only plain files and directories and no encryption",
  },
  UNAUTHORIZED: { httpStatus: 401, sentBy: "service", hint: "send the access token: Authorization: Bearer TOKEN" },
  FORBIDDEN: { httpStatus: 403, sentBy: "service", hint: "ask the service administrator for access" },
  RATE_LIMITED: { httpStatus: 429, sentBy: "service", hint: "retry after the interval given in Retry-After" },
  EXTRACTION_CRASHED: { httpStatus: 500, hint: "give the machine more memory, or split the archive" },
  NOTEBOOK_CHANGED: { httpStatus: 409, sentBy: "service", hint: "reload the entry and try again" },
  SERVICE_RUNNING: { httpStatus: 409, hint: "stop the other service, or select another directory with --data" },
  DRIVER_MISSING: {
    httpStatus: 500,
    hint:
      "use Node.js 24.16 or newer, or run: npm install -g --allow-scripts=better-sqlite3 better-sqlite3@12.11.1 " +
      "(in a project: npm pkg set --json allowScripts.better-sqlite3=true && npm install better-sqlite3@12.11.1)",
  },
  CATALOGUE_UNREACHABLE: {
    httpStatus: 503,
    sentBy: "service",
    hint: "check that PostgreSQL is running and that the host, database, user and password in --store are correct",
  },
  BLOBS_UNREACHABLE: {
    httpStatus: 503,
    sentBy: "service",
    hint: "check that the blob store in --blobs is reachable and that the bucket, region and credentials are correct",
  },
  STORE_UNREACHABLE: {
    httpStatus: 503,
    sentBy: "query",
    hint: "check that PostgreSQL is running and that the host, database, user and password in the URL are correct",
  },
  INTERNAL_ERROR: { httpStatus: 500, sentBy: "query", hint: "run again with --verbose and report the output" },
} as const satisfies Readonly<Record<string, ErrorRow>>;

export type ErrorCode = keyof typeof ERRORS;
/** Exit code of the command line after an error. */
export function exitCodeOf(code: ErrorCode): number {
  const { exitCode = 1 }: ErrorRow = ERRORS[code];
  return exitCode;
}

type CodeSentBy<S extends Sender> = {
  [Code in ErrorCode]: (typeof ERRORS)[Code] extends { readonly sentBy: S } ? Code : never;
}[ErrorCode];

/** Codes that any API sends. */
export function codesSentBy<S extends Sender>(...senders: readonly S[]): readonly CodeSentBy<S>[] {
  const isSent = (code: ErrorCode): code is CodeSentBy<S> => {
    const { sentBy }: ErrorRow = ERRORS[code];
    return senders.some((sender) => sender === sentBy);
  };
  return (Object.keys(ERRORS) as ErrorCode[]).filter(isSent);
}

/** An error of the run or request. Anomalies of a message are findings, lost items are warnings; neither is thrown. */
export class ArchiveError extends Error {
  readonly hint: string;
  /** Seconds after which the same request may succeed; null where that is unknown. */
  readonly retryAfterSeconds: number | null;

  /** @param message one line: what failed, and the cause @param hint overrides the hint of the table */
  constructor(
    readonly code: ErrorCode,
    message: string,
    detail: { readonly cause?: unknown; readonly hint?: string; readonly retryAfterSeconds?: number } = {},
  ) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = "ArchiveError";
    this.hint = detail.hint ?? ERRORS[code].hint;
    this.retryAfterSeconds = detail.retryAfterSeconds ?? null;
  }
}

/** The system error code (`ENOENT`, `ENOSPC`, …) of a thrown value, or null. */
export function systemErrorCode(error: unknown): string | null {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return null;
}
