import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readZip } from "../zip-reader.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { command } from "./command.ts";
import { killAll, start, until } from "./running-programs.ts";

/**
 * One query finds the same messages on every surface: command line, export, query API, explore API, hit report, MCP.
 */

const scratch = scratchDirectory("search-surfaces");
const archive = join(scratch, "archive");

interface Letter {
  readonly id: string;
  readonly from?: string;
  readonly subject?: string;
  readonly text: string;
}

const LETTERS: readonly Letter[] = [
  { id: "phone", text: "Call 020 7946-0111 about the crane." },
  { id: "digits", text: "In 7946 crates there were 0111 bolts, and 020 of them were loose." },
  { id: "clock", text: "We meet at 10:30 at the pier." },
  { id: "numbers", text: "Chapter 30, then chapter 10." },
  { id: "sign", text: "The B&O harbour line opens." },
  { id: "letters", text: "Plan b o and nothing else." },
  { id: "grade", text: "She writes C++ all day." },
  { id: "vitamin", text: "Oranges have vitamin C." },
  { id: "lodz", from: "Łukasz Øster <lukasz@quay.example>", text: "Grüße aus Łódź, cher cœur." },
  { id: "date", from: "王小明 <ming@quay.example>", subject: "合同", text: "交货日期是3月15日，A社负责。" },
  { id: "other", subject: "合理", text: "三月以后再说，B社负责。" },
  { id: "hidden", text: "The agree\u200bment is signed." },
  { id: "near", text: "The rope of the old green buoy parted." },
  { id: "far", text: "The rope is long; nobody has seen it, and no one at all knows any more where the buoy is." },
  { id: "both", text: "A contract with a termination clause." },
  { id: "one", text: "A contract that never ends." },
  { id: "hash", text: `Digest ${"0123456789abcdef".repeat(8)} of it.` },
];

/** Queries and the messages that they find; the last queries are malformed and reported. */
const QUERIES: readonly (readonly [query: string, found: readonly string[]])[] = [
  ["7946-0111", ["phone"]],
  ["10:30", ["clock"]],
  ["B&O", ["sign"]],
  ["C++", ["grade"]],
  ["lodz", ["lodz"]],
  ["from:oster coeur", ["lodz"]],
  ["3月", ["date"]],
  ["A社", ["date"]],
  ["from:王", ["date"]],
  ["subject:合", ["date", "other"]],
  ["agreement", ["hidden"]],
  ['"rope buoy"~4', ["near"]],
  ["buoy w/4 rope", ["near"]],
  ["contract NOT termination", ["one"]],
  ["contract !termination", ["one"]],
  ["cont?act *mination", ["both"]],
  ["from:luk*", ["lodz"]],
  [`${"0123456789abcdef".repeat(8)}`, ["hash"]],
  ["«vitamin C»", ["vitamin"]],
  ["crane OR pier -10:30", ["phone"]],
];
const MALFORMED = ["fro:x", 'contract"', "pier ("];

let url = "";
const client = new Client({ name: "test", version: "1" });

beforeAll(async () => {
  const mbox = LETTERS.map(({ id, from = "Ann Quay <ann@quay.example>", subject = "Note", text }, at) =>
    [
      `From ann@quay.example Mon May 14 16:${10 + at}:00 2001`,
      `From: ${encoded(from)}`,
      "To: Bo Tide <bo@quay.example>",
      `Subject: ${encoded(subject)}`,
      `Date: Mon, 14 May 2001 16:${10 + at}:00 +0000`,
      `Message-ID: <${id}@quay.example>`,
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: 8bit",
      "",
      text,
      "",
    ].join("\n"),
  );
  writeFileSync(join(scratch, "letters.mbox"), `${mbox.join("\n")}\n`);
  const made = archivetool("-q", "extract", join(scratch, "letters.mbox"), "-o", archive, "--no-wiki");
  expect(made.exitCode, made.stderr).toBe(0);
  const server = start(["serve", archive, "--port", "0"]);
  await until("the server listens", () => /http:\/\/\S+/.test(server.printed()));
  [url] = /http:\/\/[^\s/]+/.exec(server.printed())!;
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url)));
});

