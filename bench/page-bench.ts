import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import { loadavg } from "node:os";
import { resolve } from "node:path";
import { BROWSER } from "../test/chromium.ts";
import { type Answer, addressOf, ask, type Call, type Kind, share } from "./api-bench.ts";
import { benchInBrowser } from "./page-browser.ts";

const CLI = resolve(import.meta.dirname, "../dist/cli/main.js");
const REQUESTS = 200;
const EXPLORE = "/api/explore";
/** Messages that are checked for HTML. */
const HTML_PROBES = 400;

/** Typical input, from rare words to those in half of all mail. */
const QUERIES = ["california power", "please", "the to and of", "from:jeff meeting", "gas has:attachment"] as const;
/** New queries of very common words, each used once. */
const COMMON = "the to and of in a for is you i that on be this with we will have are if".split(" ");
const FACETS = "from,to,domain,year,mailbox,topic,lang,type,label,source,tag";
const WORDS = ["je", "meet", "from:ke", "california po", "topic:g", "in:se"] as const;

/** A kind of request with its goal for p95. */
interface PageKind extends Kind {
  readonly goalMs: number;
  /** True if each call is made only once, without warming up. */
  readonly isCold?: boolean;
}

interface Row {
  readonly id: string;
  readonly thread_id: string;
  readonly thread_messages: number;
}

interface Served {
  readonly url: string;
  readonly agent: Agent;
  readonly child: ChildProcess;
}

const get = (path: string, parameters: Readonly<Record<string, string | number>> = {}): Call => ({
  method: "GET",
  path: `${EXPLORE}${path}?${new URLSearchParams(Object.entries(parameters).map(([key, value]): [string, string] => [key, `${value}`]))}`,
  body: "",
});
const all = { match: "all" } as const;

/**
 * Starts the built server on an archive and measures user-visible latency: every kind of response of the explore API,
 * then the page in a browser.
 */
export async function benchPage(archive: string): Promise<void> {
  const child = spawn(process.execPath, [CLI, "-q", "serve", archive, "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const agent = new Agent({ keepAlive: true });
  try {
    const served: Served = { url: await addressOf(child), agent, child };
    const total = await data<{ total: number }>(served, get("/messages", { limit: 1 }));
    console.log(`${total.total} messages, load ${loadavg()[0]!.toFixed(1)}\n`);
    console.log("| Answer | p50 ms | p95 ms | Goal ms | KB |\n|---|---|---|---|---|");
    for (const kind of await kindsOf(served, total.total)) await benchKind(kind, served);
    console.log(`\nserver: ${megabytes(child, "VmRSS")} MB resident, ${megabytes(child, "VmHWM")} MB at most\n`);
    if (BROWSER === undefined) console.log("no Chromium here: the page was not measured");
    else await benchInBrowser(served.url, await largestMessage(served));
    console.log(`\nserver: ${megabytes(child, "VmHWM")} MB at most, load ${loadavg()[0]!.toFixed(1)}`);
  } finally {
    agent.destroy();
    child.kill("SIGTERM");
    await once(child, "exit");
  }
}

async function kindsOf(served: Served, total: number): Promise<readonly PageKind[]> {
  const { messages } = await data<{ messages: readonly Row[] }>(served, get("/messages", { q: "meeting", limit: 200 }));
  const threads = [...messages]
    .sort((left, right) => right.thread_messages - left.thread_messages)
    .slice(0, 8)
    .map(({ thread_id }) => get(`/threads/${thread_id}`));
  const html = await withHtml(served, messages);
  const pages = QUERIES.slice(0, 2).flatMap((q) =>
    ["relevance", "newest", "oldest", "sender", "size"].flatMap((sort) =>
      [0, 500, 2000].map((offset) => get("/messages", { q, ...all, sort, offset, limit: 50 })),
    ),
  );
  const conversations = QUERIES.flatMap((q) =>
    [0, 500, 2000].map((offset) => get("/threads", { q, ...all, sort: "relevance", offset, limit: 50 })),
  );
  const whole = [0, Math.floor(total / 2), total - 50].map((offset) =>
    get("/messages", { sort: "newest", offset: Math.max(0, offset), limit: 50 }),
  );
  const news = COMMON.flatMap((one, at) =>
    COMMON.slice(at + 1).map((other) => get("/messages", { q: `${one} ${other}`, ...all, limit: 50 })),
  ).slice(0, 100);
  const asked = (path: string, more: Readonly<Record<string, string>>): readonly Call[] =>
    ["", ...QUERIES].map((q) => get(path, { q, ...all, ...more }));
  return [
    { name: "messages, any offset and sort, 50 a page", goalMs: 30, calls: [...pages, ...whole] },
    { name: "messages, first page of a new query of two very common words", goalMs: 100, calls: news, isCold: true },
    { name: "facets of all kinds", goalMs: 60, calls: asked("/facets", { of: FACETS, limit: "6" }) },
    { name: "facet of recipients", goalMs: 60, calls: asked("/facets", { of: "recipient", limit: "12" }) },
    { name: "conversations, the best first, any page", goalMs: 30, calls: conversations },
    { name: "time line", goalMs: 30, calls: asked("/timeline", { by: "auto" }) },
    { name: "a page of the largest conversations", goalMs: 40, calls: threads },
    {
      name: "suggestions",
      goalMs: 20,
      calls: WORDS.map((q) => get("/suggest", { q, at: q.length })),
    },
    { name: "HTML of a mail, read from its source", goalMs: 150, calls: html },
  ];
}

/** Messages with HTML, among the results of some searches. */
async function withHtml(served: Served, messages: readonly Row[]): Promise<readonly Call[]> {
  const { messages: others } = await data<{ messages: readonly Row[] }>(served, get("/messages", { limit: 200 }));
  const calls = [...messages, ...others].slice(0, HTML_PROBES).map(({ id }) => get(`/messages/${id}/html`));
  const found: Call[] = [];
  for (const call of calls) {
    const { ok, body } = await fetch(served.url + call.path);
    await body?.cancel();
    if (ok) found.push(call);
    if (found.length === 50) break;
  }
  return found;
}

async function largestMessage(served: Served): Promise<string> {
  const { messages } = await data<{ messages: readonly Row[] }>(served, get("/messages", { sort: "size", limit: 1 }));
  return messages[0]!.id;
}

async function data<T>({ url }: Served, { path }: Call): Promise<T> {
  return ((await (await fetch(url + path)).json()) as { readonly data: T }).data;
}

async function benchKind({ name, goalMs, calls, isCold }: PageKind, { url, agent }: Served): Promise<void> {
  if (calls.length === 0) return;
  if (!isCold) for (const call of calls) await ask(url, call, agent);
  const answers: Answer[] = [];
  const requests = isCold ? calls.length : Math.max(REQUESTS, calls.length);
  for (let at = 0; at < requests; at++) answers.push(await ask(url, calls[at % calls.length]!, agent));
  const bytes = answers.reduce((sum, answer) => sum + answer.bytes, 0) / answers.length;
  const [p50, p95] = [share(answers, 0.5), share(answers, 0.95)];
  const missed = Number(p95) > goalMs ? " (missed)" : "";
  console.log(`| ${name} | ${p50} | ${p95} | ${goalMs}${missed} | ${(bytes / 1000).toFixed(0)} |`);
}

/** A size of proc(5), in megabytes. */
function megabytes({ pid }: ChildProcess, field: "VmRSS" | "VmHWM"): string {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return ((Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024) / 1e6).toFixed(0);
}
