import { loadavg } from "node:os";
import { megabytes, memoryBytes, printRow } from "./measure.ts";
import {
  type Answer,
  ask,
  type Call,
  dataOf,
  get,
  type Kind,
  type Server,
  share,
  startServer,
  timeKind,
} from "./server.ts";

/** Requests of each kind; lists are cycled through. */
const REQUESTS = 200;
const CLIENTS = 50;
const REQUESTS_A_CLIENT = 20;

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

/**
 * Starts the built query API on an archive and asks it every kind of question over HTTP, one at a time and then 50
 * clients at once.
 */
export async function benchApi(archive: string): Promise<void> {
  const started = performance.now();
  const server = await startServer(["api", archive]);
  const ready = performance.now() - started;
  try {
    const { pagination } = await dataOf<{ pagination: { total: number } }>(server, "/messages?limit=1");
    const kinds = kindsFor(pagination.total);
    console.log(
      `${pagination.total} messages, ready in ${(ready / 1000).toFixed(2)} s, load ${loadavg()[0]!.toFixed(1)}\n`,
    );
    console.log("| Request | p50 ms | p95 ms | CPU ms of the server | KB |\n|---|---|---|---|---|");
    for (const kind of kinds) {
      const { p50, p95, cpuMs, kilobytes } = await timeKind(server, kind, REQUESTS);
      printRow([kind.name, p50, p95, cpuMs, kilobytes]);
    }
    const peak = megabytes(memoryBytes(server.child.pid, "VmHWM"));
    console.log(`\n${await crowd(kinds, server)}, peak ${peak} MB, load ${loadavg()[0]!.toFixed(1)}`);
  } finally {
    await server.stop();
  }
}

/** Searches and lists from many clients at once. */
async function crowd(kinds: readonly Kind[], server: Server): Promise<string> {
  const calls = kinds
    .filter(({ name }) => !name.includes("1,000") && !name.includes("rare phrase"))
    .flatMap((kind) => kind.calls);
  const started = performance.now();
  const answers: Answer[] = [];
  let errors = 0;
  const client = async (number: number): Promise<void> => {
    for (let i = 0; i < REQUESTS_A_CLIENT; i++) {
      await ask(server, calls[(number * 7 + i) % calls.length]!).then(
        (answer) => answers.push(answer),
        () => errors++,
      );
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  const rate = (answers.length * 1000) / (performance.now() - started);
  return `${CLIENTS} clients at once: ${rate.toFixed(0)} requests a second, ${errors} errors, p95 ${share(answers, 0.95)} ms`;
}
