import type { PostgresClient } from "../client/postgres-client.ts";

/** Tables of features that unreleased builds had: search replicas, workers shared by runs, readers by database role. */
export const FORMER_TABLES = [
  ...["replicas", "replica_state"],
  ...["task_files", "task_refusals", "tasks", "task_runs", "workers"],
  ...["collection_readers", "collection_audit"],
] as const;

/** The table has another owner, or a view depends on it. */
const NOT_OURS = "EXCEPTION WHEN insufficient_privilege OR dependent_objects_still_exist THEN NULL";

/**
 * Drops the policies of readers by database role. They hid rows from roles with rights on whole tables, so these
 * rights are revoked in the same transaction: no role gains access.
 */
const DROP_POLICIES = `DO $$ DECLARE held record; BEGIN
  FOR held IN
    SELECT DISTINCT relname, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS grantee
    FROM pg_policy JOIN pg_class ON pg_class.oid = polrelid CROSS JOIN aclexplode(relacl)
    WHERE polname = 'readers' AND relnamespace = 'archivetool'::regnamespace AND grantee <> relowner
  LOOP
    EXECUTE format('REVOKE ALL ON archivetool.%I FROM %s CASCADE', held.relname, held.grantee);
  END LOOP;
  FOR held IN
    SELECT relname FROM pg_policy JOIN pg_class ON pg_class.oid = polrelid
    WHERE polname = 'readers' AND relnamespace = 'archivetool'::regnamespace
  LOOP
    EXECUTE format('DROP POLICY readers ON archivetool.%I', held.relname);
    EXECUTE format('ALTER TABLE archivetool.%I DISABLE ROW LEVEL SECURITY', held.relname);
  END LOOP;
  ${NOT_OURS};
END $$`;

/** Drops tables and policies of unreleased builds. Those with another owner or dependent views stay unused. */
export async function dropFormerTables(client: PostgresClient): Promise<void> {
  const found = (await client.rows(
    "SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass('archivetool.' || name) IS NOT NULL",
    [FORMER_TABLES],
  )) as [string][];
  const names = new Set(found.map(([name]) => name));
  if (names.has("collection_readers")) await client.run(DROP_POLICIES);
  // In this order, because of foreign keys.
  for (const name of FORMER_TABLES)
    if (names.has(name)) await client.run(`DO $$ BEGIN DROP TABLE IF EXISTS archivetool.${name}; ${NOT_OURS}; END $$`);
  if (names.has("collection_audit"))
    await client.run(`DO $$ BEGIN DROP FUNCTION IF EXISTS archivetool.refuse_read_change(); ${NOT_OURS}; END $$`);
}
