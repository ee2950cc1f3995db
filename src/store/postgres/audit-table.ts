import type { Actor, AuditAction, AuditEntry, AuditedAct, AuditFilter } from "../../mail/access.ts";
import type { Instant } from "../../mail/instant.ts";
import { AUDIT_CUT_EVERY, AUDIT_DAYS } from "../access-register.ts";
import type { PostgresClient } from "./postgres-client.ts";

/** As in `sqlite/audit-table.ts`. */
export const AUDIT_TABLES = `
CREATE TABLE IF NOT EXISTS archivetool.access_audit(
  sequence int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at int8 NOT NULL, name text COLLATE "C" NOT NULL,
  action text COLLATE "C" NOT NULL, upload_id text COLLATE "C", detail text);
CREATE INDEX IF NOT EXISTS access_audit_by_time ON archivetool.access_audit(at);
ALTER TABLE archivetool.access_state ADD COLUMN IF NOT EXISTS audit_days int8 NOT NULL DEFAULT ${AUDIT_DAYS};
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
  FOR EACH STATEMENT EXECUTE FUNCTION archivetool.refuse_audit_change();`;

/** Half a second behind the trigger: `now()` is the time of the transaction. */
const CUT = `DELETE FROM access_audit
  WHERE at < extract(epoch FROM now()) * 1000 - (SELECT audit_days FROM access_state) * 86400000 - 500`;

/** Adds a row to the audit, within the transaction of what it tells where there is one. */
export async function appendAudit(
  client: PostgresClient,
  { at, name, action, uploadId, detail }: AuditedAct,
): Promise<void> {
  const [[sequence]] = (await client.rows(
    "INSERT INTO access_audit(at, name, action, upload_id, detail) VALUES ($1, $2, $3, $4, $5) RETURNING sequence",
    [at, name, action, uploadId, detail],
  )) as [[number]];
  if (sequence % AUDIT_CUT_EVERY === 0) await client.rows(CUT);
}

/** Rows behind a sequence, oldest first. */
export async function readAudit(
  client: PostgresClient,
  { name, uploadId, since }: AuditFilter,
  { sequence, limit }: { readonly sequence: number; readonly limit: number },
): Promise<readonly AuditEntry[]> {
  const rows = await client.rows(
    `SELECT sequence, at, name, action, upload_id, detail FROM access_audit
     WHERE sequence > $1 AND ($2::text IS NULL OR name = $2) AND ($3::text IS NULL OR upload_id = $3) AND at >= $4
     ORDER BY sequence LIMIT $5`,
    [sequence, name, uploadId, since ?? 0, limit],
  );
  return rows.map((row) => {
    const [number, at, who, action, upload, detail] = row as [
      number,
      Instant,
      string,
      AuditAction,
      string | null,
      string | null,
    ];
    return { sequence: number, at, name: who, action, uploadId: upload, detail };
  });
}

/** Sets for how long rows are kept. */
export async function setAuditDays(client: PostgresClient, days: number, by: Actor): Promise<void> {
  await client.rows("UPDATE access_state SET audit_days = $1", [days]);
  await appendAudit(client, { ...by, action: "retention set", uploadId: null, detail: `${days} days` });
  await client.rows(CUT);
}