afterAll(async () => {
  await client.close();
  killAll();
});

/** Words of a header as encoded words, with the address after them unchanged. */
function encoded(text: string): string {
  const [, words = "", address = ""] = /^(.*?)( <[^>]*>)?$/.exec(text)!;
  return `=?utf-8?B?${Buffer.from(words).toString("base64")}?=${address}`;
}

/** Ids of messages: those of one file are numbered in its order. */
const idsOfLetters = (names: readonly string[]): readonly string[] =>
  names.map((name) => `msg-${`${LETTERS.findIndex(({ id }) => id === name) + 1}`.padStart(6, "0")}`).sort();

async function posted(path: string, body: object): Promise<never> {
  const answer = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return ((await answer.json()) as { readonly data: never }).data;
}

async function got(path: string): Promise<{ readonly total: number; readonly messages: readonly { id: string }[] }> {
  return ((await (await fetch(url + path)).json()) as { readonly data: never }).data;
}

const idsOf = (lines: string): readonly string[] => [...new Set(lines.match(/msg-\d{6}/g) ?? [])].sort();

it("finds the same messages on every surface", async () => {
  const reports: { readonly hits: readonly { readonly messages: number }[] } = await posted("/api/explore/hits", {
    queries: QUERIES.map(([query]) => query),
  });
  for (const [at, [query, found]] of QUERIES.entries()) {
    const wanted = idsOfLetters(found);
    const q = encodeURIComponent(query);
    const ranked: { readonly results: readonly object[] } = await posted("/api/query/search", {
      query,
      limit: 50,
    });
    const explored = await got(`/api/explore/messages?q=${q}&limit=50`);
    const zip = await (await fetch(`${url}/api/export?q=${q}&format=csv`)).arrayBuffer();
    const exported = [...(await readZip(Buffer.from(zip))).values()].join("");
    const { content } = await client.callTool({ name: "search_mail", arguments: { query } });
    const [part] = content;
    expect(
      {
        ranked: idsOf(JSON.stringify(ranked.results)),
        explored: idsOf(JSON.stringify(explored.messages.map(({ id }) => id))),
        total: explored.total,
        hits: reports.hits[at]!.messages,
        exported: idsOfLetters(LETTERS.map(({ id }) => id).filter((id) => new RegExp(`\\b${id}@quay`).test(exported))),
        mcp: idsOf(part?.type === "text" ? part.text : ""),
      },
      query,
    ).toEqual({
      ranked: wanted,
      explored: wanted,
      total: wanted.length,
      hits: wanted.length,
      exported: wanted,
      mcp: wanted,
    });
  }
  for (const [at, [query, found]] of QUERIES.entries()) {
    const wanted = idsOfLetters(found);
    expect(idsOf((await command("search", archive, query, "--json")).stdout), query).toEqual(wanted);
    const made = await command("export", archive, query, "--format", "csv", "-o", join(scratch, `found-${at}.csv`));
    expect(made.stdout + made.stderr, query).toMatch(new RegExp(`^${wanted.length} messages? match`, "m"));
  }
});

it("reports malformed queries on every surface", async () => {
  const reports: { readonly hits: readonly { readonly problems: readonly string[] }[] } = await posted(
    "/api/explore/hits",
    { queries: MALFORMED },
  );
  for (const [at, query] of MALFORMED.entries()) {
    const { problems }: { readonly problems: readonly string[] } = await posted("/api/query/search", { query });
    const { content } = await client.callTool({ name: "search_mail", arguments: { query } });
    const [part] = content;
    const exported = await fetch(`${url}/api/export?q=${encodeURIComponent(query)}&format=csv`);
    expect(problems, query).toHaveLength(1);
    expect(reports.hits[at]!.problems, query).toEqual(problems);
    expect(part?.type === "text" ? part.text : "", query).toContain(problems[0]);
    if (exported.status === 200) expect(exported.headers.get("x-query-problems"), query).not.toBeNull();
    expect((await command("search", archive, query)).stderr, query).toContain(problems[0]);
  }
});
