import { loadavg } from "node:os";
import { BROWSER } from "../test/chromium.ts";
import { megabytes, memoryBytes, printRow } from "./measure.ts";
import { benchInBrowser } from "./page-browser.ts";
import { type Call, dataOf, get, type Kind, type Server, startServer, timeKind } from "./server.ts";

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
}

interface Row {
  readonly id: string;
  readonly thread_id: string;
  readonly thread_messages: number;
}

const explore = (path: string, parameters: Readonly<Record<string, string | number>> = {}): Call => {
  const words = Object.entries(parameters).map(([key, value]): [string, string] => [key, `${value}`]);
  return get(`${EXPLORE}${path}?${new URLSearchParams(words)}`);
};

const all = { match: "all" } as const;

/**
 * Starts the built server on an archive and measures user-visible latency: every kind of response of the explore API,
 * then the page in a browser.
 */
export async function benchPage(archive: string): Promise<void> {
  const server = await startServer(["serve", archive]);
  const memory = (field: "VmRSS" | "VmHWM"): string => megabytes(memoryBytes(server.child.pid, field));
  try {
    const { total } = await dataOf<{ total: number }>(server, explore("/messages", { limit: 1 }).path);
    console.log(`${total} messages, load ${loadavg()[0]!.toFixed(1)}\n`);
    console.log("| Answer | p50 ms | p95 ms | Goal ms | KB |\n|---|---|---|---|---|");
    for (const kind of await kindsOf(server, total)) await benchKind(kind, server);
    console.log(`\nserver: ${memory("VmRSS")} MB resident, ${memory("VmHWM")} MB at most\n`);
    if (BROWSER === undefined) console.log("no Chromium here: the page was not measured");
    else await benchInBrowser(server.url, (await listed(server, { sort: "size", limit: 1 }))[0]!.id);
    console.log(`\nserver: ${memory("VmHWM")} MB at most, load ${loadavg()[0]!.toFixed(1)}`);
  } finally {
    await server.stop();
  }
}

async function kindsOf(server: Server, total: number): Promise<readonly PageKind[]> {
  const messages = await listed(server, { q: "meeting", limit: 200 });
  const threads = [...messages]
    .sort((left, right) => right.thread_messages - left.thread_messages)
    .slice(0, 8)
    .map(({ thread_id }) => explore(`/threads/${thread_id}`));
  const html = await withHtml(server, messages);
  const pages = QUERIES.slice(0, 2).flatMap((q) =>
    ["relevance", "newest", "oldest", "sender", "size"].flatMap((sort) =>
      [0, 500, 2000].map((offset) => explore("/messages", { q, ...all, sort, offset, limit: 50 })),
    ),
  );
  const conversations = QUERIES.flatMap((q) =>
    [0, 500, 2000].map((offset) => explore("/threads", { q, ...all, sort: "relevance", offset, limit: 50 })),
  );
  const whole = [0, Math.floor(total / 2), total - 50].map((offset) =>
    explore("/messages", { sort: "newest", offset: Math.max(0, offset), limit: 50 }),
  );
  const news = COMMON.flatMap((one, at) =>
    COMMON.slice(at + 1).map((other) => explore("/messages", { q: `${one} ${other}`, ...all, limit: 50 })),
  ).slice(0, 100);
  const asked = (path: string, more: Readonly<Record<string, string>>): readonly Call[] =>
    ["", ...QUERIES].map((q) => explore(path, { q, ...all, ...more }));
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
      calls: WORDS.map((q) => explore("/suggest", { q, at: q.length })),
    },
    { name: "HTML of a mail, read from its source", goalMs: 150, calls: html },
  ];
}

/** Messages with HTML, among the results of some searches. */
async function withHtml(server: Server, messages: readonly Row[]): Promise<readonly Call[]> {
  const others = await listed(server, { limit: 200 });
  const calls = [...messages, ...others].slice(0, HTML_PROBES).map(({ id }) => explore(`/messages/${id}/html`));
  const found: Call[] = [];
  for (const call of calls) {
    const { ok, body } = await fetch(server.url + call.path);
    await body?.cancel();
    if (ok) found.push(call);
    if (found.length === 50) break;
  }
  return found;
}

async function listed(server: Server, parameters: Readonly<Record<string, string | number>>): Promise<readonly Row[]> {
  const { messages } = await dataOf<{ messages: readonly Row[] }>(server, explore("/messages", parameters).path);
  return messages;
}

async function benchKind(kind: PageKind, server: Server): Promise<void> {
  const { name, goalMs, calls } = kind;
  if (calls.length === 0) return;
  const requests = kind.isCold ? calls.length : Math.max(REQUESTS, calls.length);
  const { p50, p95, kilobytes } = await timeKind(server, kind, requests);
  printRow([name, p50, p95, `${goalMs}${Number(p95) > goalMs ? " (missed)" : ""}`, kilobytes]);
}
