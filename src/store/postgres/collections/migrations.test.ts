import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeLargestSample } from "../../../../test/stored-sample.ts";
import { HAS_POSTGRES, SQLITE, testServer } from "../../../../test/stores.ts";
import { archiveDigests, copyArchive } from "../../archive/copy-archive.ts";
import { openArchive } from "../../archive/open-archive.ts";
import { createArchive } from "../../archive/write-archive.ts";
import { archiveOnServer, type FileLocation } from "../../contract/archive-location.ts";
import { OLDEST_VERSION, SCHEMA_VERSION } from "../../tables/archive-tables.ts";
import { connect, type PostgresClient } from "../client/postgres-client.ts";
import { isCollectionThere } from "./epochs.ts";
import { prepareLayout } from "./layout.ts";
import { PARTITIONED_TABLES, PIECE_BYTES } from "./partitioned-tables.ts";

/** Restores the layout before migrations: each epoch had its own rows, and values were whole. */
const FORMER = [
  "DROP SCHEMA archivetool_views CASCADE",
  ...PARTITIONED_TABLES.flatMap(({ name, key, pieced }) => {
    const keys = key.filter((column) => column !== "part").join(", ");
    const whole = `SELECT home, ${keys}, string_agg(${pieced}, ''::bytea ORDER BY part) AS value FROM archivetool.${name} GROUP BY home, ${keys}`;
    return [
      ...(pieced === null
        ? []
        : [
            `UPDATE archivetool.${name} AS kept SET ${pieced} = value FROM (${whole}) AS whole WHERE kept.home = whole.home AND kept.${keys} = whole.${keys}`,
            `DELETE FROM archivetool.${name} WHERE part > 0`,
            `ALTER TABLE archivetool.${name} DROP COLUMN part`,
          ]),
      `ALTER TABLE archivetool.${name} RENAME COLUMN home TO epoch`,
      `ALTER TABLE archivetool.${name} DROP COLUMN born, DROP COLUMN last`,
      `ALTER TABLE archivetool.${name} ADD CONSTRAINT ${name}_pkey PRIMARY KEY(epoch, ${keys})`,
    ];
  }),
  "ALTER TABLE archivetool.epochs DROP COLUMN home",
  `UPDATE archivetool.layout SET version = ${SCHEMA_VERSION}`,
].join(";\n");

describe.skipIf(!HAS_POSTGRES)("tables of an earlier layout", () => {
  const server = HAS_POSTGRES ? testServer().url.replace("/postgres?", "/former?") : "";
  const place = archiveOnServer(server, "former");
  let directory: string;
  let file: FileLocation;
  let client: PostgresClient;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "archivetool-migrations-"));
    file = SQLITE.placeIn(directory, "former.db");
    const writer = await createArchive(file);
    await writer.setMeta("model", Buffer.alloc(PIECE_BYTES * 2 + 1, "model"));
    await writer.setMeta("even", Buffer.alloc(PIECE_BYTES * 2, "even"));
    await writeLargestSample(writer, 5);
    const own = await connect(testServer().url, "test");
    await own.run("CREATE DATABASE former");
    await own.close();
    client = await connect(server, "test");
  });
  afterAll(async () => {
    await client.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const shape = async (): Promise<unknown> => [
    await client.rows(
      `SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
       WHERE table_schema = 'archivetool' ORDER BY table_name, column_name`,
    ),
    await client.rows("SELECT indexdef FROM pg_indexes WHERE schemaname = 'archivetool' ORDER BY indexdef"),
    await client.rows("SELECT version FROM archivetool.layout"),
  ];

  it("are migrated in place with all rows", async () => {
    await copyArchive(file, place);
    const digests = await archiveDigests(file);
    const present = await shape();
    await client.run(FORMER);
    expect(await shape()).not.toEqual(present);
    await expect(openArchive(place)).rejects.toMatchObject({ code: "ARCHIVE_VERSION" });
    expect(await isCollectionThere(place)).toBe(true);
    await prepareLayout(client, "the test server");
    expect(await shape()).toEqual(present);
    expect(await archiveDigests(place)).toEqual(digests);
    // The first copy afterwards reuses existing values.
    const [[before]] = (await client.rows("SELECT min(xmin::text::int8) FROM messages")) as [[number]];
    await copyArchive(file, place);
    expect(await client.rows("SELECT min(xmin::text::int8) FROM messages")).toEqual([[before]]);
    expect(await archiveDigests(place)).toEqual(digests);
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
