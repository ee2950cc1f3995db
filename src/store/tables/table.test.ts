import { describe, expect, it } from "vitest";
import { IN_MEMORY } from "../sqlite/driver/sqlite-database.ts";
import { sqliteDriver } from "../sqlite/driver/sqlite-driver.ts";
import {
  address,
  addresses,
  findings,
  flag,
  hex,
  instant,
  integer,
  key,
  optional,
  optionalHex,
  type RowOf,
  since,
  text,
  texts,
  word,
} from "./column.ts";
import type { SqlValue } from "./sql-value.ts";
import { createSql, earlierView, encodeRow, insertSql, migrationSql, selection, table, upsertSql } from "./table.ts";

const THINGS = table("things", {
  ordinal: key("id"),
  name: text("name"),
  owner: address("owner_json"),
  readers: addresses("readers_json"),
  tags: texts("tags"),
  oddities: findings("oddities"),
  isOpen: flag("is_open"),
  madeAt: instant("made_at"),
  digest: hex("digest"),
  root: optionalHex("root"),
  size: integer("size_bytes"),
  language: since(2, optional(word("language"))),
});
type Thing = RowOf<(typeof THINGS)["columns"]>;

const FULL: Thing = {
  ...{
    ordinal: 1,
    name: "Mooring",
    owner: { name: "Ann", email: "ann@x.example" },
    readers: [{ name: "", email: "b@x.example" }],
  },
  ...{
    tags: ["a", "b"],
    oddities: [{ code: "subject-cut", message: "it is" }],
    isOpen: true,
    madeAt: 5,
    digest: "00ff",
    root: "0a",
    size: 7,
    language: "en",
  },
};
const BARE: Thing = {
  ...{
    ordinal: 2,
    name: "",
    owner: null,
    readers: [],
    tags: [],
    oddities: [],
    isOpen: false,
    madeAt: null,
    digest: "",
    root: null,
    size: 0,
  },
  language: null,
};
const FIELDS = THINGS.places.map(({ field }) => field as keyof Thing);

function withTable<T>(create: string, use: (database: ReturnType<ReturnType<typeof sqliteDriver>>) => T): T {
  const database = sqliteDriver()(IN_MEMORY, {});
  try {
    database.exec(create);
    return use(database);
  } finally {
    database.close();
  }
}

describe("a table of columns", () => {
  it("returns the written rows", () => {
    withTable(createSql(THINGS), (database) => {
      const insert = database.prepare(insertSql(THINGS));
      for (const row of [FULL, BARE]) insert.run(...encodeRow(THINGS, row));
      const read = selection([THINGS], FIELDS);
      const rows = database.prepare(`SELECT ${read.sql} FROM things ORDER BY id`).raw().all() as SqlValue[][];
      expect(rows.map(read.decode)).toEqual([FULL, BARE]);
      expect(rows[0]![read.at.size]).toBe(7);
    });
  });

  it("stores NULL for missing values, and addresses as pairs", () => {
    expect(encodeRow(THINGS, FULL).slice(2, 5)).toEqual([
      '["Ann","ann@x.example"]',
      '[["","b@x.example"]]',
      '["a","b"]',
    ]);
    expect(encodeRow(THINGS, BARE).slice(2, 6)).toEqual([null, null, null, null]);
  });

  it("updates the row with the key, or inserts it", () => {
    withTable(createSql(THINGS), (database) => {
      database.prepare(insertSql(THINGS)).run(...encodeRow(THINGS, FULL));
      const upsert = upsertSql(THINGS, ["ordinal"], ["name", "size", "isOpen", "madeAt", "digest"]);
      expect(upsert).toMatch(
        /^INSERT INTO things\(id,name,size_bytes,is_open,made_at,digest\).+ON CONFLICT\(id\) DO UPDATE SET/su,
      );
      const statement = database.prepare(upsert);
      for (const ordinal of [FULL.ordinal, 99]) statement.run(ordinal, "Pier", 8, 0, null, Buffer.alloc(1));
      const rows = database.prepare("SELECT id, name, size_bytes, root IS NULL FROM things ORDER BY id").raw().all();
      expect(rows).toEqual([
        [FULL.ordinal, "Pier", 8, FULL.root === null ? 1 : 0],
        [99, "Pier", 8, 1],
      ]);
    });
  });

  it("leaves an existing row unchanged if there are no other fields", () => {
    const marks = table("marks", { ordinal: key("id"), name: word("name") }, { keys: "UNIQUE(name)", options: "" });
    withTable(createSql(marks), (database) => {
      const insert = database.prepare(upsertSql(marks, ["name"], []));
      for (const name of ["red", "blue", "red"]) insert.run(name);
      expect(database.prepare("SELECT name FROM marks ORDER BY id").pluck().all()).toEqual(["red", "blue"]);
    });
  });

  it("reads additional columns by position or SQL", () => {
    withTable(createSql(THINGS), (database) => {
      database.prepare(insertSql(THINGS)).run(...encodeRow(THINGS, FULL));
      const read = selection([THINGS], ["name"], {
        sqlOf: { name: "upper(name)", twice: "2 * size_bytes" },
        beside: ["size", "twice"],
      });
      const row = database.prepare(`SELECT ${read.sql} FROM things`).raw().get() as SqlValue[];
      expect([read.decode(row), row[read.at.size], row[read.at.twice]]).toEqual([{ name: "MOORING" }, 7, 14]);
    });
  });

  it("keeps every value in JSON, and can replace every text", () => {
    const places = THINGS.places.map((place) => ({ place, value: FULL[place.field as keyof Thing] }));
    for (const { place, value } of places)
      expect(place.unpack(JSON.parse(JSON.stringify(place.pack(value)))), place.field).toEqual(value);
    const rewritten = places.map(({ place, value }) => [place.field, place.rewrite(value, (found) => `<${found}>`)]);
    expect(Object.fromEntries(rewritten)).toEqual({
      ...FULL,
      ...{ name: "<Mooring>", owner: { name: "<Ann>", email: "ann@x.example" }, tags: ["<a>", "<b>"] },
      oddities: [{ code: "subject-cut", message: "<it is>" }],
    });
    expect(THINGS.places.filter(({ isWritten }) => isWritten).map(({ field }) => field)).toEqual([
      ...["name", "owner", "readers", "tags", "oddities"],
    ]);
  });

  it("reads an earlier version through a view, and leads it on", () => {
    const before = table("things", { ordinal: key("id"), name: text("name") });
    const now = table("things", {
      ordinal: key("id"),
      name: text("name"),
      language: since(2, optional(word("language"))),
    });
    const read = selection([now], ["name", "language"]);
    const readAll = `SELECT ${read.sql} FROM things`;
    expect([earlierView(now, 2), migrationSql(now, 2)]).toEqual([null, ""]);
    withTable(createSql(before), (database) => {
      database.prepare(insertSql(before)).run(1, "a");
      expect(() => database.prepare(readAll)).toThrow();
      database.exec(earlierView(now, 1)!);
      expect(read.decode(database.prepare(readAll).raw().get() as SqlValue[])).toEqual({ name: "a", language: null });
      database.exec("DROP VIEW things");
      database.exec(migrationSql(now, 1));
      database.prepare(insertSql(now)).run(2, "b", "en");
      expect(
        database
          .prepare(`${readAll} ORDER BY id`)
          .raw()
          .all()
          .map((row) => read.decode(row as SqlValue[])),
      ).toEqual([
        { name: "a", language: null },
        { name: "b", language: "en" },
      ]);
    });
  });
});
