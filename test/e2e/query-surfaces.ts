import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createProgram } from "../../src/cli/program.ts";
import { readZip } from "../zip-reader.ts";
import { killAll, start, until } from "./running-programs.ts";

/** Every surface that takes a query, over one archive: command line, APIs, hit report, exports, MCP. */

interface Ranked {
  readonly results: readonly { readonly same_text?: { readonly count: number } }[];
}

/** Messages of a ranked list, including those with the same text as another. */
const countRanked = ({ results }: Ranked): number =>
  results.reduce((sum, { same_text }) => sum + 1 + (same_text?.count ?? 0), 0);

/** The count at the beginning of a text: `1 message matches`, `2,000 messages in 3 conversations`. */
const leadingCount = (text: string): number => Number(/^([\d,]+) messages?/m.exec(text)?.[1]?.replaceAll(",", "") ?? 0);

/** Output of the command line, without a process for each of 300 commands. */
async function printed(...args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  const ignore = (): void => undefined;
  const print = (text: string): void => void lines.push(text);
  const program = await createProgram({ signal: new AbortController().signal, print, writeError: ignore });
  await program.run(["--quiet", ...args]).catch(ignore);
  return lines.join("\n");
}

export class QuerySurfaces {
  private readonly client = new Client({ name: "test", version: "1" });
  private url = "";
  private exports = 0;
  private readonly archive: string;
  private readonly scratch: string;

  constructor(archive: string, scratch: string) {
    this.archive = archive;
    this.scratch = scratch;
  }

  async open(): Promise<void> {
    const server = start(["serve", this.archive, "--port", "0"]);
    await until("the server listens", () => /http:\/\/\S+/.test(server.printed()));
    this.url = /http:\/\/[^\s/]+/.exec(server.printed())![0];
    await this.client.connect(new StreamableHTTPClientTransport(new URL("/mcp", this.url)));
  }

  async close(): Promise<void> {
    await this.client.close();
    killAll();
  }

  /** Messages of each query in the hit report. */
  async hits(queries: readonly string[]): Promise<readonly number[]> {
    const { hits }: { readonly hits: readonly { readonly messages: number }[] } = await this.posted(
      "/api/explore/hits",
      { queries },
    );
    return hits.map(({ messages }) => messages);
  }

  /** Labels of the messages in an export: the beginnings of their Message-IDs. */
  async exported(query: string): Promise<readonly string[]> {
    const answer = await fetch(`${this.url}/api/export?q=${encodeURIComponent(query)}&format=csv`);
    if (answer.status !== 200) return [];
    const files = [...(await readZip(Buffer.from(await answer.arrayBuffer()))).values()].join("");
    return [...new Set(Array.from(files.matchAll(/\b([A-Za-z0-9]+)@t\.example/g), ([, label]) => label!))];
  }

  /** Messages found by each surface except the hit report and the export of the server. */
  async counts(query: string): Promise<Readonly<Record<string, number>>> {
    const asked = { query, match: "all" };
    const page = await fetch(`${this.url}/api/explore/messages?q=${encodeURIComponent(query)}&limit=1`);
    const { content } = await this.client.callTool({ name: "search_mail", arguments: asked });
    const [part] = content;
    const ranked = await printed("search", this.archive, "--match", "all", "-n", "1000", "--json", "--", query);
    const file = join(this.scratch, `found-${this.exports++}.csv`);
    return {
      "POST /search": countRanked(await this.posted("/api/query/search", { ...asked, limit: 1000 })),
      explore: ((await page.json()) as { readonly data: { readonly total: number } }).data.total,
      mcp: leadingCount(part?.type === "text" ? part.text : ""),
      search: countRanked(JSON.parse(ranked) as Ranked),
      export: leadingCount(await printed("export", this.archive, "--format", "csv", "-o", file, "--", query)),
    };
  }

  private async posted(path: string, body: object): Promise<never> {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(this.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    return ((await answer.json()) as { readonly data: never }).data;
  }
}
