import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { kindsFor } from "./api-bench.ts";
import { CLI, cpuSeconds, measure, median, megabytes, printRow } from "./measure.ts";
import { type Answer, askAll, type Server, share, startServer } from "./server.ts";

/** Rounds with each Node in turn, so that other load affects all of them. */
const EXTRACTIONS = 5;
const SEARCH_ROUNDS = 20;

/** A Node with its measurements. */
interface Runner {
  readonly node: string;
  readonly name: string;
  readonly output: string;
  /** Of each extraction. */
  readonly cpuSeconds: number[];
  peakBytes: number;
  readonly answers: Answer[];
  /** Time of the server per search, for each round of searches. */
  readonly searchMs: number[];
}

/** Extracts a source with several Nodes in turn, and runs every kind of search on each archive with its Node. */
export async function benchNodes(work: string, source: string, nodes: readonly string[]): Promise<void> {
  const runners = nodes.map((node, place): Runner => {
    const name = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
    return {
      node,
      name,
      output: join(work, `archive-${place}`),
      cpuSeconds: [],
      peakBytes: 0,
      answers: [],
      searchMs: [],
    };
  });
  for (let round = 0; round < EXTRACTIONS; round++)
    for (const runner of inTurn(runners, round)) await extract(runner, source);
  await searchAll(runners);
  console.log(
    "| Node.js | Extraction, CPU s | to the first | Peak MB | Search, CPU ms | to the first | p50 ms | p95 ms |\n|---|---|---|---|---|---|---|---|",
  );
  for (const runner of runners) printRunner(runner, runners[0]!);
  console.log(`\nload ${loadavg()[0]!.toFixed(1)}`);
}

/** Each round begins with another one. */
function inTurn<T>(list: readonly T[], round: number): readonly T[] {
  const first = round % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
}

async function extract(runner: Runner, source: string): Promise<void> {
  rmSync(runner.output, { recursive: true, force: true });
  const {
    cpuSeconds: seconds,
    peakBytes,
    exitCode,
    output,
  } = await measure([runner.node, CLI, "-q", "extract", source, "-o", runner.output, "--json", "--csv"]);
  if (exitCode !== 0) throw new Error(`${runner.name}: ${output}`);
  runner.cpuSeconds.push(seconds);
  runner.peakBytes = Math.max(runner.peakBytes, peakBytes);
}

async function searchAll(runners: readonly Runner[]): Promise<void> {
  const servers: { readonly runner: Runner; readonly server: Server }[] = [];
  try {
    for (const runner of runners)
      servers.push({ runner, server: await startServer(["api", runner.output], runner.node) });
    const searches = kindsFor(0)
      .filter(({ name }) => name.startsWith("search"))
      .flatMap(({ calls }) => calls);
    // The first round warms up the disk cache and the compiler and is not counted.
    for (let round = -1; round < SEARCH_ROUNDS; round++) {
      for (const { runner, server } of inTurn(servers, round + 1)) {
        const before = cpuSeconds(server.child);
        const answers = await askAll(server, searches);
        if (round < 0) continue;
        runner.searchMs.push(((cpuSeconds(server.child) - before) * 1000) / searches.length);
        runner.answers.push(...answers);
      }
    }
  } finally {
    for (const { server } of servers) await server.stop();
  }
}

function printRunner(runner: Runner, first: Runner): void {
  const ratio = (own: readonly number[], others: readonly number[]): string =>
    median(own.map((value, index) => value / others[index]!)).toFixed(2);
  printRow([
    ...[runner.name, median(runner.cpuSeconds).toFixed(1), ratio(runner.cpuSeconds, first.cpuSeconds)],
    ...[megabytes(runner.peakBytes), median(runner.searchMs).toFixed(1), ratio(runner.searchMs, first.searchMs)],
    ...[share(runner.answers, 0.5), share(runner.answers, 0.95)],
  ]);
}
