import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readZip } from "../zip-reader.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { killAll, start, until } from "./running-programs.ts";

/** Queries of the shared data, each with labels of messages that it must find and must not, on every surface. */

const CASES = resolve(import.meta.dirname, "../../../shared/data/reports/search");
const isThere = existsSync(CASES);

/** Queries that find something else, and why. */
const OTHERWISE: Readonly<Record<string, string>> = {
  "+14155550132": "numbers are found as they are written",
  京都: "a script without spaces has no words: characters are found wherever they follow one another",
  hyphenation: "a word that a line ends in is two words, as nothing tells whether its hyphen is its own",
  statement: "the same",
  "from:oconnor": "an apostrophe parts words",
  "from:annem": "words are whole: from:annem* finds it",
  "on:2023-11-06": "the date is later than the message was received, so that is not believed",
  "after:2023-11-05T23:00:00-08:00": "the same",
  "since:2023-11-01": "the same",
  UserName: "words are whole: *username* finds it",
  HttpServer: "words are whole: httpserver* finds it",
};

interface Case {
  readonly query: string;
  readonly must: readonly string[];
  readonly mustNot: readonly string[];
}

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
  let url = "";

  beforeAll(async () => {
    const made = archivetool(
      ...["-q", "extract", join(CASES, "search.mbox"), "-o", archive, "--no-wiki", "--attachment-text"],
    );
    expect(made.exitCode, made.stderr).toBe(0);
    const server = start(["serve", archive, "--port", "0"]);
    await until("the server listens", () => /http:\/\/\S+/.test(server.said()));
    [url] = /http:\/\/[^\s/]+/.exec(server.said())!;
  });
  afterAll(killAll);

  const posted = async (path: string, body: object): Promise<never> => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    return ((await answer.json()) as { readonly data: never }).data;
  };

  /** Labels of the messages that an export holds: the beginnings of their Message-IDs. */
  async function exported(query: string): Promise<readonly string[]> {
    const answer = await fetch(`${url}/api/export?q=${encodeURIComponent(query)}&format=csv`);
    if (answer.status !== 200) return [];
    const files = [...(await readZip(Buffer.from(await answer.arrayBuffer()))).values()].join("");
    return [...new Set(Array.from(files.matchAll(/\b([A-Za-z0-9]+)@t\.example/g), ([, label]) => label!))];
  }

  it("find what they must on every surface", async () => {
    const asked = cases.map(({ query }) => query);
    const { hits }: { readonly hits: readonly { readonly messages: number }[] } = await posted("/api/explore/hits", {
      queries: asked,
    });
    const unmet: string[] = [];
    for (const [at, { query, must, mustNot }] of cases.entries()) {
      const found = await exported(query);
      if (must.some((label) => !found.includes(label)) || mustNot.some((label) => found.includes(label)))
        unmet.push(query);
      const ranked: { readonly results: readonly object[] } = await posted("/api/query/search", {
        ...{ query, limit: 1000, match: "all" },
      });
      const page = await fetch(`${url}/api/explore/messages?q=${encodeURIComponent(query)}&limit=1`);
      const { total } = ((await page.json()) as { readonly data: { readonly total: number } }).data;
      expect({ hits: hits[at]!.messages, total }, query).toEqual({ hits: found.length, total: found.length });
      // What repeats a text is one result.
      expect(ranked.results.length, query).toBeLessThanOrEqual(total);
      expect(ranked.results.length > 0, query).toBe(total > 0);
    }
    expect(unmet.sort()).toEqual(Object.keys(OTHERWISE).sort());
  });
});
