import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { MboxSink } from "./mail-sink.ts";
import { cpuSeconds, megabytes, memoryBytes, printRow } from "./measure.ts";
import { type Answer, ask, get, type Server, share, startServer } from "./server.ts";
import { DEFAULT_SHAPE, writeSyntheticArchive } from "./synthetic-archive.ts";
import { emptyWorkDirectory } from "./work-directory.ts";

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

/**
 * Starts the built service with an empty data directory and an archive, and sends requests during uploads. The jobs
 * of these uploads run in separate processes; each upload is deleted after its load.
 */
export async function benchService(directory: string): Promise<void> {
  emptyWorkDirectory(directory);
  const mailbox = join(directory, "explored.mbox");
  writeSyntheticArchive({ ...DEFAULT_SHAPE, messages: EXPLORED_MESSAGES }, new MboxSink(mailbox));
  const service = await startServer(["service", "--data", join(directory, "data")]);
  try {
    await exploreable(service.url, readFileSync(mailbox));
    console.log("| While | Wall s | CPU s of the service | Answers | Median ms | p95 ms | p99 ms | Peak memory MB |");
    console.log("|---|---|---|---|---|---|---|---|");
    await report("nothing else", service, () => pause(IDLE_MS).then(() => []));
    for (const load of LOADS) await report(load.name, service, () => send(service.url, load));
  } finally {
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
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
async function report(name: string, service: Server, work: () => Promise<readonly string[]>): Promise<void> {
  const start = performance.now();
  const before = cpuSeconds(service.child);
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  const answers: Answer[] = [];
  for (let turn = 0; !isDone; turn++)
    answers.push(await ask(service, get(EXPLORE_ROUTES[turn % EXPLORE_ROUTES.length]!)));
  const uploadIds = await working;
  const seconds = (performance.now() - start) / 1000;
  printRow([
    ...[name, seconds.toFixed(1), (cpuSeconds(service.child) - before).toFixed(1), answers.length],
    ...[share(answers, 0.5), share(answers, 0.95), share(answers, 0.99)],
    megabytes(memoryBytes(service.child.pid, "VmHWM")),
  ]);
  for (const uploadId of uploadIds) await fetch(`${service.url}/uploads/${uploadId}`, { method: "DELETE" });
}
