import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { HAS_POSTGRES, testServer } from "../../../../test/stores.ts";
import { STORED_TABLES } from "../../tables/stored-tables.ts";
import { connect } from "../client/postgres-client.ts";
import { prepareLayout } from "./layout.ts";
import { LIST_ORDERS } from "./list-orders.ts";

/*
 * Requirements for distributing the tables of archives over several servers by their home number, as Citus does
 * (https://docs.citusdata.com/en/stable/develop/reference_ddl.html).
 */

const ARCHIVE_TABLES = [...STORED_TABLES.map(({ name }) => name), LIST_ORDERS];

describe.skipIf(!HAS_POSTGRES)("the tables of archives", () => {
  it("start each key and index with the collection number, and reference no other table", async () => {
    const client = await connect(testServer().url, "the test server");
    await prepareLayout(client, "the test server");
    const indexes = (await client.rows(
      `SELECT relation.relname, attribute.attname FROM pg_index
         JOIN pg_class AS relation ON relation.oid = indrelid
         JOIN pg_attribute AS attribute ON attribute.attrelid = indrelid AND attribute.attnum = indkey[0]
       WHERE relation.relnamespace = 'archivetool'::regnamespace AND relation.relname = ANY($1::text[])`,
      [ARCHIVE_TABLES],
    )) as [string, string][];
    expect(new Set(indexes.map(([table]) => table))).toEqual(new Set(ARCHIVE_TABLES));
    for (const [table, first] of indexes)
      expect([table, first]).toEqual([table, table === LIST_ORDERS ? "epoch" : "home"]);
    const references = await client.rows(
      "SELECT conname FROM pg_constraint WHERE contype = 'f' AND conrelid::regclass::text = ANY($1::text[])",
      [ARCHIVE_TABLES],
    );
    expect(references).toEqual([]);
    await client.close();
  });
});

it("have no recursive queries, and row locks only in the catalog and for publishing", () => {
  const ownTables = ["access-register.ts", "epochs.ts", "service-tables.ts", "upload-catalog.ts"];
  const room = join(import.meta.dirname, "..");
  const files = readdirSync(room, { recursive: true, encoding: "utf8" });
  const texts = files
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => [basename(file), readFileSync(join(room, file), "utf8")] as const);
  expect(texts.filter(([, text]) => /WITH RECURSIVE/i.test(text))).toEqual([]);
  expect(
    texts.filter(([name, text]) => /FOR (?:NO KEY )?UPDATE|FOR SHARE/.test(text) && !ownTables.includes(name)),
  ).toEqual([]);
});
