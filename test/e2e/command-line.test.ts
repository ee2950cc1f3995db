import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { archivetool, scratchDirectory } from "./cli.ts";
import { LETTERS, rawMessage, writeMbox } from "./fixture-mail.ts";

const CLI = resolve(import.meta.dirname, "../../dist/cli/main.js");
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
    [
      "an unknown flag",
      ["info", "--colour"],
      /^archivetool: unknown option '--colour'\nhint: see archivetool info --help\n$/,
    ],
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

it("does not create an empty archive for a directory without mail", () => {
  const none = join(scratch, "no-mail");
  mkdirSync(none);
  writeFileSync(join(none, "photo.jpg"), "\xff\xd8\xff");
  const output = join(scratch, "none-written");
  const { exitCode, stderr } = archivetool("-q", "extract", none, "-o", output);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(ONE_LINE);
  expect(stderr).toContain("no file in this directory is a message");
  expect(existsSync(output)).toBe(false);
});

describe("extract", () => {
  it("suggests next steps as lines that can be copied", () => {
    const named = join(scratch, "it's an archive");
    const { stdout } = archivetool("extract", mbox, "-o", named, "--no-wiki");
    const [, search, serve] = /\nNext:\n {2}(.*)\n {2}(.*)\n$/.exec(stdout) ?? [];
    expect(serve).toMatch(/ serve '.*' --open$/);
    const run = spawnSync("/bin/sh", ["-c", search!.replace("search terms", "crane")], {
      encoding: "utf8",
    });
    expect(run.stdout).toContain("Crane repair offer");
  });

  it("with -q prints the output directory and important warnings", () => {
    const good = join(scratch, "quiet");
    expect(archivetool("extract", mbox, "-o", good, "-q")).toEqual({ exitCode: 0, stdout: `${good}\n`, stderr: "" });
    const damaged = join(scratch, "damaged");
    for (const part of ["cur", "new", "tmp"]) mkdirSync(join(damaged, part), { recursive: true });
    writeFileSync(join(damaged, "cur", "1.h:2,S"), rawMessage(LETTERS[0]!));
    writeFileSync(join(damaged, "cur", "2.h:2,S"), "");
    const bad = join(scratch, "quiet-bad");
    const { exitCode, stdout, stderr } = archivetool("extract", damaged, "-o", bad, "-q");
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${bad}\n` });
    expect(stderr).toBe(`${damaged}: 1 failed\n1 warning: see ${join(bad, "provenance.json")}\n`);
  });
});

describe("stats and the wiki", () => {
  it("add the source to a mailbox name of several sources", () => {
    const [one, other] = [join(scratch, "one"), join(scratch, "other")];
    for (const [at, path] of [one, other].entries()) {
      for (const part of ["cur", "new", "tmp", ".Plans/cur"]) mkdirSync(join(path, part), { recursive: true });
      writeFileSync(
        join(path, "cur", "1.h:2,S"),
        rawMessage({ ...LETTERS[0]!, id: `s${at}@h.example`, body: `Letter ${at}.` }),
      );
      if (at === 0) writeFileSync(join(path, ".Plans/cur", "2.h:2,S"), rawMessage(LETTERS[2]!));
    }
    const both = join(scratch, "both");
    expect(archivetool("-q", "extract", one, other, "-o", both).exitCode).toBe(0);
    const lines = archivetool("stats", both).stdout.split("\n");
    for (const path of [one, other]) expect(lines.filter((line) => line.endsWith(`INBOX  (${path})`))).toHaveLength(1);
    expect(lines.some((line) => line.endsWith("  Plans"))).toBe(true);
    const { mailboxes } = JSON.parse(archivetool("stats", both, "--json").stdout);
    expect(mailboxes.map(({ source_path }: { source_path: string }) => source_path).sort()).toEqual([one, one, other]);
    const all = readFileSync(join(both, "emails/all.md"), "utf8");
    expect(all.match(/\*\*Mailbox\*\* INBOX \(.*\) ·/g)).toHaveLength(2);
    expect(all.match(/\*\*Mailbox\*\* Plans ·/g)).toHaveLength(1);
  });
});

describe("serve", () => {
  const program = join(scratch, "bin", "xdg-open");
  const opened = join(scratch, "opened");

  /** Output until the server listens and, if there is one, a page was requested; then the server is stopped. */
  async function serve(
    flags: readonly string[],
    path: string,
  ): Promise<{ readonly stdout: string; readonly stderr: string }> {
    const child = spawn(process.execPath, [CLI, "serve", output, "--port", "0", ...flags], {
      env: { ...process.env, PATH: path },
    });
    const written = { stdout: "", stderr: "" };
    const isDone = (): boolean =>
      written.stdout.includes("\n") && (!flags.includes("--open") || existsSync(opened) || written.stderr !== "");
    for (const stream of ["stdout", "stderr"] as const)
      child[stream].setEncoding("utf8").on("data", (text: string) => (written[stream] += text));
    while (!isDone() && child.exitCode === null) await new Promise((settle) => setTimeout(settle, 20));
    await fetch(`${/http:\S+/.exec(written.stdout)?.[0]}/api/status?private=words`);
    child.kill("SIGTERM");
    await new Promise((settle) => child.once("close", settle));
    return written;
  }

  it.skipIf(process.platform !== "linux")(
    "--open passes the address to the program of the system, and reports a missing program",
    async () => {
      mkdirSync(join(scratch, "bin"));
      writeFileSync(program, `#!/bin/sh\nprintf '%s|' "$@" > "${opened}.part" && mv "${opened}.part" "${opened}"\n`, {
        mode: 0o755,
      });
      const { stdout } = await serve(["--open"], `${join(scratch, "bin")}:/bin:/usr/bin`);
      expect(readFileSync(opened, "utf8")).toBe(`${/http:\S+/.exec(stdout)?.[0]}/|`);
      rmSync(opened);
      const { stderr } = await serve(["--open"], join(scratch, "none"));
      expect(stderr).toMatch(/^cannot open a browser \(xdg-open is not installed\): open http:\/\/127\.0\.0\.1:\d+\n$/);
    },
  );

  it("logs requests only with -v, and never their queries", async () => {
    expect((await serve([], "")).stderr).toBe("");
    const { stderr } = await serve(["-v"], "");
    expect(stderr).toMatch(/"path":"\/api\/status","status":200/);
    expect(stderr).not.toContain("private");
  });
});

