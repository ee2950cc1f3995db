import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createProgram } from "./program.ts";

const directory = mkdtempSync(join(tmpdir(), "archivetool-program-"));
const mbox = join(directory, "mail.mbox");
writeFileSync(mbox, "From - \nFrom: a@site.example\n\nbody\n");
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Exit code or thrown error, and all output until then. */
async function run(...args: readonly string[]) {
  const written: string[] = [];
  const write = (text: string): void => void written.push(text);
  const program = await createProgram({ signal: new AbortController().signal, print: write, writeError: write });
  const end = await program.run(args).catch((error: unknown) => error);
  return { end, written: written.join("") };
}

describe("a query that begins with a minus", () => {
  it.each([
    ["search", []],
    ["export", ["--format", "csv", "--output", "out.csv"]],
  ])("is explained by the hint of %s", async (command, flags) => {
    const { end } = await run(command, "out", ...flags, "-word");
    expect(end).toMatchObject({
      code: "INVALID_ARGUMENT",
      message: "unknown option '-word'",
      hint: `to exclude a word, put -- before the query: archivetool ${command} <source> -- -word`,
    });
  });
});

describe("errors in the arguments", () => {
  it.each([
    ["an unknown flag", ["info", "--colour"], "unknown option '--colour'", "archivetool info --help"],
    [
      "an unknown command, with what was meant",
      ["extrat"],
      "unknown command 'extrat' (Did you mean extract?)",
      "archivetool --help",
    ],
    ["no files", ["extract"], "missing required argument 'files'", "archivetool extract --help"],
    [
      "a word too many",
      ["validate", "one", "two"],
      "too many arguments for 'validate'. Expected 1 argument but got 2.",
      "archivetool validate --help",
    ],
    [
      "two formats",
      ["hits", "out", "a", "--csv", "--json"],
      "option '--csv' cannot be used with option '--json'",
      "archivetool hits --help",
    ],
    [
      "a flag without its value",
      ["extract", "a.mbox", "-o"],
      "option '-o, --output <dir>' argument missing",
      "archivetool extract --help",
    ],
    [
      "files that are types",
      ["extract", "--redact", "email"],
      "missing required argument 'files'",
      "archivetool extract --help",
    ],
    [
      "files behind --redact that are not there",
      ["extract", "--redact", join(directory, "none")],
      "missing required argument 'files'",
      "archivetool extract --help",
    ],
  ])("are reported in one line: %s", async (_, args, message, help) => {
    const { end, written } = await run(...args);
    expect(end).toMatchObject({
      name: "ArchiveError",
      code: "INVALID_ARGUMENT",
      message,
      hint: `see ${help}`,
    });
    expect(written).toBe("");
  });

  it.each([
    [["extract", "--redact", mbox]],
    [["extract", "--redact", "email", mbox]],
    [["extract", "--csv", "--redact", "email", "phone", mbox, "--json"]],
  ])("report the result for the files: %j", async (args) => {
    const { end } = await run(...args);
    expect(end).toMatchObject({
      code: "INVALID_ARGUMENT",
      message: `--redact reads "${mbox}" as a type of personal data: put files first`,
      hint: expect.stringContaining(`archivetool extract ${mbox} --redact`),
    });
  });
});

describe("the help", () => {
  it.each([
    [["--help"], 0],
    [["extract", "--help"], 0],
  ])("prints %j", async (args, exitCode) => {
    const { end, written } = await run(...args);
    expect(end).toBe(exitCode);
    expect(written).toContain("Usage: archivetool");
  });

  it.each([[[]], [["-q"]]])("without a command suggests first steps: %j", async (args) => {
    const { end, written } = await run(...args);
    expect(end).toBe(1);
    expect(written.split(/(?=archivetool )/)).toHaveLength(5);
    expect(written).toMatch(/^archivetool open FILES\.\.\. /);
  });
});
