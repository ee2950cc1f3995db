import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "../../src/store/postgres/postgres-client.ts";

/** Programs that run while a test does something to them: extractions, and the workers that they share. */

const CLI = resolve(import.meta.dirname, "../../dist/cli/main.js");
/** Seconds after which the task of a worker that is silent is given to another. */
export const LEASE_SECONDS = 2;

const children = new Set<ChildProcess>();

/** Kills what a test has left. */
export function killAll(): void {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
}

export interface Started {
  readonly child: ChildProcess;
  /** What it has said so far. */
  said(): string;
  readonly closed: Promise<number | null>;
}

/** @param flags of Node.js */
export function start(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Started {
  const child = spawn(process.execPath, [...flags, CLI, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  children.add(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece: Buffer) => (said += piece.toString()));
  const closed = once(child, "close").then(([code]) => {
    children.delete(child);
    return code as number | null;
  });
  return { child, said: () => said, closed };
}

/** Waits until something holds. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; !(await holds()); looks++) {
    if (looks > 6_000) throw new Error(`never came: ${what}`);
    await pause(10);
  }
}

export interface StartedWorker extends Started {
  readonly number: number;
  /** Where it works. */
  readonly directory: string;
}

/** How a worker is started. */
export interface WorkerStart {
  readonly server: string;
  /** Where a directory for it is made. */
  readonly scratch: string;
  readonly leaseSeconds?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Of Node.js. */
  readonly flags?: readonly string[];
}

export async function startWorker(worker: WorkerStart): Promise<StartedWorker> {
  const { server, scratch, leaseSeconds = LEASE_SECONDS, env = {}, flags = [] } = worker;
  const directory = mkdtempSync(join(scratch, "worker-"));
  const words = ["worker", "--store", server, "--jobs", "1", "--lease", `${leaseSeconds}`];
  const started = start([...words, "--scratch", directory], env, flags);
  await until("a worker", () => /^worker \d+ of /.test(started.said()));
  return { ...started, directory, number: Number(/^worker (\d+)/.exec(started.said())![1]) };
}

export async function askedOf(server: string, sql: string): Promise<readonly (readonly unknown[])[]> {
  const client = await connect(server, "test");
  try {
    return await client.rows(sql);
  } finally {
    await client.close();
  }
}

const TIMES = /"[a-z_]+_at":\s*"[^"]*"|Extracted [^\n]*|\d{4}-\d\d-\d\dT[\d:.]+Z by archivetool[^\n]*/g;
/** The archive holds times of the run in its pages, and the manifest sizes of what holds them. */
const WITH_TIMES = /(?:^|\/)(?:archive\.db|\.archivetool-files\.json)$/;

/** Every file of an output, without the times of the run and what it was told of itself. */
export function contentOf(output: string): Record<string, string> {
  const files = readdirSync(output, { recursive: true, encoding: "utf8" })
    .filter((path) => !WITH_TIMES.test(path) && statSync(join(output, path)).isFile())
    .sort();
  return Object.fromEntries(
    files.map((path) => [path, readFileSync(join(output, path), "latin1").replaceAll(TIMES, "")]),
  );
}
