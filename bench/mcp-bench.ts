import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { CLI, childEnvironment, cpuSeconds, printRow } from "./measure.ts";
import { type Answer, timingOf } from "./server.ts";

/** Calls of each tool, after an unmeasured one of each kind that warms up the disk cache. */
const CALLS = 100;
/** Messages, threads and contacts requested by id, evenly distributed. */
const DRAWN = 40;

const WORDS = [
  ...["budget", "gas price", "pipeline contract", "california power", "meeting monday", "credit risk", "market"],
  ...["weather", "tariff", "natural gas", "board meeting agenda", '"conference call"', "vaca*", "storage capacity"],
  ...["budget from:smith", "has:attachment contract", "trading after:2001-03 before:2001-09"],
] as const;
const NAMES = ["ann", "lay", "smith", "john", "mary", "jeff", "kate", "davis", "enron", "o", ""] as const;
const DATES = [
  {},
  { sort: "oldest" },
  { after: "2001-01", before: "2001-06" },
  { before: "2000-06", sort: "oldest" },
] as const;

type Parameters = Readonly<Record<string, unknown>>;
interface Message {
  readonly id?: number;
  readonly result?: { readonly isError?: boolean; readonly content?: readonly { readonly text?: string }[] };
}

/** A minimal client on the pipes of a server, to measure the server. */
class PipeClient {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private readonly waiting = new Map<number, (answer: Message) => void>();
  private count = 0;

  constructor(archive: string) {
    this.child = spawn(process.execPath, [CLI, "-q", "mcp", archive], {
      stdio: ["pipe", "pipe", "inherit"],
      env: childEnvironment(),
    });
    createInterface({ input: this.child.stdout }).on("line", (line) => {
      const answer = JSON.parse(line) as Message;
      this.waiting.get(answer.id ?? 0)?.(answer);
      this.waiting.delete(answer.id ?? 0);
    });
  }

  request(method: string, params: object): Promise<Message> {
    const id = ++this.count;
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return new Promise((answered) => this.waiting.set(id, answered));
  }

  async connect(): Promise<void> {
    const clientInfo = { name: "bench", version: "1" };
    await this.request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  }

  async call(name: string, parameters: Parameters): Promise<string> {
    const { result } = await this.request("tools/call", { name, arguments: parameters });
    const text = result?.content?.[0]?.text ?? "";
    if (result === undefined || result.isError === true)
      throw new Error(`${name} ${JSON.stringify(parameters)}: ${text}`);
    return text;
  }

  async close(): Promise<void> {
    this.child.stdin.end();
    await once(this.child, "exit");
  }
}

/** Starts the built MCP server on an archive, and calls every tool, one at a time. */
export async function benchMcp(archive: string): Promise<void> {
  const started = performance.now();
  const client = new PipeClient(resolve(archive));
  await client.connect();
  const ready = performance.now() - started;
  const readyCpu = cpuSeconds(client.child) * 1000;
  const overview = await client.call("overview", {});
  console.log(`${/\n([^\n]*messages? in [^\n]*)/.exec(overview)?.[1]}`);
  console.log(`ready in ${ready.toFixed(0)} ms, ${readyCpu.toFixed(0)} ms of CPU, load ${loadavg()[0]!.toFixed(1)}\n`);
  console.log("| Tool | p50 ms | p95 ms | CPU ms of the server | First call ms | KB |\n|---|---|---|---|---|---|");
  for (const [name, tool, asked] of callsFor(overview)) await benchTool(client, { name, tool, asked });
  await client.close();
}

type Calls = readonly [name: string, tool: string, asked: readonly Parameters[]];

function callsFor(overview: string): readonly Calls[] {
  const [messages, threads, contacts] = (
    /([\d,]+) messages? in ([\d,]+) threads?, ([\d,]+) contact/.exec(overview) ?? []
  )
    .slice(1)
    .map((text) => Number(text.replaceAll(",", "")));
  const drawn = (kind: string, count: number): readonly Parameters[] =>
    Array.from({ length: DRAWN }, (_, at) => ({
      id: `${kind}-${String(1 + Math.floor((at * (count - 1)) / DRAWN)).padStart(6, "0")}`,
    }));
  const queries = WORDS.map((query) => ({ query }));
  const people = drawn("contact", contacts!);
  return [
    ["`overview`", "overview", [{}]],
    ["`search_mail`, words and operators", "search_mail", queries],
    [
      "`search_mail`, any of the words, newest",
      "search_mail",
      queries.map((query) => ({ ...query, match: "any", sort: "newest" })),
    ],
    [
      "`search_mail`, `similar:`",
      "search_mail",
      drawn("msg", messages!).map(({ id }) => ({ query: `similar:${String(id)}` })),
    ],
    ["`read_message`", "read_message", drawn("msg", messages!)],
    ["`read_thread`", "read_thread", drawn("thread", threads!)],
    ["`find_people`", "find_people", NAMES.map((query) => ({ query }))],
    ["`person`", "person", people],
    ["`list_messages`, of all", "list_messages", DATES],
    ["`list_messages`, of a person", "list_messages", people.map(({ id }) => ({ person: id }))],
    ["`timeline`", "timeline", [{}, ...queries]],
  ];
}

async function benchTool(
  client: PipeClient,
  { name, tool, asked }: { readonly name: string; readonly tool: string; readonly asked: readonly Parameters[] },
): Promise<void> {
  const answer = async (parameters: Parameters): Promise<Answer> => {
    const from = performance.now();
    const text = await client.call(tool, parameters);
    return { ms: performance.now() - from, bytes: Buffer.byteLength(text) };
  };
  const first = await answer(asked[0]!);
  for (const parameters of asked.slice(1)) await answer(parameters);
  const before = cpuSeconds(client.child);
  const answers: Answer[] = [];
  for (let i = 0; i < CALLS; i++) answers.push(await answer(asked[i % asked.length]!));
  const { p50, p95, cpuMs, kilobytes } = timingOf(answers, cpuSeconds(client.child) - before);
  printRow([name, p50, p95, cpuMs, first.ms.toFixed(0), kilobytes]);
}
