import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { MboxSink } from "./mail-sink.ts";
import { DEFAULT_SHAPE, writeSyntheticArchive } from "./synthetic-archive.ts";
import { emptyWorkDirectory } from "./work-directory.ts";

const CLI = resolve(import.meta.dirname, "../dist/cli/main.js");
const SENDER = resolve(import.meta.dirname, "upload-sender.ts");

/** Messages of the archive that is queried during uploads. */
const EXPLORED_MESSAGES = 5000;
/** Milliseconds of requests without uploads. */
const IDLE_MS = 5000;
const MB = 1_000_000;

/** Requests, repeated. */
const EXPLORE_ROUTES = [
  "/contacts",
  "/messages",
  "/topics",
  "/graph",
  "/search?q=meeting+budget",
  "/uploads",
  "/health",
] as const;

/** Number of concurrent uploads. */
interface Load {
  readonly name: string;
  readonly way: "raw" | "resumable";
  readonly megabytes: number;
  readonly count: number;
}

const LOADS: readonly Load[] = [
  { name: "ten uploads at once of 50 MB each", way: "raw", megabytes: 50, count: 10 },
  { name: "one upload of 2 GB", way: "raw", megabytes: 2000, count: 1 },
  { name: "one resumable upload of 2 GB", way: "resumable", megabytes: 2000, count: 1 },
];

interface Row {
  readonly name: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly latencies: readonly number[];
  readonly peakBytes: number;
}

/**
 * Starts the built service with an empty data directory and an archive, and sends requests during uploads. The jobs
 * of these uploads run in separate processes; each upload is deleted after its load.
 */
export async function benchService(directory: string): Promise<void> {
  emptyWorkDirectory(directory);
  const mailbox = join(directory, "explored.mbox");
  writeSyntheticArchive({ ...DEFAULT_SHAPE, messages: EXPLORED_MESSAGES }, new MboxSink(mailbox));
  const service = await startService(join(directory, "data"));
  try {
    await exploreable(service.url, readFileSync(mailbox));
    const rows: Row[] = [];
    rows.push(await measured("nothing else", service, () => pause(IDLE_MS).then(() => [])));
    for (const load of LOADS) {
      rows.push(await measured(load.name, service, () => send(service.url, load)));
    }
    print(rows);
  } finally {
    service.process.kill("SIGTERM");
    await once(service.process, "exit");
    rmSync(directory, { recursive: true, force: true });
  }
}

interface RunningService {
  readonly process: ChildProcess;
  readonly url: string;
}

async function startService(data: string): Promise<RunningService> {
  const child = spawn(process.execPath, [CLI, "-q", "service", "--data", data, "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/\S+?(?=[\s,]|$)/.exec(line)?.[0];
    if (url !== undefined) return { process: child, url };
  }
  throw new Error("the service did not start: build it first with npm run build");
}

/** Uploads the queried archive and waits for it. */
async function exploreable(url: string, mailbox: Buffer): Promise<void> {
  const answer = await fetch(`${url}/upload?filename=explored.mbox`, { method: "POST", body: mailbox });
  const { upload_id } = (await answer.json()) as { upload_id: string };
  for (;;) {
    const { status } = (await (await fetch(`${url}/uploads/${upload_id}`)).json()) as { status: string };
    if (status === "completed") return;
    if (status === "failed") throw new Error("the archive to explore could not be extracted");
    await pause(200);
  }
}

/** Sends uploads from another process; returns their ids. */
async function send(url: string, { way, megabytes, count }: Load): Promise<readonly string[]> {
  const child = spawn(process.execPath, ["--import", "tsx", SENDER, url, way, String(megabytes * MB), String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ids: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const { status, uploadId } = JSON.parse(line) as { status: number; uploadId: string | null };
    if (uploadId === null || status >= 300) throw new Error(`an upload was refused: ${line}`);
    ids.push(uploadId);
  }
  return ids;
}

/** Calls the explore routes one after another while the load runs. */
async function measured(name: string, service: RunningService, work: () => Promise<readonly string[]>): Promise<Row> {
  const agent = new Agent({ keepAlive: true });
  const start = performance.now();
  const before = cpuSeconds(service.process);
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  const latencies: number[] = [];
  for (let turn = 0; !isDone; turn++) {
    const asked = performance.now();
    await ask(service.url + EXPLORE_ROUTES[turn % EXPLORE_ROUTES.length], agent);
    latencies.push(performance.now() - asked);
  }
  const uploadIds = await working;
  const seconds = (performance.now() - start) / 1000;
  const row = {
    name,
    seconds,
    cpuSeconds: cpuSeconds(service.process) - before,
    latencies,
    peakBytes: peakBytes(service.process),
  };
  for (const uploadId of uploadIds) await fetch(`${service.url}/uploads/${uploadId}`, { method: "DELETE" });
  agent.destroy();
  return row;
}

function ask(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
      response.resume();
      response.on("end", resolve);
    }).on("error", reject);
  });
}

/** Peak resident memory (VmHWM) of the service itself. */
function peakBytes({ pid }: ChildProcess): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
}

/** User and system time of the service itself: fields 14 and 15 of proc(5), in hundredths. */
function cpuSeconds({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function print(rows: readonly Row[]): void {
  console.log("| While | Wall s | CPU s of the service | Answers | Median ms | p95 ms | p99 ms | Peak memory MB |");
  console.log("|---|---|---|---|---|---|---|---|");
  for (const { name, seconds, cpuSeconds: cpu, latencies, peakBytes: peak } of rows) {
    const sorted = [...latencies].sort((left, right) => left - right);
    const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
    console.log(
      `| ${[name, seconds.toFixed(1), cpu.toFixed(1), sorted.length, at(0.5), at(0.95), at(0.99), (peak / 1e6).toFixed(0)].join(" | ")} |`,
    );
  }
}
