import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { withCommand } from "./command-arguments.ts";

const directory = mkdtempSync(join(tmpdir(), "archivetool-arguments-"));
const mbox = join(directory, "mail.mbox");
writeFileSync(mbox, "From - \n");
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const commands = new Set(["open", "search"]);
const given = (args: readonly string[], isExecutable = false, isTerminal = true): readonly string[] =>
  withCommand(args, { isExecutable, isTerminal, commands });

it.each([
  [[mbox], ["open", mbox]],
  [
    ["-q", mbox, "--no-browser"],
    ["-q", "open", mbox, "--no-browser"],
  ],
  [
    [directory, mbox],
    ["open", directory, mbox],
  ],
  [
    ["search", mbox],
    ["search", mbox],
  ],
  [
    ["--help", mbox],
    ["--help", mbox],
  ],
  [["none/of.mbox"], ["open", "none/of.mbox"]],
  [["none.mbox"], ["open", "none.mbox"]],
  [["none.tar.gz"], ["open", "none.tar.gz"]],
  [["none"], ["none"]],
  [["none.html"], ["none.html"]],
  [[], []],
])("reads %j as %j", (args, expected) => expect(given(args)).toEqual(expected));

it("shows the upload page when the executable is started from a desktop", () => {
  expect(given([], true, false)).toEqual(["service", "--open", "--data", join(homedir(), "Archives", "uploads")]);
  expect(given([], true, true)).toEqual([]);
  expect(given([], false, false)).toEqual([]);
  expect(given(["--version"], true, false)).toEqual(["--version"]);
});
