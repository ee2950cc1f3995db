import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { PHASES } from "../../src/extraction/extraction-event.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { LETTERS, rawMessage, writeMbox } from "./fixture-mail.ts";

const CLI = resolve(import.meta.dirname, "../../dist/cli/main.js");
const HELD_PHASE = pathToFileURL(resolve(import.meta.dirname, "held-phase.mjs")).href;
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type StopSignal = keyof typeof EXIT_CODES;

const scratch = scratchDirectory("signals");
const mbox = join(scratch, "harbour.mbox");
const output = join(scratch, "output");
const cache = join(scratch, "cache");
const moved = join(scratch, "moved.json");

beforeAll(() => {
  writeMbox(mbox, LETTERS.map(rawMessage));
  expect(archivetool("-q", "extract", mbox, "-o", output, "--json").exitCode).toBe(0);
  copyFileSync(join(output, "extraction.json"), moved);
});

interface Ended {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command that stops at a phase, and sends it signals, each one after the response to the previous one. */
async function interrupted(
  phase: string,
  signals: readonly NodeJS.Signals[],
  ...args: readonly string[]
): Promise<Ended> {
  const child = spawn(process.execPath, ["--import", HELD_PHASE, CLI, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, HELD_PHASE: phase, XDG_CACHE_HOME: cache },
  });
  let stdout = "";
  let stderr = "";
  let isHeld = false;
  child.stdout.on("data", (text: Buffer) => (stdout += text.toString()));
  child.stderr.on("data", (text: Buffer) => {
    stderr += text.toString();
    if (isHeld || !stderr.includes("held\n")) return;
    isHeld = true;
    for (const signal of signals) child.kill(signal);
  });
  return new Promise((settle) =>
    child.once("close", (exitCode, signal) => settle({ exitCode, signal, stdout, stderr })),
  );
}

/** Path and hash of everything in a directory. */
function snapshot(directory: string): Record<string, string> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return [
      path.slice(directory.length),
      entry.isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "",
    ];
  });
  return Object.fromEntries(entries);
}

describe("a signal during a synchronous phase", () => {
  // All signals have one handler: each phase gets one of them, and the first phase gets all.
  const signals = Object.keys(EXIT_CODES) as StopSignal[];
  const pairs = [
    ...PHASES.map((phase, at) => [phase, signals[at % signals.length]!] as const),
    ...signals.slice(1).map((signal) => [PHASES[0]!, signal] as const),
  ];

  it.each(pairs)("%s: %s ends the run, and the output is unchanged", async (phase, signal) => {
    const before = snapshot(output);
    const { exitCode, stdout, stderr } = await interrupted(phase, [signal], "extract", mbox, "-o", output, "--json");
    expect({ exitCode, stdout }).toEqual({ exitCode: EXIT_CODES[signal], stdout: "" });
    expect(stderr.match(/^archivetool: .*$/gm)).toEqual([`archivetool: stopped by ${signal}`]);
    expect(snapshot(output)).toEqual(before);
  });

  it("leaves no directory of the run", async () => {
    const { exitCode } = await interrupted("topics", ["SIGINT"], "extract", mbox, "-o", join(scratch, "none/of/these"));
    expect(exitCode).toBe(130);
    expect(existsSync(join(scratch, "none"))).toBe(false);
  });

  it("with one thread as well", async () => {
    const before = snapshot(output);
    expect((await interrupted("parsing", ["SIGTERM"], "extract", mbox, "-o", output, "--jobs", "1")).exitCode).toBe(
      143,
    );
    expect(snapshot(output)).toEqual(before);
  });

  it("keeps the archive that an incremental run extends", async () => {
    const before = snapshot(output);
    const more = join(scratch, "more.mbox");
    writeMbox(more, [rawMessage({ ...LETTERS[0]!, id: "b1@harbour.example", body: "Something new." })]);
    expect((await interrupted("indexing", ["SIGHUP"], "extract", more, "-o", output, "--incremental")).exitCode).toBe(
      129,
    );
    expect(snapshot(output)).toEqual(before);
  });
});

it("ends at once by the second signal", async () => {
  const elsewhere = join(scratch, "second");
  mkdirSync(elsewhere);
  const { exitCode, signal } = await interrupted("topics", ["SIGINT", "SIGTERM"], "extract", mbox, "-o", elsewhere);
  // Both may be pending when the process handles them: the second one ends it.
  expect(exitCode).toBe(null);
  expect(Object.keys(EXIT_CODES)).toContain(signal);
});

it("removes a document that was being read into the cache", async () => {
  const { exitCode, stdout } = await interrupted("rename", ["SIGINT"], "stats", moved);
  expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: "" });
  expect(readdirSync(join(cache, "archivetool")).filter((name) => name.startsWith("import-"))).toEqual([]);
});
