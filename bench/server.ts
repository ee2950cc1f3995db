import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { createInterface } from "node:readline";
import { CLI, cpuSeconds } from "./measure.ts";

/** A running server of the built program. */
export interface Server {
  /** Without a final slash. */
  readonly url: string;
  readonly agent: Agent;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Starts a server on a free port. @param args a command and its arguments */
export async function startServer(args: readonly string[], node = process.execPath): Promise<Server> {
  const child = spawn(node, [CLI, "-q", ...args, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await addressOf(child);
  const agent = new Agent({ keepAlive: true });
  return {
    ...{ url, agent, child },
    async stop() {
      agent.destroy();
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

async function addressOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /http:\/\/\S+?(?=[\s,]|$)/.exec(line)?.[0];
    if (url !== undefined) return url.replace(/\/$/, "");
  }
  throw new Error("the server did not start: build it first with npm run build");
}

export interface Call {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body: string;
}

export interface Kind {
  readonly name: string;
  readonly calls: readonly Call[];
  /** True if each call is made only once, without warming up. */
  readonly isCold?: boolean;
}

export interface Answer {
  readonly ms: number;
  readonly bytes: number;
}

export const get = (path: string): Call => ({ method: "GET", path, body: "" });

/** Makes a call; rejects unless it succeeds. */
export function ask({ url, agent }: Server, { method, path, body }: Call): Promise<Answer> {
  return new Promise((done, fail) => {
    const started = performance.now();
    const headers =
      body === "" ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const call = request(url + path, { method, agent, headers }, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => (bytes += chunk.length));
      response.on("end", () => {
        if (response.statusCode === 200) done({ ms: performance.now() - started, bytes });
        else fail(new Error(`${path}: ${response.statusCode}`));
      });
    });
    call.on("error", fail);
    call.end(body);
  });
}

/** Makes calls one after another, cycling through them. */
export async function askAll(server: Server, calls: readonly Call[], count = calls.length): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < count; at++) answers.push(await ask(server, calls[at % calls.length]!));
  return answers;
}

/** Figures of one kind of request, as table cells. */
export interface Timing {
  readonly p50: string;
  readonly p95: string;
  /** CPU milliseconds of the server per request. */
  readonly cpuMs: string;
  readonly kilobytes: string;
}

export async function timeKind(server: Server, { calls, isCold }: Kind, count: number): Promise<Timing> {
  // Each question once unmeasured: the first to ask pays for the disk.
  if (!isCold) await askAll(server, calls);
  const before = cpuSeconds(server.child);
  const answers = await askAll(server, calls, count);
  return timingOf(answers, cpuSeconds(server.child) - before);
}

export function timingOf(answers: readonly Answer[], seconds: number): Timing {
  return {
    p50: share(answers, 0.5),
    p95: share(answers, 0.95),
    cpuMs: ((seconds * 1000) / answers.length).toFixed(1),
    kilobytes: (answers.reduce((sum, { bytes }) => sum + bytes, 0) / answers.length / 1000).toFixed(0),
  };
}

/** The value below which a part of the times lies, in milliseconds. */
export function share(answers: readonly Answer[], part: number): string {
  const sorted = answers.map(({ ms }) => ms).sort((left, right) => left - right);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1);
}

/** Data of a JSON response. */
export async function dataOf<T>({ url }: Server, path: string): Promise<T> {
  return ((await (await fetch(url + path)).json()) as { readonly data: T }).data;
}
