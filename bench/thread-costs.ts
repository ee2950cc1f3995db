import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PHASES } from "../src/extraction/extraction-event.ts";
import { CLI, childEnvironment, memoryBytes } from "./measure.ts";

/** Milliseconds between samples: what a thread does after the last one is not counted. */
const SAMPLE_MS = 10;
const NANOSECONDS = 1e9;

/** Threads of the program by role, and those of V8 and libuv. */
export const ROLES = ["lead", "workers", "main", "helpers"] as const;
export type Role = (typeof ROLES)[number];

/** Costs of one command. */
export interface ThreadCosts {
  /** CPU seconds by phase and role. */
  readonly byPhase: ReadonlyMap<string, ReadonlyMap<Role, number>>;
  /** CPU seconds of the extraction thread while no worker ran or waited for a core: more cores do not shorten them. */
  readonly serialSeconds: number;
  /** Peak of private memory by phase, in bytes. */
  readonly peakBytes: ReadonlyMap<string, number>;
}

/** CPU seconds of a thread so far, and seconds during which it waited for a core. */
interface ThreadTimes {
  readonly ran: number;
  readonly waited: number;
}

/** Adds the samples of a running command. */
class Sampler {
  readonly byPhase = new Map<string, Map<Role, number>>();
  readonly roles = new Map<string, Role>();
  phase = "start";
  serialSeconds = 0;
  readonly peakBytes = new Map<string, number>();
  private readonly seen = new Map<string, ThreadTimes>();

  look(pid: number): void {
    const ofPhase = this.byPhase.get(this.phase) ?? new Map<Role, number>();
    this.byPhase.set(this.phase, ofPhase);
    let lead = 0;
    let isShared = false;
    for (const [thread, times] of threadTimes(pid)) {
      const role = this.roles.get(thread) ?? "helpers";
      const { ran, waited } = this.seen.get(thread) ?? { ran: 0, waited: 0 };
      ofPhase.set(role, (ofPhase.get(role) ?? 0) + times.ran - ran);
      if (role === "lead") lead += times.ran - ran;
      if (role === "workers" && (times.ran > ran || times.waited > waited)) isShared = true;
      this.seen.set(thread, times);
    }
    if (!isShared) this.serialSeconds += lead;
    this.peakBytes.set(this.phase, Math.max(this.peakBytes.get(this.phase) ?? 0, privateBytes(pid)));
  }
}

/** Runs archivetool and measures its threads. Needs /proc. @param args of the command line */
export async function threadCosts(args: readonly string[]): Promise<ThreadCosts> {
  const preloads = ["phase-starts.mjs", "thread-roles.mjs"].flatMap((name) => [
    "--import",
    pathToFileURL(join(import.meta.dirname, name)).href,
  ]);
  const child = spawn(process.execPath, [...preloads, CLI, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    env: childEnvironment(),
  });
  const sampler = new Sampler();
  let printed = "";
  child.stderr.on("data", (chunk: Buffer) => {
    sampler.look(child.pid!);
    printed += chunk.toString();
    for (const [, role, thread] of printed.matchAll(/^thread (\w+) (\d+)$/gm)) sampler.roles.set(thread!, role as Role);
    sampler.phase = PHASES.findLast((one) => printed.includes(`phase ${one}\n`)) ?? sampler.phase;
  });
  const timer = setInterval(() => sampler.look(child.pid!), SAMPLE_MS);
  const [exitCode] = (await once(child, "close")) as [number | null];
  clearInterval(timer);
  if (exitCode !== 0) throw new Error(`extract ended with ${exitCode}: ${printed.slice(-2_000)}`);
  return sampler;
}

/** Times of each thread of a process; none once it has ended. */
function* threadTimes(pid: number): Generator<readonly [thread: string, times: ThreadTimes]> {
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const [ran, waited] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
      yield [thread, { ran: Number(ran) / NANOSECONDS, waited: Number(waited) / NANOSECONDS }];
    }
  } catch {
    // The thread or the process has ended.
  }
}

function privateBytes(pid: number): number {
  try {
    return memoryBytes(pid, "RssAnon");
  } catch {
    return 0;
  }
}
