import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { loadavg } from "node:os";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

export const CLI = resolve(import.meta.dirname, "../dist/cli/main.js");
/** Requests of each kind; lists are cycled through. */
const REQUESTS = 200;
const CLIENTS = 50;
const REQUESTS_A_CLIENT = 20;
/** Ticks of /proc/PID/stat in a second. */
const TICKS = 100;

const RARE = ["straddle", "conoco", "tranche", "arbitrage", "turbine", "tariff", "lokay", "enronxgate"] as const;
const COMMON = ["the", "to", "and", "of", "please", "com", "meeting"] as const;
const THREE = [
  "natural gas price",
  "board meeting agenda",
  "california power crisis",
  "the pipeline capacity",
  "please call me",
  "to the and",
] as const;
const PHRASES = [
  "natural gas",
  "conference call",
  "please let me know",
  "power plant",
  "let me know",
  "of the",
  "in the",
] as const;
const RARE_PHRASES = ["price of gas", "to be or not to be", "the the"] as const;
const EIGHT = [
  "the to and of in a for is",
  "the and a to you i that on",
  "com enron subject to from cc sent pm",
] as const;

export interface Call {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body: string;
}

export interface Kind {
  readonly name: string;
  readonly calls: readonly Call[];
}

const get = (path: string): Call => ({ method: "GET", path, body: "" });
const find = (query: string, filters: object = {}): Call => ({
  method: "POST",
  path: "/search",
  body: JSON.stringify({ query, filters }),
});

/** Every kind of search and list; `total` is the number of messages. */
export function kindsFor(total: number): readonly Kind[] {
  const offsets = [0, 1000, Math.floor(total / 2), total - 1000].map((offset) => Math.max(0, offset));
  const deep = offsets.flatMap((offset) =>
    ["sent_at", "subject", "from"].map((sort) => `sort=${sort}&offset=${offset}`),
  );
  const dates = { date_from: "2001-01-01", date_to: "2001-06-30" };
  return [
    { name: "search, rare word", calls: RARE.map((query) => find(query)) },
    { name: "search, very common word", calls: COMMON.map((query) => find(query)) },
    { name: "search, 3 words", calls: THREE.map((query) => find(query)) },
    { name: "search, 3 words and dates", calls: THREE.map((query) => find(query, dates)) },
    { name: "search, prefix", calls: ["meet*", "a*", "th* com*"].map((query) => find(query)) },
    { name: "search, phrase", calls: PHRASES.map((query) => find(`"${query}"`)) },
    { name: "search, rare phrase of common words", calls: RARE_PHRASES.map((query) => find(`"${query}"`)) },
    { name: "search, 8 very common words", calls: EIGHT.map((query) => find(query)) },
    { name: "`/messages`, any sort and offset, 50 a page", calls: deep.map((page) => get(`/messages?${page}`)) },
    {
      name: "`/messages`, any sort and offset, 1,000 a page",
      calls: deep.map((page) => get(`/messages?limit=1000&${page}`)),
    },
    {
      name: "`/contacts`, any sort and offset",
      calls: ["frequency", "name", "last_seen"].flatMap((sort) =>
        [0, 20_000].map((offset) => get(`/contacts?sort=${sort}&offset=${offset}`)),
      ),
    },
    {
      name: "`/threads`, `/topics`, `/stats`",
      calls: ["/threads", "/threads?offset=100000", "/topics", "/stats"].map(get),
    },
  ];
}

export interface Answer {
  readonly ms: number;
  readonly bytes: number;
}

/**
 * Starts the built query API on an archive and asks it every kind of question over HTTP, one at a time and then 50
 * clients at once.
 */
export async function benchApi(archive: string): Promise<void> {
  const started = performance.now();
  const child = spawn(process.execPath, [CLI, "-q", "api", archive, "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await addressOf(child);
  const ready = performance.now() - started;
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  try {
    const { data } = (await (await fetch(`${url}/messages?limit=1`)).json()) as {
      data: { pagination: { total: number } };
    };
    const kinds = kindsFor(data.pagination.total);
    console.log(
      `${data.pagination.total} messages, ready in ${(ready / 1000).toFixed(2)} s, load ${loadavg()[0]!.toFixed(1)}\n`,
    );
    console.log("| Request | p50 ms | p95 ms | CPU ms of the server | KB |\n|---|---|---|---|---|");
    for (const kind of kinds) await benchKind(kind, { url, agent, child });
    console.log(
      `\n${await crowd(kinds, url, agent)}, peak ${(peakBytes(child) / 1e6).toFixed(0)} MB, load ${loadavg()[0]!.toFixed(1)}`,
    );
  } finally {
    agent.destroy();
    child.kill("SIGTERM");
    await once(child, "exit");
  }
}

export async function addressOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /http:\/\/\S+?(?=[\s,]|$)/.exec(line)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error("the query API did not start: build it first with npm run build");
}

interface Server {
  readonly url: string;
  readonly agent: Agent;
  readonly child: ChildProcess;
}

async function benchKind({ name, calls }: Kind, { url, agent, child }: Server): Promise<void> {
  // Each question once unmeasured: the first to ask pays for the disk.
  for (const call of calls) await ask(url, call, agent);
  const before = cpuSeconds(child);
  const answers: Answer[] = [];
  for (let i = 0; i < REQUESTS; i++) answers.push(await ask(url, calls[i % calls.length]!, agent));
  const cpu = ((cpuSeconds(child) - before) * 1000) / REQUESTS;
  const bytes = answers.reduce((sum, answer) => sum + answer.bytes, 0) / REQUESTS;
  console.log(
    `| ${name} | ${share(answers, 0.5)} | ${share(answers, 0.95)} | ${cpu.toFixed(1)} | ${(bytes / 1000).toFixed(0)} |`,
  );
}

/** Searches and lists from many clients at once. */
async function crowd(kinds: readonly Kind[], url: string, agent: Agent): Promise<string> {
  const calls = kinds
    .filter(({ name }) => !name.includes("1,000") && !name.includes("rare phrase"))
    .flatMap((kind) => kind.calls);
  const started = performance.now();
  const answers: Answer[] = [];
  let errors = 0;
  const client = async (number: number): Promise<void> => {
    for (let i = 0; i < REQUESTS_A_CLIENT; i++) {
      await ask(url, calls[(number * 7 + i) % calls.length]!, agent).then(
        (answer) => answers.push(answer),
        () => errors++,
      );
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  const rate = (answers.length * 1000) / (performance.now() - started);
  return `${CLIENTS} clients at once: ${rate.toFixed(0)} requests a second, ${errors} errors, p95 ${share(answers, 0.95)} ms`;
}

/** The value below which a part of the times lies, in milliseconds. */
export function share(answers: readonly Answer[], part: number): string {
  const sorted = answers.map(({ ms }) => ms).sort((left, right) => left - right);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1);
}

export function ask(url: string, { method, path, body }: Call, agent: Agent): Promise<Answer> {
  return new Promise((done, fail) => {
    const started = performance.now();
    const headers =
      body === "" ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const call = request(url + path, { method, agent, headers }, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => (bytes += chunk.length));
      response.on("end", () => {
        if (response.statusCode === 200) done({ ms: performance.now() - started, bytes });
        else fail(new Error(`${path}: ${response.statusCode}`));
      });
    });
    call.on("error", fail);
    call.end(body);
  });
}

/** User and system time of the server: fields 14 and 15 of proc(5). */
export function cpuSeconds({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Peak resident memory (VmHWM). */
export function peakBytes({ pid }: ChildProcess): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
}