describe("validate", () => {
  it.each(["", "archive.db", "extraction.json"])("finds the document of an output by /%s", (name) => {
    const { exitCode, stdout } = archivetool("validate", join(output, name));
    expect(exitCode).toBe(0);
    expect(stdout).toContain("Valid: 3 messages");
  });

  it("checks only the archive if there is no document", () => {
    const bare = join(scratch, "bare");
    archivetool("-q", "extract", mbox, "-o", bare, "--no-wiki");
    expect(archivetool("validate", join(bare, "archive.db"))).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^Files: .+\nArchive: sound\n$/),
      stderr: "",
    });
    expect(JSON.parse(archivetool("validate", bare, "--json").stdout)).toEqual({
      valid: true,
      error_count: 0,
      errors: [],
      summary: null,
      sources: [],
      files: { checked: expect.any(Number), damaged: [] },
      archive: { valid: true, fault_count: 0, faults: [] },
    });
  });
});

it("writes a wiki with correct counts, names and facts", () => {
  const page = (name: string): string => readFileSync(join(output, name), "utf8");
  const index = page("index.md");
  expect(index).toContain("`provenance.json`");
  expect(index).not.toMatch(/\*\*1\*\* \w+s\b|\[\[provenance/);
  const thread = readdirSync(join(output, "wiki/threads"))[0]!;
  expect(page(`wiki/threads/${thread}`)).toMatch(
    /^---\ntitle: "[^"\\]+"\nid: "thread-\d{6}"\nparticipants: \d+\nfirst_message: "\d{4}-\d\d-\d\d"\nlast_message: "\d{4}-\d\d-\d\d"\ntopic: "topic-\d{3}"\npage: 1\n/,
  );
  for (const list of ["threads.md", "contacts.md", "calendar.md", "emails/all.md"])
    expect(page(list)).toMatch(/^earliest: .*\nlatest: /m);
});
