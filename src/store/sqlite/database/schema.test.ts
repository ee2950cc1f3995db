import { expect, it } from "vitest";
import { OLDEST_VERSION, SCHEMA_TABLES } from "../../tables/archive-tables.ts";
import { IN_MEMORY } from "../driver/sqlite-database.ts";
import { sqliteDriver } from "../driver/sqlite-driver.ts";
import { createTables, INDEXES } from "./schema.ts";
import { createSearchTables } from "./search-schema.ts";

/** Values of a few bytes, and blocks that are cut to fit a quarter of a page. */
const SHORT_BLOBS = new Set(["attachments.sha256", "ix_block.data"]);

it("stores no long value in a table without row ids", () => {
  const database = sqliteDriver()(IN_MEMORY, {});
  createTables(database);
  createSearchTables(database);
  const columns = database
    .prepare(
      "SELECT t.name || '.' || c.name FROM pragma_table_list t, pragma_table_info(t.name) c WHERE t.wr = 1 AND c.type IN ('', 'BLOB')",
    )
    .pluck()
    .all() as string[];
  expect(columns.filter((column) => !SHORT_BLOBS.has(column))).toEqual([]);
  database.close();
});

it("adds later columns only to tables that every query reads explicitly; a view has none", () => {
  const indexed = new Set(Object.values(INDEXES).map((index) => / ON (\w+)\(/.exec(index)![1]));
  const later = SCHEMA_TABLES.filter(({ places }) => places.some(({ since }) => since > OLDEST_VERSION)).map(
    ({ name }) => name,
  );
  expect(later.filter((name) => indexed.has(name))).toEqual([]);
});

it("returns NULL for later columns, which earlier archives do not have", () => {
  const later = SCHEMA_TABLES.flatMap(({ places }) => places.filter(({ since }) => since > OLDEST_VERSION));
  expect(later.filter(({ constraint }) => constraint !== "").map(({ field }) => field)).toEqual([]);
});
