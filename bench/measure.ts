import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

/** The built program. */
export const CLI = resolve(import.meta.dirname, "../dist/cli/main.js");

/** Milliseconds between samples of the memory of a process. */
const SAMPLE_MS = 50;
const KIB = 1024;
/** Ticks of /proc/PID/stat in a second. */
const TICKS = 100;

/** Measurements of a finished command. */
export interface Measurement {
  /** User and system time of the process and its children, in seconds. */
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** Peak resident memory of the process tree in bytes; 0 if the system does not report it. */
  readonly peakBytes: number;
  readonly exitCode: number;
  readonly output: string;
}

/**
 * Environment of a measured program: ours without custom certificates, which Node 20 reads at every start in about 60
 * ms.
 */
export function childEnvironment(): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
  return inherited;
}

/** Runs a command and measures it with bash's `time` and /proc. */
export async function measure(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Measurement> {
  const child = spawn("bash", ["-c", 'TIMEFORMAT="BENCH %U %S %R"; time "$@"', "bench", ...command], {
    env: { ...childEnvironment(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  let peakBytes = 0;
  const timer = setInterval(() => (peakBytes = Math.max(peakBytes, treeMemory(child.pid!))), SAMPLE_MS);
  const exitCode = await new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? 1)));
  clearInterval(timer);
  const [, user, system, wall] = /BENCH ([\d.]+) ([\d.]+) ([\d.]+)\s*$/.exec(output) ?? [];
  return { cpuSeconds: Number(user) + Number(system), wallSeconds: Number(wall), peakBytes, exitCode, output };
}

/** Peak resident memory (VmHWM) of the largest process below a process. */
function treeMemory(root: number): number {
  let largest = 0;
  const pending = [root];
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    try {
      largest = Math.max(largest, memoryBytes(pid, "VmHWM"));
      for (const task of readdirSync(`/proc/${pid}/task`)) {
        pending.push(
          ...readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
        );
      }
    } catch {
      // The process ended between two samples, or the system has no /proc.
    }
  }
  return largest;
}

/** User and system time of a process: fields 14 and 15 of proc(5). */
export function cpuSeconds({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** User and system time of a function of this process, in seconds. */
export function cpuSecondsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** A size of proc(5): now or peak resident memory, or private memory. */
export function memoryBytes(pid: number | undefined, field: "VmRSS" | "VmHWM" | "RssAnon"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * KIB;
}

export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}

export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? Number.NaN;
}

export function printRow(cells: readonly unknown[]): void {
  console.log(`| ${cells.join(" | ")} |`);
}
