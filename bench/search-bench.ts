import { spawnSync } from "node:child_process";
import { openArchive } from "../src/store/archive/open-archive.ts";
import { archiveAt } from "../src/store/contract/archive-location.ts";
import { CLI, childEnvironment, median, printRow } from "./measure.ts";
import { isInstalled } from "./peers.ts";

/** Words of Enron mail from rare to very common, and combinations, for all programs. */
const QUERIES = [
  "straddle",
  "transwestern",
  "pipeline",
  "meeting",
  "the",
  "natural gas price",
  "board meeting agenda",
] as const;
/** Repetitions of each query; prints the median. */
const ROUNDS = 9;

interface Searcher {
  readonly name: string;
  ask(query: string): Promise<void> | void;
}

/**
 * Runs the same queries in this tool, in process and as a command, and in other programs: median wall time of the
 * first 20 results in milliseconds.
 */
export async function benchSearch(
  archivePath: string,
  peers: { readonly muHome: string; readonly notmuchConfig: string },
): Promise<void> {
  const archive = await openArchive(archiveAt(archivePath));
  const searchers: Searcher[] = [
    { name: "archivetool, in process", ask: async (query) => void (await archive.search.search(query, 20)) },
    {
      name: "archivetool search (command)",
      ask: (query) => run(process.execPath, [CLI, "search", archivePath, query, "-n", "20"]),
    },
  ];
  if (isInstalled("mu"))
    searchers.push({
      name: "mu find (command)",
      ask: (query) => run("mu", ["find", `--muhome=${peers.muHome}`, "--maxnum=20", ...query.split(" ")]),
    });
  if (isInstalled("notmuch")) {
    searchers.push({
      name: "notmuch search (command)",
      ask: (query) => run("notmuch", ["search", "--limit=20", query], { NOTMUCH_CONFIG: peers.notmuchConfig }),
    });
  }
  console.log(`| Query | ${searchers.map(({ name }) => name).join(" | ")} |\n|---|${"---|".repeat(searchers.length)}`);
  for (const query of QUERIES) {
    const cells: string[] = [];
    for (const searcher of searchers) cells.push((await medianTime(searcher, query)).toFixed(1));
    printRow([query, ...cells]);
  }
  await archive.close();
}

async function medianTime(searcher: Searcher, query: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const start = performance.now();
    await searcher.ask(query);
    // The first run warms up caches and is not counted.
    if (round > 0) times.push(performance.now() - start);
  }
  return median(times);
}

function run(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  spawnSync(command, args, { stdio: "ignore", env: { ...childEnvironment(), ...env } });
}
