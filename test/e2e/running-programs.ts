import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "../../src/store/postgres/client/postgres-client.ts";

/** Programs that run while a test acts on them. */

const CLI = resolve(import.meta.dirname, "../../dist/cli/main.js");

const children = new Set<ChildProcess>();

/** Kills programs that a test left running. */
export function killAll(): void {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
}

export interface Started {
  readonly child: ChildProcess;
  /** Output so far. */
  printed(): string;
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
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (piece: Buffer) => (printed += piece.toString()));
  const closed = once(child, "close").then(([code]) => {
    children.delete(child);
    return code as number | null;
  });
  return { child, printed: () => printed, closed };
}

/** Waits until a condition holds. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; !(await holds()); looks++) {
    if (looks > 6_000) throw new Error(`never came: ${what}`);
    await pause(10);
  }
}

export async function askedOf(server: string, sql: string): Promise<readonly (readonly unknown[])[]> {
  const client = await connect(server, "test");
  try {
    return await client.rows(sql);
  } finally {
    await client.close();
  }
}
