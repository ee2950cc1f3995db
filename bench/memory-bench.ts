import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PHASES } from "../src/extraction/extraction-event.ts";
import { CLI, cpuSeconds } from "./api-bench.ts";
import { childEnvironment } from "./measure.ts";
import { emptyWorkDirectory } from "./work-directory.ts";

const PHASE_STARTS = pathToFileURL(join(import.meta.dirname, "phase-starts.mjs")).href;
/** Milliseconds between samples of the memory of the processes. */
const SAMPLE_MS = 20;
const KIB = 1024;

/** Memory of a process in bytes. */
interface Resident {
  /** Private memory: heaps and buffers. */
  readonly anonymous: number;
  /** Pages of files, programs and mapped archives: page cache that the system can reclaim. */
  readonly ofFiles: number;
}

interface Watched {
  readonly child: ChildProcess;
  /** Maximum of each kind by phase. */
  readonly peaks: Map<string, Resident>;
  cpuSeconds: number;
}

/**
 * Extracts mail and prints the peak memory of archivetool in each phase, and its CPU time. @param flags for `extract`
 */
export async function benchMemory(directory: string, mail: string, flags: readonly string[]): Promise<void> {
  emptyWorkDirectory(directory);
  const output = join(directory, "output");
  const args = ["-q", "extract", mail, "-o", output, "--jobs", "1", ...flags];
  const child = spawn(process.execPath, ["--import", PHASE_STARTS, CLI, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    env: childEnvironment(),
  });
  const watched: Watched = { child, peaks: new Map(), cpuSeconds: 0 };
  let phase: string = PHASES[0];
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
    phase = PHASES.findLast((one) => said.includes(`phase ${one}\n`)) ?? phase;
  });
  const begun = performance.now();
  const timer = setInterval(() => {
    look(watched, phase);
  }, SAMPLE_MS);
  const [exitCode] = (await once(child, "close")) as [number | null];
  clearInterval(timer);
  if (exitCode !== 0) throw new Error(`extract ended with ${exitCode}: ${said.slice(-2_000)}`);
  print(watched, performance.now() - begun);
}

function look(watched: Watched, phase: string): void {
  const { child, peaks } = watched;
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    const known = peaks.get(phase) ?? { anonymous: 0, ofFiles: 0 };
    peaks.set(phase, {
      anonymous: Math.max(known.anonymous, bytesOf(status, "RssAnon")),
      ofFiles: Math.max(known.ofFiles, bytesOf(status, "RssFile")),
    });
    watched.cpuSeconds = cpuSeconds(child);
  } catch {
    // The process has ended.
  }
}

function bytesOf(status: string, field: string): number {
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * KIB;
}

function print({ peaks, cpuSeconds }: Watched, milliseconds: number): void {
  console.log(`${(milliseconds / 1000).toFixed(0)} s, load ${loadavg()[0]!.toFixed(1)}\n`);
  console.log("| Phase | MB anonymous (and of files) |\n|---|---|");
  for (const phase of PHASES) {
    const { anonymous, ofFiles } = peaks.get(phase) ?? { anonymous: 0, ofFiles: 0 };
    console.log(`| ${phase} | ${megabytes(anonymous)} (${megabytes(ofFiles)}) |`);
  }
  console.log(`| CPU s | ${cpuSeconds.toFixed(1)} |`);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
