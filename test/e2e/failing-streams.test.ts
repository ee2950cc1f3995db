import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { archivetool, type CliResult, scratchDirectory } from "./cli.ts";
import { LETTERS, rawMessage, writeMbox } from "./fixture-mail.ts";

const CLI = resolve(import.meta.dirname, "../../dist/cli/main.js");
const FULL_MEMORY = pathToFileURL(resolve(import.meta.dirname, "full-memory.mjs")).href;
/** A device that reports a full disk on every write; not every system has one. */
const FULL = "/dev/full";
const NOT_WRITTEN = /^archivetool: cannot write the results to standard output \(ENOSPC/m;

const scratch = scratchDirectory("streams");
const mbox = join(scratch, "harbour.mbox");
const output = join(scratch, "output");

beforeAll(() => {
  writeMbox(mbox, LETTERS.map(rawMessage));
  expect(archivetool("-q", "extract", mbox, "-o", output).exitCode).toBe(0);
});

/** Runs the command line with its streams redirected as a shell would. */
function redirected(redirection: string, ...args: readonly string[]): CliResult {
  const { status, stdout, stderr } = spawnSync(
    "sh",
    ["-c", `"$0" "$@" ${redirection}`, process.execPath, CLI, ...args],
    {
      encoding: "utf8",
    },
  );
  return { exitCode: status, stdout, stderr };
}

const extraction = (name: string): readonly string[] => ["extract", mbox, "-o", join(scratch, name)];

describe.skipIf(process.platform === "win32")("a closed stream", () => {
  it.each(["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])(
    "%s: an extraction completes, and leaves no temporary files",
    (redirection) => {
      const name = `closed-${redirection.length}`;
      expect(redirected(redirection, ...extraction(name)).exitCode).toBe(0);
      expect(readdirSync(join(scratch, name))).toContain("archive.db");
      expect(readdirSync(join(scratch, name)).filter((entry) => entry.startsWith(".archivetool-run"))).toEqual([]);
    },
  );

  it.each([
    ["stats", [output]],
    ["search", [output, "offer"]],
    ["validate", [output]],
  ])("ends %s well", (command, args) => {
    expect(redirected(">&- 2>&-", command, ...args).exitCode).toBe(0);
  });
});

describe.skipIf(!existsSync(FULL))("a stream on a full disk", () => {
  it("is reported once if it receives results, and the archive is complete", () => {
    const { exitCode, stderr } = redirected(`>${FULL}`, "-q", ...extraction("full"));
    expect([exitCode, stderr.match(new RegExp(NOT_WRITTEN, "gm"))?.length]).toEqual([1, 1]);
    expect(archivetool("validate", join(scratch, "full")).exitCode).toBe(0);
  });

  it.each([
    ["stats", [output]],
    ["search", [output, "offer"]],
  ])("is reported by %s", (command, args) => {
    const { exitCode, stderr } = redirected(`>${FULL}`, command, ...args);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(NOT_WRITTEN);
  });

  it("loses only log lines", () => {
    const { exitCode, stdout } = redirected(`2>${FULL}`, ...extraction("unlogged"));
    expect(exitCode).toBe(0);
    expect(stdout).toContain("Emails: ");
    expect(redirected(`>${FULL} 2>${FULL}`, "stats", output).exitCode).toBe(1);
  });
});

describe("a thread of a command whose memory is full", () => {
  it.each(["parsing", "topics", "outputs"])(
    "in the phase %s prints one line, and leaves the output unchanged",
    (phase) => {
      const before = readFileSync(join(output, "archive.db"));
      const args = ["--max-old-space-size=96", "--import", FULL_MEMORY, CLI, "-q", "extract", mbox, "-o", output];
      const { status, stderr } = spawnSync(process.execPath, args, {
        encoding: "utf8",
        env: { ...process.env, FULL_MEMORY: phase },
      });
      expect(status).toBe(1);
      expect(stderr.match(/^archivetool: .*$/gm)).toEqual([
        expect.stringMatching(/^archivetool: out of memory \(.*out of memory\)$/),
      ]);
      expect(stderr).toContain("hint: give the machine more memory, or split the archive");
      expect(readFileSync(join(output, "archive.db")).equals(before)).toBe(true);
      expect(readdirSync(output).filter((entry) => entry.startsWith(".archivetool-run"))).toEqual([]);
    },
  );
});
