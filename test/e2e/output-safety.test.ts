import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { identifyMachine, identifyProcess } from "../../src/files/process-identity.ts";
import { archivetool, putArchive, scratchDirectory } from "./cli.ts";
import { command } from "./command.ts";
import { LETTERS, rawMessage, writeMbox } from "./fixture-mail.ts";

const CLI = resolve(import.meta.dirname, "../../dist/cli/main.js");
const scratch = scratchDirectory("output-safety");
const mbox = join(scratch, "harbour.mbox");
writeMbox(mbox, LETTERS.map(rawMessage));
let outputs = 0;
function newOutput(): string {
  outputs++;
  return join(scratch, `output-${outputs}`);
}

function extracted(...flags: readonly string[]): string {
  const output = newOutput();
  putArchive(output, mbox, ...flags);
  return output;
}

interface HeldRun {
  readonly child: ChildProcess;
  /** All output so far. */
  readonly printed: () => string;
  /** Resolves when the run stops at the phase, or has ended before. */
  readonly isHeld: Promise<unknown>;
  /** Exit code; null if it was killed. */
  readonly ended: Promise<number | null>;
}

/** Runs a command that stops at the beginning of a phase, like a long computation. */
function held(phase: string, ...args: readonly string[]): HeldRun {
  const hook = pathToFileURL(resolve(import.meta.dirname, "held-phase.mjs")).href;
  const child = spawn(process.execPath, ["--import", hook, CLI, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, HELD_PHASE: phase },
  });
  let text = "";
  const ended = once(child, "close").then(([exitCode]) => exitCode as number | null);
  const stands = new Promise<void>((settle) =>
    child.stderr.on("data", (piece: Buffer) => {
      text += piece.toString();
      if (text.includes("held\n")) settle();
    }),
  );
  return { child, printed: () => text, isHeld: Promise.race([stands, ended]), ended };
}

/** A running extraction with text in its private directory. */
async function runAtWork(output: string): Promise<HeldRun> {
  const run = held("threading", "extract", mbox, "-o", output, "--replace");
  await run.isHeld;
  expect(readdirSync(join(runDirectory(output), "staging")), run.printed()).not.toEqual([]);
  return run;
}

async function kill({ child, ended }: HeldRun): Promise<void> {
  child.kill("SIGKILL");
  expect(await ended).toBe(null);
}

/** Runs a command to the beginning of a phase, kills it there, and returns its output. */
async function killedIn(phase: string, ...args: readonly string[]): Promise<string> {
  const run = held(phase, ...args);
  await run.isHeld;
  await kill(run);
  return run.printed();
}

/** Every file of an output for people and programs, without the times of the run. */
function contentOf(output: string): Record<string, string> {
  const files = readdirSync(output, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.(md|csv|json)$/.test(path),
  );
  const times =
    /"(extracted_at|created_at)":\s*"[^"]*"|Extracted [^\n]*|\d{4}-\d\d-\d\dT[\d:.]+Z by archivetool[^\n]*/g;
  return Object.fromEntries(
    files
      .filter((path) => path !== ".archivetool-files.json")
      .map((path) => [path, readFileSync(join(output, path), "utf8").replaceAll(times, "")]),
  );
}

const runDirectory = (output: string): string => join(output, ".archivetool-run");

/** Creates what a killed run leaves: text, and its owner. */
function leaveRun(output: string, owner: unknown): void {
  mkdirSync(join(runDirectory(output), "staging"), { recursive: true });
  writeFileSync(join(runDirectory(output), "staging", "parsed-1"), "text that was not redacted");
  writeFileSync(join(runDirectory(output), "owner.json"), JSON.stringify(owner));
}

describe("two runs into one directory", () => {
  it("let the first continue, and the second report who is writing", async () => {
    const output = extracted();
    const first = await runAtWork(output);
    const second = archivetool("extract", mbox, "-o", output);
    expect(second.exitCode).toBe(1);
    expect(second.stderr).toMatch(
      new RegExp(
        `^archivetool: another run \\(process ${first.child.pid} on host ${hostname()}, started [^)]*Z\\) is writing to [^\\n]*\\nhint: `,
      ),
    );
    const stats = archivetool("stats", output);
    expect(stats, "the earlier output is read meanwhile").toMatchObject({ exitCode: 0, stderr: "" });
    await kill(first);
  });

  it("let exactly one of many succeed that start at once", async () => {
    const output = newOutput();
    const runs = Array.from({ length: 4 }, () => held("indexing", "-q", "extract", mbox, "-o", output, "--replace"));
    await Promise.all(runs.map(({ isHeld }) => isHeld));
    const winners = runs.filter(({ printed }) => printed() === "held\n");
    expect(winners).toHaveLength(1);
    for (const run of runs) {
      if (run === winners[0]) continue;
      expect(await run.ended).toBe(1);
      expect(run.printed()).toMatch(/^archivetool: another run .*is writing to/);
    }
    await kill(winners[0]!);
    expect(archivetool("extract", mbox, "-o", output).exitCode).toBe(0);
    expect(readdirSync(output).filter((name) => name.startsWith(".archivetool-run"))).toEqual([]);
  });
});

