import { describe, expect, it } from "vitest";
import { queryableDatabase } from "../sqlite/driver/queryable-database.ts";
import { IN_MEMORY } from "../sqlite/driver/sqlite-database.ts";
import { sqliteDriver } from "../sqlite/driver/sqlite-driver.ts";
import { counted, flag, optional, record, unique, usually, word } from "./column.ts";
import {
  answering,
  assigned,
  every,
  inserted,
  listed,
  NO_SQL,
  type Question,
  scalar,
  single,
  some,
  sql,
  upserted,
} from "./statement.ts";
import { createSql, selection, table } from "./table.ts";

const BOATS = table("boats", {
  number: counted("id"),
  name: unique(word("name")),
  crew: record<readonly string[]>("crew"),
  isAfloat: usually(1, flag("is_afloat")),
  berth: optional(word("berth")),
});
const BOAT = selection([BOATS], ["name", "crew", "isAfloat"]);

function harbour() {
  const database = sqliteDriver()(IN_MEMORY, {});
  database.exec(createSql(BOATS));
  return queryableDatabase(database);
}

describe("a piece of SQL", () => {
  it("accepts values, other pieces, tables and columns, and puts no value into its text", () => {
    const afloat = sql` AND is_afloat = ${1}`;
    expect(sql`SELECT ${BOAT} FROM ${BOATS} WHERE name = ${"Gull'; --"}${afloat}${NO_SQL} LIMIT ${5}`).toEqual({
      sql: "SELECT boats.name, boats.crew, boats.is_afloat FROM boats WHERE name = ? AND is_afloat = ? LIMIT ?",
      values: ["Gull'; --", 1, 5],
    });
  });

  it("accepts null and bytes as values", () => {
    const bytes = new Uint8Array([1]);
    expect(sql`SELECT ${null}, ${bytes}`).toEqual({ sql: "SELECT ?, ?", values: [null, bytes] });
  });
});

describe("statements of a table", () => {
  it("insert the given fields, encoded, and use database defaults for others", () => {
    const { ask, run } = harbour();
    const given = { name: "Gull", crew: ["Ann"], hull: "no column" };
    expect(ask(scalar(sql`${inserted(BOATS, given)} RETURNING id`))).toBe(1);
    expect(ask(single(sql`SELECT ${BOAT} FROM ${BOATS}`, BOAT.decode))).toEqual({
      name: "Gull",
      crew: ["Ann"],
      isAfloat: true,
    });
    expect(run(sql`UPDATE ${BOATS} SET ${assigned(BOATS, { crew: [], isAfloat: false })} WHERE id = ${1}`)).toBe(1);
    expect(ask(every(sql`SELECT ${BOAT} FROM ${BOATS}`, BOAT.decode))).toEqual([
      { name: "Gull", crew: [], isAfloat: false },
    ]);
  });

  it("replace the row with the same key", () => {
    const { ask, run } = harbour();
    const gull = { number: 4, name: "Gull", crew: [], isAfloat: true, berth: null };
    run(upserted(BOATS, ["name"], gull));
    run(upserted(BOATS, ["name"], { ...gull, crew: ["Bo"], berth: "7" }));
    expect(ask(every(sql`SELECT id, crew, berth FROM ${BOATS}`, (row) => row))).toEqual([[4, '["Bo"]', "7"]]);
  });

  it("use each number once", () => {
    const { ask, run } = harbour();
    const add = (name: string) => ask(scalar(sql`${inserted(BOATS, { name, crew: [] })} RETURNING id`));
    expect(add("a")).toBe(1);
    run(sql`DELETE FROM ${BOATS}`);
    expect(add("b")).toBe(2);
  });

  it("answer whether there is a row, and by lists of values", () => {
    const { ask, run } = harbour();
    for (const name of ["a", "b", "c"]) run(inserted(BOATS, { name, crew: [] }));
    expect(ask(every(sql`SELECT name FROM ${BOATS} WHERE name IN (${listed(["c", "a"])})`, ([name]) => name))).toEqual([
      "a",
      "c",
    ]);
    expect(ask(some(sql`SELECT 1 FROM ${BOATS} WHERE name = ${"d"}`))).toBe(false);
    expect(ask(some(sql`DELETE FROM ${BOATS} WHERE name = ${"a"} RETURNING 1`))).toBe(true);
    expect(ask(single(sql`SELECT ${BOAT} FROM ${BOATS} WHERE name = ${"a"}`, BOAT.decode))).toBeNull();
  });
});

it("makes one call for each question", () => {
  const asked: Question<unknown>[] = [];
  const calls = answering({ berthOf: (name: string) => scalar<string>(sql`SELECT ${name}`) }, (question) => {
    asked.push(question);
    return question.answer([["7"]]);
  });
  expect(calls.berthOf("Gull")).toBe("7");
  expect(asked).toMatchObject([{ sql: "SELECT ?", values: ["Gull"] }]);
});
