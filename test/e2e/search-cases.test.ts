import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archivetool, scratchDirectory } from "./cli.ts";
import { QuerySurfaces } from "./query-surfaces.ts";

/** Queries with labels of messages that every surface must and must not find; skipped without the test data. */

const CASES = resolve(import.meta.dirname, "../../../shared/data/reports/search");
const isThere = existsSync(CASES);

/** Queries with a different result, and the reason. */
const OTHERWISE: Readonly<Record<string, string>> = {
  "+14155550132": "numbers are found as they are written",
  京都: "characters of a script without spaces are parts next to each other, so its words are found inside others",
  "from:annem": "words are whole: from:annem* finds it",
  UserName: "words are whole: *username* finds it",
  HttpServer: "words are whole: httpserver* finds it",
};

interface Case {
  readonly query: string;
  readonly must: readonly string[];
  readonly mustNot: readonly string[];
}

/** Maximum share of queries with a different result. */
const MOST_UNMET = 0.03;

const labels = (cell = ""): readonly string[] => cell.split(",").filter((label) => label !== "");
const cases: readonly Case[] = !isThere
  ? []
  : readFileSync(join(CASES, "queries.tsv"), "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split("\t"))
      .map(([query, must, mustNot]) => ({ query: query!, must: labels(must), mustNot: labels(mustNot) }));

describe.skipIf(!isThere)("queries of the shared data", () => {
  const scratch = scratchDirectory("search-cases");
  const archive = join(scratch, "archive");
  const surfaces = new QuerySurfaces(archive, scratch);

  beforeAll(async () => {
    const made = archivetool(
      ...["-q", "extract", join(CASES, "search.mbox"), "-o", archive, "--no-wiki", "--attachment-text"],
    );
    expect(made.exitCode, made.stderr).toBe(0);
    await surfaces.open();
  });
  afterAll(() => surfaces.close());

  it("have the same expected results on every surface", async () => {
    const hits = await surfaces.hits(cases.map(({ query }) => query));
    const unmet: string[] = [];
    for (const [at, { query, must, mustNot }] of cases.entries()) {
      const found = await surfaces.exported(query);
      if (must.some((label) => !found.includes(label)) || mustNot.some((label) => found.includes(label)))
        unmet.push(query);
      const counted = { hits: hits[at]!, ...(await surfaces.counts(query)) };
      expect(counted, query).toEqual(Object.fromEntries(Object.keys(counted).map((name) => [name, found.length])));
    }
    expect(unmet.sort()).toEqual(Object.keys(OTHERWISE).sort());
    expect(unmet.length).toBeLessThanOrEqual(MOST_UNMET * cases.length);
  });
});
