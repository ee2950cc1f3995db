import type { ErrorCode } from "../../errors.ts";
import type { AccessToken, AuditAction, AuditEntry, Grant, NewAccessToken, Role, Session } from "../../mail/access.ts";
import type { PiiType } from "../../mail/records/provenance.ts";
import type { AddedSource, LoggedEvent, UploadCounts, UploadStatus } from "../../mail/uploads.ts";
import { AUDIT_DAYS } from "../contract/access-register.ts";
import type { CorrectionsFile } from "../contract/correction-store.ts";
import {
  type Columns,
  choice,
  counted,
  counter,
  flag,
  instant,
  integer,
  named,
  optional,
  type RowOf,
  record,
  since,
  unique,
  usually,
  word,
} from "./column.ts";
import { table } from "./table.ts";

/**
 * Tables of the catalog of a service, for all databases. Times are milliseconds. Each database adds its own parts:
 * the service that holds an upload, event sequences, protection of the audit.
 */

/**
 * `ordinal` is the order of acceptance. `processId` and `processStartedAt` name the process that runs an upload, so
 * that a restarted service can end it. Services of the first version did not keep uploaded files.
 */
export const UPLOADS = table("uploads", {
  ordinal: counted("ordinal"),
  uploadId: unique(word("id")),
  filename: word("filename"),
  sizeBytes: integer("size_bytes"),
  sha256: word("sha256"),
  sourcePath: optional(word("source_path")),
  status: choice<UploadStatus>("status"),
  phase: optional(word("phase")),
  createdAt: integer("created_at"),
  startedAt: instant("started_at"),
  completedAt: instant("completed_at"),
  errorCode: optional(choice<ErrorCode>("error_code")),
  errorMessage: optional(word("error_message")),
  counts: optional(record<UploadCounts>("counts")),
  redact: record<readonly PiiType[]>("redact"),
  redactWords: since(8, optional(record<readonly string[]>("redact_words"))),
  password: optional(word("password")),
  maxMessages: optional(integer("max_messages")),
  discardsOriginals: since(2, usually(1, flag("discard_originals"))),
  addedSources: since(6, optional(record<readonly AddedSource[]>("added_sources"))),
  /** The added sources after the job that adds another one has succeeded. */
  nextSources: since(6, optional(record<readonly AddedSource[]>("next_sources"))),
  attempt: counter("attempt"),
  interruptions: counter("interruptions"),
  processId: optional(integer("job_pid")),
  processStartedAt: optional(word("job_started")),
});
export type UploadColumns = (typeof UPLOADS)["columns"];
export type UploadRow = RowOf<UploadColumns>;

export const UPLOAD_EVENTS = table("events", {
  sequence: counted("sequence"),
  uploadId: word("upload_id"),
  event: choice<LoggedEvent["event"]>("event"),
  data: word("data"),
} satisfies Columns<LoggedEvent>);

/** Access tokens. */
export const TOKENS = table(
  "access_tokens",
  {
    name: named("name"),
    tokenHash: unique(word("token_hash")),
    mayUpload: flag("may_upload"),
    createdAt: integer("created_at"),
    revokedAt: instant("revoked_at"),
  } satisfies Columns<NewAccessToken & AccessToken>,
  { keys: "", options: " WITHOUT ROWID" },
);

/** Signed-in browsers. */
export const SESSIONS = table(
  "access_sessions",
  {
    sessionHash: named("session_hash"),
    name: word("name"),
    tokenHash: word("token_hash"),
    createdAt: integer("created_at"),
    seenAt: integer("seen_at"),
  } satisfies Columns<Session>,
  { keys: "", options: " WITHOUT ROWID" },
);

/** A grant outlives its upload: followers must see how it ended, and ids are never reused. */
export const GRANTS = table(
  "access_grants",
  { name: word("name"), uploadId: word("upload_id"), role: choice<Role>("role") } satisfies Columns<Grant>,
  { keys: "PRIMARY KEY(name, upload_id)", options: " WITHOUT ROWID" },
);

export const ACCESS_STATE = table("access_state", {
  eventKey: word("event_key"),
  auditDays: since(4, usually(AUDIT_DAYS, integer("audit_days"))),
});

/** Corrections of people and topics: each row is an entry of a file next to the archive. */
export const CORRECTIONS = table(
  "upload_corrections",
  {
    uploadId: word("upload_id"),
    file: choice<CorrectionsFile>("file"),
    ordinal: integer("ordinal"),
    entry: word("entry"),
  },
  { keys: "PRIMARY KEY(upload_id, file, ordinal)", options: " WITHOUT ROWID" },
);

export const AUDIT = table("access_audit", {
  sequence: counted("sequence"),
  at: integer("at"),
  name: word("name"),
  action: choice<AuditAction>("action"),
  uploadId: optional(word("upload_id")),
  detail: optional(word("detail")),
} satisfies Columns<AuditEntry>);
