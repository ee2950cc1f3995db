import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent } from "node:http";
import { loadavg } from "node:os";
import {
  type Answer,
  addressOf,
  ask,
  type Call,
  CLI,
  cpuSeconds,
  type Kind,
  kindsFor,
  peakBytes,
  share,
} from "./api-bench.ts";

/** Requests of each kind to each store, after an unmeasured round. */
const REQUESTS = 150;
/** Milliseconds that a search of a collection may take beyond twice that of the file. */
const SEARCH_ALLOWANCE_MS = 5;
/** Maximum milliseconds of a page. */
const PAGE_GOAL_MS = 25;
const QUERY_API = "/api/query";
const EXPLORE_API = "/api/explore";
/** Words whose pairs form phrases that were not searched before. */
const COMMON = "the to and of in a for is you i that on be this with we".split(" ");
const SORTS = ["newest", "oldest", "sender", "size"] as const;

/** A server for one store of the archive. */
interface Served {
  readonly url: string;
  readonly child: ChildProcess;
}

interface HomesKind extends Kind {
  /** True if each call is made only once, without warming up. */
  readonly isCold?: boolean;
  /** Maximum p95, relative to that of the file. */
  goalMs(file: number): number;
}

const twice = (file: number): number => 2 * file + SEARCH_ALLOWANCE_MS;
const asPage = (): number => PAGE_GOAL_MS;

/**
 * Serves the same archive from a file and from a collection, and sends the same requests to both in turn, so that
 * other load affects both.
 */
export async function benchHomes(file: string, collection: string): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const homes = [await serve(file), await serve(collection)];
  try {
    const kinds = await kindsOf(homes[0]!.url);
    console.log(`load ${loadavg()[0]!.toFixed(1)}\n`);
    console.log("| Request | File, p50 | p95 | Collection, p50 | p95 | Goal | CPU file | collection |");
    console.log("|---|---|---|---|---|---|---|---|");
    for (const kind of kinds) await benchKind(kind, homes, agent);
    const peaks = homes.map(({ child }) => (peakBytes(child) / 1e6).toFixed(0));
    console.log(
      `\nat most ${peaks[0]} MB over the file, ${peaks[1]} MB over the collection, load ${loadavg()[0]!.toFixed(1)}`,
    );
  } finally {
    agent.destroy();
    for (const { child } of homes) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
  }
}

async function serve(archive: string): Promise<Served> {
  const child = spawn(process.execPath, [CLI, "-q", "serve", archive, "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return { url: (await addressOf(child)).replace(/\/$/, ""), child };
}

async function kindsOf(url: string): Promise<readonly HomesKind[]> {
  const { total } = (
    (await (await fetch(`${url}${EXPLORE_API}/messages?limit=1`)).json()) as { data: { total: number } }
  ).data;
  const asked = kindsFor(total)
    .filter(({ name }) => !name.includes("1,000 a page"))
    .map(
      ({ name, calls }): HomesKind => ({
        name,
        calls: calls.map((call) => ({ ...call, path: QUERY_API + call.path })),
        goalMs: name.startsWith("search") ? twice : asPage,
      }),
    );
  const offsets = [0, Math.floor(total / 2), total - 50];
  const pages = SORTS.flatMap((sort) => offsets.map((offset) => explored({ sort, offset: `${offset}` })));
  const ofQueries = SORTS.flatMap((sort) =>
    ["california power", "please"].map((q) => explored({ q, match: "all", sort, offset: "500" })),
  );
  const phrases = COMMON.flatMap((one) => COMMON.map((other) => searched(`"${one} ${other}"`))).slice(0, REQUESTS);
  return [
    ...asked,
    { name: "search, phrase of two very common words for the first time", calls: phrases, isCold: true, goalMs: twice },
    { name: "`/messages` of the explore API, any sort and offset", calls: pages, goalMs: asPage },
    { name: "pages of a query", calls: ofQueries, goalMs: asPage },
  ];
}

function searched(query: string): Call {
  return { method: "POST", path: `${QUERY_API}/search`, body: JSON.stringify({ query, filters: {} }) };
}

function explored(parameters: Readonly<Record<string, string>>): Call {
  return {
    method: "GET",
    path: `${EXPLORE_API}/messages?${new URLSearchParams({ ...parameters, limit: "50" })}`,
    body: "",
  };
}

async function benchKind(
  { name, calls, isCold, goalMs }: HomesKind,
  homes: readonly Served[],
  agent: Agent,
): Promise<void> {
  if (!isCold) for (const call of calls) for (const { url } of homes) await ask(url, call, agent);
  const before = homes.map(({ child }) => cpuSeconds(child));
  const answers = homes.map((): Answer[] => []);
  for (let at = 0; at < REQUESTS; at++)
    for (const [home, { url }] of homes.entries())
      answers[home]!.push(await ask(url, calls[at % calls.length]!, agent));
  const cpu = homes.map(({ child }, home) => (((cpuSeconds(child) - before[home]!) * 1000) / REQUESTS).toFixed(1));
  const [file, collection] = answers.map((own) => share(own, 0.95)) as [string, string];
  const goal = goalMs(Number(file));
  const missed = Number(collection) > goal ? " (missed)" : "";
  console.log(
    `| ${name} | ${share(answers[0]!, 0.5)} | ${file} | ${share(answers[1]!, 0.5)} | ${collection}${missed} | ${goal.toFixed(1)} | ${cpu.join(" | ")} |`,
  );
}