describe("files of a killed run", () => {
  it("is removed by the next command, which reports it in one line", async () => {
    const output = extracted();
    await kill(await runAtWork(output));
    expect(readdirSync(runDirectory(output))).toContain("staging");
    const search = archivetool("search", output, "crane");
    expect(search.exitCode).toBe(0);
    expect(search.stderr).toMatch(
      /^another run \(process \d+ on host [^\n]*\) was interrupted: removed its temporary files from [^\n]*\n$/,
    );
    expect(existsSync(runDirectory(output))).toBe(false);
    expect(archivetool("stats", output).stderr).toBe("");
  });

  it("is removed from the cache of documents by any command that reads an archive, which reports it in one line", () => {
    const output = extracted();
    const cache = join(scratch, "cache", "archivetool");
    const left = join(cache, "import-7-42");
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, "archive.db"), "text that was not redacted");
    vi.stubEnv("XDG_CACHE_HOME", join(scratch, "cache"));
    const stats = archivetool("stats", output);
    vi.unstubAllEnvs();
    expect(stats.exitCode).toBe(0);
    expect(stats.stderr).toBe(`an import was interrupted: removed its temporary files from ${left}\n`);
    expect(readdirSync(cache)).toEqual([]);
  });

  it("is resumed by the same command, which reports it and creates the same output as an undisturbed run", async () => {
    const flags = ["--json", "--csv", "--redact", "--no-merge-contacts"];
    const undisturbed = contentOf(extracted(...flags));
    const output = newOutput();
    const command = ["extract", mbox, "-o", output, ...flags];
    await killedIn("indexing", "extract", mbox, "-o", output, "--json");
    expect(await killedIn("indexing", ...command), "other text is wanted").toMatch(
      /was interrupted: removed its temporary files from [^\n]*\n/,
    );
    await killedIn("topics", ...command);
    const run = archivetool(...command);
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stderr).toMatch(
      /^another run \(process \d+ on host [^\n]*\) was interrupted: resuming with the 3 completed parts and 0\.\d MB of mail$/m,
    );
    expect(contentOf(output)).toEqual(undisturbed);
    expect(existsSync(runDirectory(output))).toBe(false);
  });

  const here = identifyMachine();
  const someoneElse = { ...identifyProcess(1), processId: process.pid };
  it.each([
    ["its number is another process's now", { process: someoneElse, machine: here, begunAt: 0 }],
    [
      "it was in another container",
      { process: identifyProcess(process.pid), machine: { ...here, namespace: "pid:[1]" }, begunAt: 0 },
    ],
    [
      "the machine was started again",
      { process: identifyProcess(process.pid), machine: { ...here, boot: "another" }, begunAt: 0 },
    ],
    ["nobody knows whose it was", null],
  ])("do not block another run if %s", (_what, owner) => {
    const output = extracted();
    leaveRun(output, owner);
    const run = archivetool("extract", mbox, "-o", output);
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stderr).toContain("was interrupted");
    expect(existsSync(runDirectory(output))).toBe(false);
  });

  it.skipIf(process.platform !== "linux")(
    "are kept if it may be running on another machine, until its owner file is removed",
    () => {
      const output = extracted();
      const machine = { name: "another-ship", boot: "another", namespace: null };
      leaveRun(output, { process: { processId: 7, startedAt: null }, machine, begunAt: 0 });
      const refused = archivetool("extract", mbox, "-o", output);
      expect(refused.exitCode).toBe(1);
      expect(refused.stderr).toMatch(/process 7 on host another-ship, .*may still be running\nhint: [^\n]*owner\.json/);
      const stats = archivetool("stats", output);
      expect(stats.exitCode).toBe(0);
      expect(stats.stderr).toMatch(/^[^\n]*cannot repair[^\n]*\n$/);
      expect(existsSync(join(runDirectory(output), "staging", "parsed-1"))).toBe(true);
      rmSync(join(runDirectory(output), "owner.json"));
      expect(archivetool("stats", output).stderr).toContain("removed its temporary files");
      expect(existsSync(runDirectory(output))).toBe(false);
    },
  );

  it("are published if the clean-up was interrupted", () => {
    const output = extracted();
    leaveRun(output, null);
    writeFileSync(join(runDirectory(output), "ready.json"), JSON.stringify({ stale: [] }));
    const stats = archivetool("stats", output);
    expect(stats.exitCode, stats.stderr).toBe(0);
    expect(stats.stderr).toMatch(/^[^\n]*completed it in [^\n]*\n$/);
    expect(existsSync(runDirectory(output))).toBe(false);
  });
});

