import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { archivetool, putArchive, scratchDirectory } from "./cli.ts";
import { command } from "./command.ts";
import { LETTERS, rawMessage, writeMaildir, writeMbox } from "./fixture-mail.ts";

const CLI = resolve(import.meta.dirname, "../../dist/cli/main.js");
const scratch = scratchDirectory("earlier-archives");
const harbour = join(scratch, "harbour.mbox");
const quay = join(scratch, "quay.mbox");
const maildir = join(scratch, "maildir");
const output = join(scratch, "output");

beforeEach(() => {
  for (const path of [harbour, quay, maildir, output]) rmSync(path, { recursive: true, force: true });
  writeMbox(harbour, LETTERS.slice(0, 2).map(rawMessage));
  writeMbox(quay, LETTERS.slice(2).map(rawMessage));
  writeMaildir(maildir, LETTERS.slice(0, 2).map(rawMessage));
});

const messagesIn = async (directory: string): Promise<number> =>
  JSON.parse((await command("stats", directory, "--json")).stdout).total_messages;

describe("an earlier archive in the output directory", () => {
  it("is not replaced by one of other sources, and the error lists three options", () => {
    putArchive(output, harbour);
    const before = readFileSync(join(output, "archive.db"));
    const { exitCode, stdout, stderr } = archivetool("extract", quay, "-o", output);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(
      new RegExp(
        `^archivetool: ${output} contains an archive of other sources: ${harbour} \\(2 messages, extracted \\S+Z\\)\\nhint: .*--incremental.*--output.*--replace\\n$`,
      ),
    );
    expect(readFileSync(join(output, "archive.db")).equals(before)).toBe(true);
  });

  it("is replaced by --replace, with a line of output", async () => {
    putArchive(output, harbour);
    const { exitCode, stdout } = archivetool("extract", quay, "-o", output, "--replace");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Replaced the earlier archive of \S+Z \(2 messages\)$/m);
    expect(await messagesIn(output)).toBe(1);
  });

  it("is replaced by one with the same or more sources, with a line of output", async () => {
    const first = archivetool("extract", harbour, "-o", output);
    expect(first.stdout).not.toContain("Replaced");
    expect(archivetool("extract", harbour, "-o", output).stdout).toMatch(/^Replaced the earlier archive of/m);
    expect(archivetool("extract", quay, harbour, "-o", output).exitCode).toBe(0);
    expect(await messagesIn(output)).toBe(3);
    expect(archivetool("extract", harbour, "-o", output).stderr).toContain(`other sources: ${quay} (3 messages`);
  });

  it.each([
    ["a file", harbour],
    ["a directory", maildir],
  ])("is replaced by one of %s that was moved, and not by one of something as large", (_, source) => {
    putArchive(output, source);
    const moved = `${source}-moved`;
    rmSync(moved, { recursive: true, force: true });
    renameSync(source, moved);
    expect(archivetool("extract", moved, "-o", output).exitCode).toBe(0);
    const other = `${source}-other`;
    rmSync(other, { recursive: true, force: true });
    const letters = LETTERS.slice(0, 2).map((letter) => rawMessage(letter).replace("crane", "drain"));
    if (source === harbour) writeMbox(other, letters);
    else writeMaildir(other, letters);
    expect(archivetool("extract", other, "-o", output).stderr).toContain(`other sources: ${moved} (2 messages`);
  });

  it("is identified by provenance.json if the store is unreadable, and kept if both are", () => {
    putArchive(output, harbour);
    writeFileSync(join(output, "archive.db"), "no store");
    expect(archivetool("extract", quay, "-o", output).stderr).toContain(`other sources: ${harbour} (2 messages`);
    writeFileSync(join(output, "provenance.json"), "{");
    expect(archivetool("extract", harbour, "-o", output).stderr).toContain(
      "contains an archive that does not list its sources",
    );
    expect(archivetool("extract", harbour, "-o", output, "--replace").exitCode).toBe(0);
  });

  it("cannot be both added to and replaced", () => {
    expect(archivetool("extract", harbour, "-o", output, "--replace", "--incremental").stderr).toContain(
      "cannot be combined",
    );
  });
});

it("stores complete paths, prints them as typed, and stats and validate print them", async () => {
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [CLI, ...args], { cwd: scratch, encoding: "utf8" });
  expect(run("extract", "harbour.mbox", "-o", "output", "--json").stdout).toMatch(
    /^harbour\.mbox \[mbox\]: 2 messages/,
  );
  const { sources, runs } = JSON.parse(readFileSync(join(output, "provenance.json"), "utf8"));
  expect([sources[0].path, runs[0].sources[0]]).toEqual([harbour, harbour]);
  expect((await command("stats", output)).stdout).toContain(`Read from:       ${harbour}\n`);
  expect(JSON.parse((await command("stats", output, "--json")).stdout).sources).toMatchObject([
    { path: harbour, format: "mbox" },
  ]);
  expect((await command("validate", output)).stdout).toContain(`Read from: ${harbour}\n`);
  expect(run("extract", harbour, "-o", "output", "--incremental").stdout).toContain("Nothing new");
});

it.each([["-o", ""], ["--output="]])("rejects an empty name for the output directory: %s", (...flag) => {
  const empty = join(scratch, "empty");
  mkdirSync(empty, { recursive: true });
  copyFileSync(harbour, join(empty, "harbour.mbox"));
  const { status, stderr } = spawnSync(process.execPath, [CLI, "extract", "harbour.mbox", ...flag], {
    cwd: empty,
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^archivetool: --output must be a directory, not ""\n/);
  expect(existsSync(join(empty, "archive.db"))).toBe(false);
});

it("does not read an empty source name as the working directory", () => {
  const { exitCode, stderr } = archivetool("extract", "", "-o", output);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^archivetool: empty source name\n/);
});
