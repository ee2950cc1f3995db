import { ArchiveError } from "../../errors.ts";
import { ACCESS_TABLES } from "./access-tables.ts";
import { AUDIT_TABLES } from "./audit-table.ts";
import type { PostgresClient } from "./postgres-client.ts";

/** Raised by every change of these tables. */
const SERVICE_VERSION = 3;

/**
 * The catalogue of a service whose replicas share a database: as in `sqlite/upload-catalogue-schema.ts`, with the service
 * that holds an upload, and until when. Sequences are counted in `service_state`, whose row is locked until what they
 * number is committed: nobody reads a sequence before all that are below it.
 */
const TABLES = `
CREATE SCHEMA IF NOT EXISTS archivetool;
CREATE TABLE IF NOT EXISTS archivetool.service_uploads(
  ordinal int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE, filename text NOT NULL,
  size_bytes int8 NOT NULL, sha256 text NOT NULL, source_path text, status text COLLATE "C" NOT NULL, phase text,
  created_at int8 NOT NULL, started_at int8, completed_at int8, error_code text, error_message text, counts text,
  redact text NOT NULL, password text, max_messages int8, discard_originals int8 NOT NULL, attempt int8 NOT NULL DEFAULT 0,
  interruptions int8 NOT NULL DEFAULT 0, job_pid int8, job_started text, owner text COLLATE "C", lease_until timestamptz);
CREATE INDEX IF NOT EXISTS service_uploads_by_status ON archivetool.service_uploads(status, ordinal);
CREATE TABLE IF NOT EXISTS archivetool.service_events(
  sequence int8 PRIMARY KEY, upload_id text COLLATE "C" NOT NULL, event text COLLATE "C" NOT NULL, data text NOT NULL);
CREATE INDEX IF NOT EXISTS service_events_by_upload ON archivetool.service_events(upload_id, event, sequence);
CREATE TABLE IF NOT EXISTS archivetool.service_state(
  version int8 PRIMARY KEY, directory text COLLATE "C", last_sequence int8 NOT NULL DEFAULT 0);
INSERT INTO archivetool.service_state(version) SELECT ${SERVICE_VERSION} WHERE NOT EXISTS (SELECT FROM archivetool.service_state);
${ACCESS_TABLES}
${AUDIT_TABLES}
UPDATE archivetool.service_state SET version = ${SERVICE_VERSION} WHERE version < ${SERVICE_VERSION};`;

/** Held while the tables are made: two services that begin at once would both make them. */
const TABLES_LOCK = 1_095_910_232;

/**
 * Makes the tables of a service where they are not or of an earlier version, and binds them to a data directory.
 * @param directory the id that lies in it
 * @throws ArchiveError OUTPUT_NOT_OURS for another directory than the one they are bound to, ARCHIVE_VERSION
 */
export async function prepareService(client: PostgresClient, directory: string): Promise<void> {
  if ((await versionOf(client)) < SERVICE_VERSION)
    await client.run(`BEGIN; SELECT pg_advisory_xact_lock(${TABLES_LOCK}); ${TABLES} COMMIT`);
  const [[version, bound]] = (await client.rows(
    "UPDATE service_state SET directory = coalesce(directory, $1) RETURNING version, directory",
    [directory],
  )) as [[number, string]];
  if (version !== SERVICE_VERSION)
    throw new ArchiveError(
      "ARCHIVE_VERSION",
      `the tables of the service were made by another version of archivetool (schema ${version}, not ${SERVICE_VERSION})`,
    );
  if (bound !== directory)
    throw new ArchiveError("OUTPUT_NOT_OURS", "the service of this database has another data directory", {
      hint: "give the directory that all its services share with --data, and see that it is mounted",
    });
}

/** 0 where there are no tables. */
async function versionOf(client: PostgresClient): Promise<number> {
  const [[table]] = (await client.rows("SELECT to_regclass('archivetool.service_state')::text")) as [[string | null]];
  if (table === null) return 0;
  const [[version]] = (await client.rows("SELECT version FROM service_state")) as [[number]];
  return version;
}

/** Columns of an upload, in the order of `UploadRow`. */
export const UPLOAD_COLUMNS =
  "id, filename, size_bytes, sha256, source_path, status, phase, created_at, started_at, completed_at, error_code, error_message, counts, discard_originals";
/** What its job needs as well, in the order of `JobRow`. */
export const JOB_COLUMNS = `${UPLOAD_COLUMNS}, redact, password, max_messages, attempt, interruptions, job_pid, job_started`;