describe.skipIf(process.platform === "win32")("modes", () => {
  it("prevent other users from reading an output, or the text of a running extraction", async () => {
    const mail = join(scratch, "attached.eml");
    writeFileSync(
      mail,
      'From: a@harbour.example\nSubject: files\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nSee file.\n--b\nContent-Type: application/octet-stream; name="plan.bin"\nContent-Disposition: attachment; filename="plan.bin"\nContent-Transfer-Encoding: base64\n\nb25l\n--b--\n',
    );
    const output = newOutput();
    const run = archivetool("extract", mail, mbox, "-o", output, "--extract-attachments", "--json", "--csv");
    expect(run.exitCode, run.stderr).toBe(0);
    expect(openTo(output)).toEqual([]);
    expect(existsSync(join(output, "wiki/attachments/msg-000001/plan.bin"))).toBe(true);
    await kill(await runAtWork(output));
    expect(openTo(output)).toEqual([]);
  });
});

/** Files and directories, including the root, that group or others can access. */
function openTo(root: string): readonly string[] {
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).map((path) => join(root, path));
  return [root, ...paths].filter((path) => (lstatSync(path).mode & 0o077) !== 0);
}

describe("an output that is changed since it was written", () => {
  it("has its pages written again by --incremental, which reports it", () => {
    const output = extracted("--csv", "--json");
    const whole = readFileSync(join(output, "index.md"), "utf8");
    for (const file of ["index.md", "emails.csv"]) truncateSync(join(output, file));
    rmSync(join(output, "extraction.json"));
    const run = archivetool("extract", mbox, "-o", output, "--incremental");
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stderr).toContain(
      "3 of the files written earlier missing or changed (emails.csv, extraction.json, index.md): written again\n",
    );
    expect(run.stdout).not.toContain("Nothing new");
    expect(readFileSync(join(output, "index.md"), "utf8")).toBe(whole);
    expect(statSync(join(output, "emails.csv")).size).toBeGreaterThan(0);
    expect(JSON.parse(readFileSync(join(output, "extraction.json"), "utf8")).messages).toHaveLength(LETTERS.length);
    const again = archivetool("extract", mbox, "-o", output, "--incremental");
    expect(again.stdout).toContain("Nothing new");
  });

  it("is rejected by --incremental if the store is damaged, and nothing changes", () => {
    const output = extracted();
    const store = join(output, "archive.db");
    const bytes = readFileSync(store);
    bytes[bytes.length - 10] = bytes[bytes.length - 10]! ^ 1;
    writeFileSync(store, bytes);
    const run = archivetool("-q", "extract", mbox, "-o", output, "--incremental");
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toMatch(
      /^archivetool: cannot add to [^\n]*archive\.db: it has changed since it was written\nhint: [^\n]*\n$/,
    );
    expect(readFileSync(store).equals(bytes)).toBe(true);
    rmSync(store);
    expect(archivetool("-q", "extract", mbox, "-o", output, "--incremental").stderr).toContain(
      "archive.db: it is missing",
    );
    expect(archivetool("extract", mbox, "-o", output).exitCode, "a full run replaces it").toBe(0);
    expect(archivetool("stats", output).exitCode).toBe(0);
  });

  it("continues from extraction.json if the store is damaged", () => {
    const output = extracted("--json");
    truncateSync(join(output, "archive.db"), 5000);
    const run = archivetool("extract", mbox, "-o", output, "--incremental");
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stderr).toContain("1 of the files written earlier missing or changed (archive.db): written again\n");
    expect(archivetool("stats", output).stdout).toMatch(/Emails: +3\n/);
  });

  it.each(["search", "stats", "viz"])("prints one line for %s", async (name) => {
    const output = extracted();
    truncateSync(join(output, "archive.db"));
    const run = await command(name, output, ...(name === "search" ? ["crane"] : []));
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toMatch(/^archivetool: [^\n]*archive\.db is damaged: it is empty\nhint: [^\n]*\n$/);
  });

  it("is reported file by file by validate", async () => {
    const output = extracted("--json");
    expect(await command("validate", output)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^Files: (\d+) of \1 unchanged\n/),
    });
    const store = join(output, "archive.db");
    const bytes = readFileSync(store);
    bytes[bytes.length - 10] = bytes[bytes.length - 10]! ^ 1;
    writeFileSync(store, bytes);
    rmSync(join(output, "contacts.md"));
    const run = await command("validate", output);
    expect(run.exitCode).toBe(1);
    expect(run.stdout).toMatch(/^archive\.db: changed\ncontacts\.md: missing\nFiles: /);
    expect(run.stderr).toMatch(
      /^archivetool: 2 files of [^\n]* changed or missing\nhint: [^\n]*--incremental[^\n]*\n$/,
    );
    expect(JSON.parse((await command("validate", output, "--json")).stdout)).toMatchObject({
      valid: false,
      error_count: 0,
      files: {
        damaged: [
          { path: "archive.db", what: "changed" },
          { path: "contacts.md", what: "missing" },
        ],
      },
    });
  });

  it("can be replaced if its list of files is lost", () => {
    const output = extracted();
    truncateSync(join(output, ".archivetool-files.json"));
    const run = archivetool("extract", mbox, "-o", output);
    expect(run.exitCode, run.stderr).toBe(0);
    expect(archivetool("-q", "extract", mbox, "-o", output, "--incremental")).toMatchObject({
      exitCode: 0,
      stderr: "",
    });
  });
});
