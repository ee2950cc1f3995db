import { ACCESS_TABLES } from "./access-tables.ts";
import { AUDIT_TABLES } from "./audit-table.ts";
import type { SqliteDatabase } from "./database.ts";

/** `ARCU`: tells a catalogue of uploads from an archive and from any other SQLite database. */
export const CATALOGUE_APPLICATION_ID = 0x41524355;
/** Raised by every change of the tables. */
export const CATALOGUE_SCHEMA_VERSION = 4;

/**
 * `ordinal` is the order of acceptance. Times are milliseconds. `redact` and `counts` are JSON. `job_pid` and
 * `job_started` name the process that works on a running upload, so that a service that starts anew can end it.
 * AUTOINCREMENT: no sequence of the log is given twice.
 */
const CATALOGUE_TABLES = `
CREATE TABLE uploads(ordinal INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, filename TEXT NOT NULL, size_bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL, source_path TEXT, status TEXT NOT NULL, phase TEXT, created_at INTEGER NOT NULL, started_at INTEGER, completed_at INTEGER,
  error_code TEXT, error_message TEXT, counts TEXT, redact TEXT NOT NULL, password TEXT, max_messages INTEGER,
  discard_originals INTEGER NOT NULL DEFAULT 1,
  attempt INTEGER NOT NULL DEFAULT 0, interruptions INTEGER NOT NULL DEFAULT 0, job_pid INTEGER, job_started TEXT);
CREATE INDEX uploads_by_status ON uploads(status, ordinal);
CREATE TABLE events(sequence INTEGER PRIMARY KEY AUTOINCREMENT, upload_id TEXT NOT NULL, event TEXT NOT NULL, data TEXT NOT NULL);
CREATE INDEX events_by_upload ON events(upload_id, event, sequence);
`;

/** Columns of an upload as the reader of rows wants them. */
export const UPLOAD_COLUMNS = `id, filename, size_bytes AS sizeBytes, sha256, source_path AS sourcePath, status, phase, created_at AS createdAt,
  started_at AS startedAt, completed_at AS completedAt, error_code AS errorCode, error_message AS errorMessage, counts,
  discard_originals AS discardsOriginals`;

/** The same with what its job needs. */
export const JOB_COLUMNS = `${UPLOAD_COLUMNS}, redact, password, max_messages AS maxMessages, attempt, interruptions,
  job_pid AS processId, job_started AS processStartedAt`;

/**
 * What brings a catalogue of an earlier version to the next one: in the first, no service kept what was uploaded; in the
 * second, there was one token for all; in the third, no audit.
 */
export const CATALOGUE_MIGRATIONS: Readonly<Record<number, string>> = {
  1: "ALTER TABLE uploads ADD COLUMN discard_originals INTEGER NOT NULL DEFAULT 1",
  2: ACCESS_TABLES,
  3: AUDIT_TABLES,
};

/** Makes the tables of a new catalogue and marks the file as ours. */
export function createCatalogueTables(database: SqliteDatabase): void {
  database.exec(CATALOGUE_TABLES);
  database.exec(ACCESS_TABLES);
  database.exec(AUDIT_TABLES);
  database.pragma(`application_id = ${CATALOGUE_APPLICATION_ID}`);
  database.pragma(`user_version = ${CATALOGUE_SCHEMA_VERSION}`);
}
