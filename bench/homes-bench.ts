import { loadavg } from "node:os";
import { kindsFor } from "./api-bench.ts";
import { cpuSeconds, megabytes, memoryBytes, printRow } from "./measure.ts";
import {
  type Answer,
  ask,
  askAll,
  type Call,
  dataOf,
  get,
  type Kind,
  type Server,
  startServer,
  type Timing,
  timingOf,
} from "./server.ts";

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

interface HomesKind extends Kind {
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
  const homes = [await startServer(["serve", file]), await startServer(["serve", collection])];
  try {
    const kinds = await kindsOf(homes[0]!);
    console.log(`load ${loadavg()[0]!.toFixed(1)}\n`);
    console.log("| Request | File, p50 | p95 | Collection, p50 | p95 | Goal | CPU file | collection |");
    console.log("|---|---|---|---|---|---|---|---|");
    for (const kind of kinds) await benchKind(kind, homes);
    const [ofFile, ofCollection] = homes.map(({ child }) => megabytes(memoryBytes(child.pid, "VmHWM")));
    console.log(
      `\nat most ${ofFile} MB over the file, ${ofCollection} MB over the collection, load ${loadavg()[0]!.toFixed(1)}`,
    );
  } finally {
    for (const home of homes) await home.stop();
  }
}

async function kindsOf(server: Server): Promise<readonly HomesKind[]> {
  const { total } = await dataOf<{ total: number }>(server, `${EXPLORE_API}/messages?limit=1`);
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
  return get(`${EXPLORE_API}/messages?${new URLSearchParams({ ...parameters, limit: "50" })}`);
}

async function benchKind({ name, calls, isCold, goalMs }: HomesKind, homes: readonly Server[]): Promise<void> {
  if (!isCold) for (const home of homes) await askAll(home, calls);
  const before = homes.map(({ child }) => cpuSeconds(child));
  const answers = homes.map((): Answer[] => []);
  for (let at = 0; at < REQUESTS; at++)
    for (const [index, home] of homes.entries()) answers[index]!.push(await ask(home, calls[at % calls.length]!));
  const [file, collection] = homes.map(({ child }, home) =>
    timingOf(answers[home]!, cpuSeconds(child) - before[home]!),
  ) as [Timing, Timing];
  const goal = goalMs(Number(file.p95));
  const missed = Number(collection.p95) > goal ? " (missed)" : "";
  const times = [file.p50, file.p95, collection.p50, collection.p95 + missed];
  printRow([name, ...times, goal.toFixed(1), file.cpuMs, collection.cpuMs]);
}
