import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeLargestSample } from "../../../../test/stored-sample.ts";
import { HAS_POSTGRES, SQLITE, testServer } from "../../../../test/stores.ts";
import { copyArchive } from "../../archive/copy-archive.ts";
import { openArchive } from "../../archive/open-archive.ts";
import { createArchive } from "../../archive/write-archive.ts";
import { archiveOnServer, type FileLocation } from "../../contract/archive-location.ts";
import { OLDEST_VERSION } from "../../tables/archive-tables.ts";
import { connect, type PostgresClient } from "../client/postgres-client.ts";

describe.skipIf(!HAS_POSTGRES)("tables of another layout", () => {
  const server = HAS_POSTGRES ? testServer().url.replace("/postgres?", "/former?") : "";
  const place = archiveOnServer(server, "former");
  let directory: string;
  let file: FileLocation;
  let client: PostgresClient;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "archivetool-migrations-"));
    file = SQLITE.placeIn(directory, "former.db");
    await writeLargestSample(await createArchive(file), 5);
    const own = await connect(testServer().url, "test");
    await own.run("CREATE DATABASE former");
    await own.close();
    client = await connect(server, "test");
    await copyArchive(file, place);
  });
  afterAll(async () => {
    await client.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it("of an unsupported version are not changed", async () => {
    const [[present]] = (await client.rows("SELECT version FROM archivetool.layout")) as [[number]];
    await client.run(`UPDATE archivetool.layout SET version = ${OLDEST_VERSION - 1}`);
    await expect(openArchive(place)).rejects.toMatchObject({ code: "ARCHIVE_VERSION" });
    await expect(copyArchive(file, place)).rejects.toMatchObject({ code: "ARCHIVE_VERSION" });
    expect(await client.rows("SELECT version FROM archivetool.layout")).toEqual([[OLDEST_VERSION - 1]]);
    await client.run(`UPDATE archivetool.layout SET version = ${present}`);
  });

  it("of a newer version are not changed", async () => {
    await client.run("UPDATE archivetool.layout SET version = version + 1000");
    await expect(copyArchive(file, place)).rejects.toMatchObject({ code: "ARCHIVE_VERSION" });
  });
});
