import { ArchiveError } from "../../../errors.ts";
import { counter, integer, key, optional, word } from "../../tables/column.ts";
import { NOTEBOOK_ENTRIES } from "../../tables/notebook-tables.ts";
import {
  ACCESS_STATE,
  AUDIT,
  CORRECTIONS,
  GRANTS,
  SESSIONS,
  TOKENS,
  UPLOAD_EVENTS,
  UPLOADS,
} from "../../tables/service-tables.ts";
import { scalar, single, sql } from "../../tables/statement.ts";
import { selection, table } from "../../tables/table.ts";
import type { PostgresClient } from "../client/postgres-client.ts";
import { askIn } from "../client/queryable-client.ts";
import { beginPreparation } from "./preparation.ts";
import { serviceTableSql } from "./service-schema.ts";

/** Incremented by every change of these tables. */
const SERVICE_VERSION = 9;

/** Adds the service that holds an upload, and the end of its lease by the clock of the database server. */
export const SERVICE_UPLOADS = table(
  "service_uploads",
  { ...UPLOADS.columns, owner: optional(word("owner")) },
  { keys: "lease_until timestamptz", options: "" },
);

/** Sequences are counted in the state. */
export const SERVICE_EVENTS = table("service_events", { ...UPLOAD_EVENTS.columns, sequence: key("sequence") });

/** One row, locked until the transaction that takes a sequence commits: sequences become visible in order. */
export const SERVICE_STATE = table("service_state", {
  version: key("version"),
  directory: optional(word("directory")),
  lastSequence: counter("last_sequence"),
});

/** The service with exclusive access to the files of an upload, and the end of that access; see `SERVICE_UPLOADS`. */
export const SERVICE_LOCKS = table(
  "service_locks",
  { uploadId: word("upload_id"), owner: word("owner") },
  { keys: "lease_until timestamptz NOT NULL, PRIMARY KEY(upload_id)", options: "" },
);

/** The last revision of each notebook. */
export const SERVICE_NOTEBOOKS = table(
  "service_notebooks",
  { uploadId: word("upload_id"), revision: integer("revision") },
  { keys: "PRIMARY KEY(upload_id)", options: "" },
);

/** Deleted entries stay with a null value, so that cached notebooks learn of the deletion. */
export const SERVICE_NOTES = table(
  "service_notes",
  { ...NOTEBOOK_ENTRIES.columns, uploadId: word("upload_id"), value: optional(word("value")) },
  { keys: "PRIMARY KEY(upload_id, kind, key)", options: "" },
);

/** Tables for `notebookCalls`. */
export const SERVICE_NOTEBOOK_TABLES = { notebooks: SERVICE_NOTEBOOKS, notes: SERVICE_NOTES, owner: sql`upload_id` };

const BOUND = selection([SERVICE_STATE], ["version", "directory"]);

const OWN_TABLES = [
  ...[SERVICE_UPLOADS, SERVICE_EVENTS, SERVICE_STATE, SERVICE_LOCKS, SERVICE_NOTEBOOKS, SERVICE_NOTES],
  ...[TOKENS, SESSIONS, GRANTS, ACCESS_STATE, CORRECTIONS, AUDIT],
];

/** The catalog of services that share a database. */
const TABLES = `
${OWN_TABLES.map(serviceTableSql).join("\n")}
ALTER TABLE archivetool.access_tokens DROP COLUMN IF EXISTS session_hash;
CREATE INDEX IF NOT EXISTS service_uploads_by_status ON archivetool.service_uploads(status, ordinal);
CREATE INDEX IF NOT EXISTS service_events_by_upload ON archivetool.service_events(upload_id, event, sequence);
CREATE INDEX IF NOT EXISTS access_audit_by_time ON archivetool.access_audit(at);
INSERT INTO archivetool.access_state(event_key)
  SELECT encode(sha256((gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text)::bytea), 'hex')
  WHERE NOT EXISTS (SELECT FROM archivetool.access_state);
CREATE OR REPLACE FUNCTION archivetool.refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $refuse$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.at < extract(epoch FROM now()) * 1000 - (SELECT audit_days FROM archivetool.access_state) * 86400000 THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit is only added to, and kept';
END $refuse$;
DROP TRIGGER IF EXISTS access_audit_kept ON archivetool.access_audit;
CREATE TRIGGER access_audit_kept BEFORE UPDATE OR DELETE ON archivetool.access_audit
  FOR EACH ROW EXECUTE FUNCTION archivetool.refuse_audit_change();
DROP TRIGGER IF EXISTS access_audit_not_emptied ON archivetool.access_audit;
CREATE TRIGGER access_audit_not_emptied BEFORE TRUNCATE ON archivetool.access_audit
  FOR EACH STATEMENT EXECUTE FUNCTION archivetool.refuse_audit_change();
INSERT INTO archivetool.service_state(version) SELECT ${SERVICE_VERSION} WHERE NOT EXISTS (SELECT FROM archivetool.service_state);
UPDATE archivetool.service_state SET version = ${SERVICE_VERSION} WHERE version < ${SERVICE_VERSION};`;

/**
 * Creates or migrates the tables of a service and binds them to a data directory.
 * @param directory the id stored in the directory
 * @throws ArchiveError OUTPUT_NOT_OURS if the tables are bound to another directory, ARCHIVE_VERSION
 */
export async function prepareService(client: PostgresClient, directory: string): Promise<void> {
  if ((await versionOf(client)) < SERVICE_VERSION) {
    await beginPreparation(client);
    await client.run(`${TABLES} COMMIT`);
  }
  const bound = await askIn(
    client,
    single(
      sql`UPDATE ${SERVICE_STATE} SET directory = coalesce(directory, ${directory}) RETURNING ${BOUND}`,
      BOUND.decode,
    ),
  );
  if (bound?.version !== SERVICE_VERSION)
    throw new ArchiveError(
      "ARCHIVE_VERSION",
      `the service tables were created by another version of archivetool (schema ${bound?.version}, not ${SERVICE_VERSION})`,
    );
  if (bound.directory !== directory)
    throw new ArchiveError("OUTPUT_NOT_OURS", "the service of this database uses another data directory", {
      hint: "set --data or --blobs to the location that all services of this database share, and check that it is mounted",
    });
}

/** Returns 0 if there are no tables. */
async function versionOf(client: PostgresClient): Promise<number> {
  const table = await askIn(client, scalar<string | null>(sql`SELECT to_regclass('archivetool.service_state')::text`));
  return table === null ? 0 : askIn(client, scalar<number>(sql`SELECT version FROM ${SERVICE_STATE}`));
}
