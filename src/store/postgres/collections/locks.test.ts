import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleArchives } from "../../../../test/sample-rows.ts";
import { writeSample } from "../../../../test/stored-sample.ts";
import { HAS_POSTGRES, SQLITE, testServer } from "../../../../test/stores.ts";
import { copyArchive } from "../../archive/copy-archive.ts";
import { openArchive } from "../../archive/open-archive.ts";
import { createArchive } from "../../archive/write-archive.ts";
import { type ArchiveLocation, archiveOnServer } from "../../contract/archive-location.ts";
import { connect, type PostgresClient } from "../client/postgres-client.ts";
import { postgresSink } from "../reading/stored-rows.ts";
import { postgresCatalog } from "../service/upload-catalog.ts";

/** Sessions that only read block no one, whatever they lock. */

const PLACE = archiveOnServer(HAS_POSTGRES ? testServer().url : "", "locked");

async function writeArchive(directory: string): Promise<ArchiveLocation> {
  const place = SQLITE.placeIn(directory, "archive.db");
  const whole = sampleArchives.filter(({ messages }) => messages.length > 2);
  const writer = await createArchive(place);
  await writeSample(writer, fc.sample(whole, { numRuns: 1, seed: 3 })[0]!);
  await writer.finish();
  return place;
}

describe.skipIf(!HAS_POSTGRES)("a role that only reads", () => {
  let directory: string;
  let file: ArchiveLocation;
  let owner: PostgresClient;
  let reader: PostgresClient;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "archivetool-locks-"));
    file = await writeArchive(directory);
    await copyArchive(file, PLACE);
    owner = await connect(testServer().url, "test");
    await owner.run(`CREATE ROLE lock_reader LOGIN; GRANT USAGE ON SCHEMA archivetool TO lock_reader;
      GRANT SELECT ON ALL TABLES IN SCHEMA archivetool TO lock_reader`);
    reader = await connect(testServer().url.replace("tester@", "lock_reader@"), "test");
  });
  afterAll(async () => {
    await reader.close();
    await owner.run("DROP OWNED BY lock_reader; DROP ROLE lock_reader");
    await owner.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const epochs = async (): Promise<readonly number[]> =>
    (await owner.rows("SELECT epoch FROM epochs WHERE collection = 'locked' ORDER BY epoch")).flat() as number[];

  it("cannot open a collection if it may not read one of its tables", async () => {
    await owner.run("REVOKE SELECT ON archivetool.messages FROM lock_reader");
    const url = testServer().url.replace("tester@", "lock_reader@");
    await expect(openArchive(archiveOnServer(url, "locked"))).rejects.toMatchObject({
      code: "SOURCE_UNREADABLE",
      message: expect.stringContaining("messages"),
    });
    await owner.run("GRANT SELECT ON archivetool.messages TO lock_reader");
    await (await openArchive(archiveOnServer(url, "locked"))).close();
  });

  it("blocks neither readers nor writers with advisory locks and locks of tables", async () => {
    // Keys locked by unreleased builds, and those of the next epochs.
    const keys = [1_095_910_228, 1_095_910_229, 1_095_910_233];
    await reader.rows(
      `SELECT pg_advisory_lock(class, key) FROM unnest($1::int4[]) AS class,
         LATERAL (SELECT generate_series(1, 100) AS key UNION SELECT hashtext('locked') UNION SELECT hashtext('a')) AS keys`,
      [keys.map(String)],
    );
    await reader.run("SELECT pg_advisory_lock(1095910228), pg_advisory_lock(1095910232)");
    await reader.run(`BEGIN; LOCK TABLE archivetool.layout, archivetool.writers, archivetool.collections,
      archivetool.epochs, archivetool.messages IN ACCESS SHARE MODE`);
    await copyArchive(file, PLACE);
    const archive = await openArchive(PLACE);
    expect((await archive.messages.list("sent_at", { limit: 1, offset: 0 })).items).toHaveLength(1);
    await archive.close();
    const catalog = postgresCatalog(
      { server: PLACE.server, directory: "locks", owner: "one", leaseSeconds: 600 },
      () => "{}",
    );
    expect([await catalog.lock("a"), await catalog.lock("a")]).toEqual([true, false]);
    await catalog.close();
    await reader.run("ROLLBACK; SELECT pg_advisory_unlock_all()");
  });

  it("cannot lock rows, nor tables against writers", async () => {
    for (const sql of [
      "SELECT FROM archivetool.writers FOR UPDATE",
      "SELECT FROM archivetool.epochs FOR KEY SHARE",
      "LOCK TABLE archivetool.layout IN SHARE MODE",
      "LOCK TABLE archivetool.messages IN EXCLUSIVE MODE",
    ]) {
      await expect(reader.run(`BEGIN; ${sql}`)).rejects.toMatchObject({ code: "SOURCE_UNREADABLE" });
      await reader.run("ROLLBACK");
    }
  });

  it("keeps a replaced epoch until it has read it", async () => {
    const archive = await openArchive({ ...PLACE, server: PLACE.server.replace("tester@", "lock_reader@") });
    const [present] = await epochs();
    await copyArchive(file, PLACE);
    expect(await epochs()).toEqual([present, expect.any(Number)]);
    expect((await archive.messages.list("sent_at", { limit: 1, offset: 0 })).items).toHaveLength(1);
    await archive.close();
    // The server notices the closed connection a moment later.
    await expect
      .poll(async () => (await owner.rows("SELECT FROM pg_stat_activity WHERE usename = 'lock_reader'")).length)
      .toBe(1);
    await copyArchive(file, PLACE);
    expect(await epochs()).toHaveLength(1);
  });

  it("causes a clear error for a second writer", async () => {
    const first = await postgresSink(PLACE, false);
    await expect(postgresSink(PLACE, false)).rejects.toMatchObject({
      code: "OUTPUT_BUSY",
      message: expect.stringContaining("another process is writing postgres://"),
    });
    await first.abort();
    const other = await connect(testServer().url, "test");
    await other.run("BEGIN; LOCK TABLE archivetool.layout IN EXCLUSIVE MODE");
    await expect(owner.run("BEGIN; LOCK TABLE archivetool.layout IN SHARE MODE NOWAIT")).rejects.toMatchObject({
      code: "OUTPUT_BUSY",
      message: expect.stringContaining("is locked by another session"),
    });
    await owner.run("ROLLBACK");
    await other.close();
  });
});
