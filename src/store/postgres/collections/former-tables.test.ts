import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_POSTGRES, testServer } from "../../../../test/stores.ts";
import { connect, type PostgresClient } from "../client/postgres-client.ts";
import { FORMER_TABLES } from "./former-tables.ts";
import { prepareLayout } from "./layout.ts";

/** Tables as unreleased builds created them, reduced to what matters here. */
const CREATE = `
  CREATE TABLE archivetool.replicas(a int4); CREATE TABLE archivetool.replica_state(a int4);
  CREATE TABLE archivetool.task_runs(run int4 PRIMARY KEY);
  CREATE TABLE archivetool.tasks(task int4 PRIMARY KEY, run int4 REFERENCES archivetool.task_runs);
  CREATE TABLE archivetool.task_files(task int4 REFERENCES archivetool.tasks);
  CREATE TABLE archivetool.workers(worker int4 PRIMARY KEY);
  CREATE TABLE archivetool.task_refusals(
    task int4 REFERENCES archivetool.tasks, worker int4 REFERENCES archivetool.workers);
  CREATE TABLE archivetool.collection_readers(collection text, reader regrole);
  CREATE TABLE archivetool.collection_audit(collection text);
  CREATE FUNCTION archivetool.refuse_read_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
  CREATE TRIGGER collection_audit_kept BEFORE UPDATE ON archivetool.collection_audit
    FOR EACH ROW EXECUTE FUNCTION archivetool.refuse_read_change();
  CREATE POLICY readers ON archivetool.messages FOR SELECT USING (false);
  ALTER TABLE archivetool.messages ENABLE ROW LEVEL SECURITY;
  CREATE POLICY readers ON archivetool.collection_readers FOR SELECT USING (true);
  ALTER TABLE archivetool.collection_readers ENABLE ROW LEVEL SECURITY`;

describe.skipIf(!HAS_POSTGRES)("tables of an unreleased build", () => {
  let client: PostgresClient;
  beforeAll(async () => {
    client = await connect(testServer().url, "the test server");
    await prepareLayout(client, "the test server");
    await client.run(CREATE);
    await client.run("CREATE ROLE layout_stranger; GRANT USAGE ON SCHEMA archivetool TO layout_stranger");
    await client.run("GRANT SELECT ON ALL TABLES IN SCHEMA archivetool TO layout_stranger");
  });
  afterAll(async () => {
    await client.run("DROP OWNED BY layout_stranger; DROP ROLE layout_stranger");
    await client.close();
  });

  const left = async (): Promise<unknown> =>
    (
      await client.rows(
        "SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass('archivetool.' || name) IS NOT NULL",
        [FORMER_TABLES],
      )
    ).flat();
  const single = async (sql: string): Promise<unknown> => (await client.rows(sql))[0]![0];
  const policies = () => single("SELECT count(*) FROM pg_policy WHERE polname = 'readers'");

  it("are kept if another role owns them", async () => {
    await client.run("SET ROLE layout_stranger");
    await prepareLayout(client, "the test server");
    await client.run("RESET ROLE");
    expect(await left()).toEqual([...FORMER_TABLES]);
    expect(await policies()).toBe(2);
  });

  it("are dropped when the layout is prepared, and roles with hidden rows lose their rights", async () => {
    await prepareLayout(client, "the test server");
    expect(await left()).toEqual([]);
    expect(await policies()).toBe(0);
    expect(await single("SELECT relrowsecurity FROM pg_class WHERE oid = 'archivetool.messages'::regclass")).toBe(0);
    const may = (table: string) =>
      single(`SELECT has_table_privilege('layout_stranger', 'archivetool.${table}', 'SELECT')`);
    expect(await may("messages")).toBe(0);
    expect(await may("bodies")).toBe(1);
    expect(await single("SELECT to_regproc('archivetool.refuse_read_change')")).toBe(null);
  });
});
