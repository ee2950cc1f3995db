import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { archivetool, scratchDirectory } from "./cli.ts";
import { LETTERS, rawMessage, writeMbox } from "./fixture-mail.ts";

const scratch = scratchDirectory("command-line");
const mbox = join(scratch, "harbour.mbox");
const output = join(scratch, "output");
writeMbox(mbox, LETTERS.map(rawMessage));
beforeAll(() => {
  expect(archivetool("-q", "extract", mbox, "-o", output, "--json").exitCode).toBe(0);
});

const ONE_LINE = /^archivetool: [^\n]*\nhint: [^\n]*\n$/;

describe("a wrong command line", () => {
  it.each([
    ["an unknown flag", ["info", "--colour"], /^archivetool: unknown option '--colour'\nhint: see archivetool --help\n$/],
    ["an unknown command", ["extrat"], /^archivetool: unknown command 'extrat' \(Did you mean extract\?\)\n/],
    ["no files", ["extract"], /^archivetool: missing required argument 'files'\n/],
    ["the only file behind --redact", ["extract", "--redact", mbox], /^archivetool: .*put files first\n/],
    [
      "a file that is not there",
      ["extract", join(scratch, "none")],
      /^archivetool: \S+none: no such file or directory\nhint: check the path\n$/,
    ],
    ["a source that is not there", ["validate", join(scratch, "none")], /^archivetool: \S+none does not exist\n/],
  ])("is answered with one line and a hint: %s", (_, args, line) => {
    const { exitCode, stdout, stderr } = archivetool(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(ONE_LINE);
    expect(stderr).toMatch(line);
  });
});

it("does not make an empty archive of a directory that holds mailbox files only", () => {
  const boxes = join(scratch, "boxes");
  mkdirSync(boxes);
  writeMbox(join(boxes, "one.mbox"), LETTERS.map(rawMessage));
  const none = join(scratch, "none-written");
  const { exitCode, stderr } = archivetool("-q", "extract", boxes, "-o", none);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(ONE_LINE);
  expect(stderr).toContain(`hint: name those files themselves: archivetool extract ${join(boxes, "one.mbox")}\n`);
  expect(existsSync(none)).toBe(false);
});

describe("validate", () => {
  it.each(["", "archive.db", "extraction.json"])("finds the document of an output by its /%s", (name) => {
    const { exitCode, stdout } = archivetool("validate", join(output, name));
    expect(exitCode).toBe(0);
    expect(stdout).toContain("Valid: 3 messages");
  });

  it("tells of an archive that was written without a document", () => {
    const bare = join(scratch, "bare");
    archivetool("-q", "extract", mbox, "-o", bare, "--no-wiki");
    const { exitCode, stderr } = archivetool("validate", join(bare, "archive.db"));
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^archivetool: \S+ has no extraction\.json\nhint: extract again with --json\n$/);
  });
});

it("ends with 1 and one line on SIGTERM, and leaves the output as it was", async () => {
  const large = join(scratch, "large.mbox");
  const letter = LETTERS[0] as (typeof LETTERS)[number];
  writeMbox(
    large,
    Array.from({ length: 20_000 }, (_, index) => rawMessage({ ...letter, id: `many-${index}@harbour.example` })),
  );
  const files = (): readonly string[] =>
    readdirSync(output, { recursive: true, encoding: "utf8" })
      .sort()
      .map((name) => `${name} ${statSync(join(output, name)).size}`);
  const before = files();
  const document = readFileSync(join(output, "extraction.json"));
  const child = spawn(process.execPath, [resolve(import.meta.dirname, "../../dist/cli/main.js"), "extract", large, "-o", output], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (text: Buffer) => {
    // The first line tells that the run has begun.
    if (stderr === "") child.kill("SIGTERM");
    stderr += text.toString();
  });
  const exitCode = await new Promise((ended) => child.once("close", (code) => ended(code)));
  expect(exitCode).toBe(1);
  expect(stderr.match(/^archivetool: .*$/gm)).toEqual(["archivetool: ended by SIGTERM"]);
  expect(stderr.endsWith("archivetool: ended by SIGTERM\n")).toBe(true);
  expect(files()).toEqual(before);
  expect(readFileSync(join(output, "extraction.json")).equals(document)).toBe(true);
});

it("writes a wiki whose counts, names and facts read well", () => {
  const page = (name: string): string => readFileSync(join(output, name), "utf8");
  const index = page("index.md");
  expect(index).toContain("`provenance.json`");
  expect(index).not.toMatch(/\*\*1\*\* \w+s\b|\[\[provenance/);
  const thread = readdirSync(join(output, "wiki/threads"))[0] as string;
  expect(page(`wiki/threads/${thread}`)).toMatch(
    /^---\ntitle: "[^"\\]+"\nid: "thread-\d{6}"\nparticipants: \d+\nfirst_message: "\d{4}-\d\d-\d\d"\nlast_message: "\d{4}-\d\d-\d\d"\ntopic: "topic-\d{3}"\npage: 1\n/,
  );
  for (const list of ["threads.md", "contacts.md", "calendar.md", "emails/all.md"]) expect(page(list)).toMatch(/^earliest: .*\nlatest: /m);
});
