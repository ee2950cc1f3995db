import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProgram } from "../../src/cli/program.ts";
import { readZip } from "../zip-reader.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { killAll, start, until } from "./running-programs.ts";

/** Queries of the shared data, each with labels of messages that it must find and must not, on every surface. */

const CASES = resolve(import.meta.dirname, "../../../shared/data/reports/search");
const isThere = existsSync(CASES);

/** Queries that find something else, and why. */
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

/** Share of the queries that may find something else. */
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

interface Ranked {
  readonly results: readonly { readonly same_text?: { readonly count: number } }[];
}

/** Messages of a ranked list, those with the text of another counted. */
const countRanked = ({ results }: Ranked): number =>
  results.reduce((sum, { same_text }) => sum + 1 + (same_text?.count ?? 0), 0);

/** The count that a text begins with: `1 message matches`, `2,000 messages in 3 conversations`. */
const leadingCount = (text: string): number => Number(/^([\d,]+) messages?/m.exec(text)?.[1]?.replaceAll(",", "") ?? 0);

/** What the command line prints, without a process for each of 300 commands. */
async function printed(...args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  const ignore = (): void => undefined;
  const print = (text: string): void => void lines.push(text);
  const program = await createProgram({ signal: new AbortController().signal, print, writeError: ignore });
  await program.run(["--quiet", ...args]).catch(ignore);
  return lines.join("\n");
}

describe.skipIf(!isThere)("queries of the shared data", () => {
  const scratch = scratchDirectory("search-cases");
  const archive = join(scratch, "archive");
  const client = new Client({ name: "test", version: "1" });
  let url = "";

  beforeAll(async () => {
    const made = archivetool(
      ...["-q", "extract", join(CASES, "search.mbox"), "-o", archive, "--no-wiki", "--attachment-text"],
    );
    expect(made.exitCode, made.stderr).toBe(0);
    const server = start(["serve", archive, "--port", "0"]);
    await until("the server listens", () => /http:\/\/\S+/.test(server.said()));
    [url] = /http:\/\/[^\s/]+/.exec(server.said())!;
    await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url)));
  });
  afterAll(async () => {
    await client.close();
    killAll();
  });

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

  /** How many messages each surface beside the export finds. */
  async function counts(query: string, file: string): Promise<Readonly<Record<string, number>>> {
    const asked = { query, match: "all" };
    const page = await fetch(`${url}/api/explore/messages?q=${encodeURIComponent(query)}&limit=1`);
    const { content } = await client.callTool({ name: "search_mail", arguments: asked });
    const [part] = content;
    const ranked = await printed("search", archive, "--match", "all", "-n", "1000", "--json", "--", query);
    return {
      "POST /search": countRanked(await posted("/api/query/search", { ...asked, limit: 1000 })),
      explore: ((await page.json()) as { readonly data: { readonly total: number } }).data.total,
      mcp: leadingCount(part?.type === "text" ? part.text : ""),
      search: countRanked(JSON.parse(ranked) as Ranked),
      export: leadingCount(await printed("export", archive, "--format", "csv", "-o", join(scratch, file), "--", query)),
    };
  }

  it("find what they must on every surface, and as many messages", async () => {
    const { hits }: { readonly hits: readonly { readonly messages: number }[] } = await posted("/api/explore/hits", {
      queries: cases.map(({ query }) => query),
    });
    const unmet: string[] = [];
    for (const [at, { query, must, mustNot }] of cases.entries()) {
      const found = await exported(query);
      if (must.some((label) => !found.includes(label)) || mustNot.some((label) => found.includes(label)))
        unmet.push(query);
      const counted = { hits: hits[at]!.messages, ...(await counts(query, `found-${at}.csv`)) };
      expect(counted, query).toEqual(Object.fromEntries(Object.keys(counted).map((name) => [name, found.length])));
    }
    expect(unmet.sort()).toEqual(Object.keys(OTHERWISE).sort());
    expect(unmet.length).toBeLessThanOrEqual(MOST_UNMET * cases.length);
  });
});
