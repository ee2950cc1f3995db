import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PHASES } from "../src/extraction/extraction-event.ts";
import { CLI } from "./api-bench.ts";
import { childEnvironment } from "./measure.ts";
import { emptyWorkDirectory } from "./work-directory.ts";

/** Milliseconds between samples: what a thread does after the last one is not counted. */
const SAMPLE_MS = 10;
const NANOSECONDS = 1e9;

/** Threads of the program by role, and those of V8 and libuv. */
const ROLES = ["lead", "workers", "main", "helpers"] as const;
type Role = (typeof ROLES)[number];

/** CPU seconds by phase and role. */
type Costs = Map<string, Map<Role, number>>;

/**
 * Prints the CPU time of an extraction by phase and kind of thread, then that of an incremental run with more mail, if
 * given, and that of one without new mail. Needs /proc.
 */
export async function benchThreads(directory: string, mail: string, more?: string): Promise<void> {
  emptyWorkDirectory(directory);
  const extract = ["-q", "extract", "-o", join(directory, "output")];
  await printCosts(`extract ${mail}`, [...extract, mail]);
  const last = more ?? mail;
  if (more !== undefined) await printCosts(`add ${more}`, [...extract, more, "--incremental"]);
  await printCosts("nothing new", [...extract, last, "--incremental"]);
}

async function printCosts(title: string, args: readonly string[]): Promise<void> {
  const begun = performance.now();
  const costs = await costsOf(args);
  const seconds = (performance.now() - begun) / 1000;
  console.log(`\n${title}: ${seconds.toFixed(1)} s, load ${loadavg()[0]!.toFixed(1)}\n`);
  console.log(`| CPU s | ${ROLES.join(" | ")} | sum |\n|---|${"---|".repeat(ROLES.length + 1)}`);
  const total = new Map<Role, number>();
  for (const [phase, ofRoles] of costs) {
    console.log(rowOf(phase, ofRoles));
    for (const [role, cost] of ofRoles) total.set(role, (total.get(role) ?? 0) + cost);
  }
  console.log(rowOf("all", total));
}

function rowOf(title: string, costs: ReadonlyMap<Role, number>): string {
  const cells = ROLES.map((role) => costs.get(role) ?? 0);
  const sum = cells.reduce((all, cost) => all + cost, 0);
  return `| ${title} | ${[...cells, sum].map((cost) => cost.toFixed(2)).join(" | ")} |`;
}

async function costsOf(args: readonly string[]): Promise<Costs> {
  const preloads = ["phase-starts.mjs", "thread-roles.mjs"].flatMap((name) => [
    "--import",
    pathToFileURL(join(import.meta.dirname, name)).href,
  ]);
  const child = spawn(process.execPath, [...preloads, CLI, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    env: childEnvironment(),
  });
  const costs: Costs = new Map();
  const roles = new Map<string, Role>();
  const seen = new Map<string, number>();
  let phase = "start";
  let said = "";
  const look = (): void => {
    for (const [thread, seconds] of threadSeconds(child.pid!)) {
      const role = roles.get(thread) ?? "helpers";
      const ofPhase = costs.get(phase) ?? new Map<Role, number>();
      costs.set(phase, ofPhase);
      ofPhase.set(role, (ofPhase.get(role) ?? 0) + seconds - (seen.get(thread) ?? 0));
      seen.set(thread, seconds);
    }
  };
  child.stderr.on("data", (chunk: Buffer) => {
    look();
    said += chunk.toString();
    for (const [, role, thread] of said.matchAll(/^thread (\w+) (\d+)$/gm)) roles.set(thread!, role as Role);
    phase = PHASES.findLast((one) => said.includes(`phase ${one}\n`)) ?? phase;
  });
  const timer = setInterval(look, SAMPLE_MS);
  const [exitCode] = (await once(child, "close")) as [number | null];
  clearInterval(timer);
  if (exitCode !== 0) throw new Error(`extract ended with ${exitCode}: ${said.slice(-2_000)}`);
  return costs;
}

/** CPU seconds of each thread of a process so far; none once it has ended. */
function* threadSeconds(pid: number): Generator<readonly [thread: string, seconds: number]> {
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
      yield [thread, Number(nanoseconds) / NANOSECONDS];
    }
  } catch {
    // The thread or the process has ended.
  }
}
