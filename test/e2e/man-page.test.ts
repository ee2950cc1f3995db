import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { commandShapes } from "../../src/cli/completion/command-shapes.ts";
import { createProgram } from "../../src/cli/program.ts";
import { ERRORS } from "../../src/errors.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const { man, version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const PAGE = join(ROOT, man[0]);
const page = readFileSync(PAGE, "utf8");

/** Text that a reader sees of the source of a page. */
const shown = page
  .replace(/\\f[BR]/g, "")
  .replaceAll("\\-", "-")
  .replaceAll("\\&", "")
  .replaceAll("\\e", "\\");

const has = (program: string): boolean => spawnSync(program, ["--help"]).error === undefined;

describe("the man page", () => {
  it("lists every command, flag and error code, and the version", async () => {
    const { command } = await createProgram({
      signal: new AbortController().signal,
      print: () => undefined,
      writeError: () => undefined,
    });
    for (const { name, flags } of commandShapes(command)) {
      if (name !== "") expect(shown).toContain(`.SS "archivetool ${name}"`);
      for (const flag of flags.flatMap(({ names }) => names)) expect(shown, `${name} ${flag}`).toContain(flag);
    }
    for (const code of Object.keys(ERRORS)) expect(shown).toContain(`.TP\n${code}\n`);
    expect(shown).toContain(`"archivetool ${version}"`);
  });

  it("lists the defaults of flags", () => {
    expect(shown).toMatch(/\.TP\n--port <n>\n[^\n]* \(default: 8080\)\n/);
    expect(shown).toMatch(/\.TP\n-o, --output <dir>\n[^\n]* \(default: \.\/pikoclaw-output\)\n/);
    expect(shown).not.toContain("(default: off)");
  });

  it("contains no markdown, and no roff requests from text", () => {
    const requests = page.split("\n").filter((line) => /^[.']/.test(line));
    expect(requests.filter((line) => !/^\.(?:\\"|TH|SH|SS|PP|TP|IP|nf|fi)(?: |$)/.test(line))).toEqual([]);
    expect(shown.split("\n").filter((line) => /\*\*|^\||^#|\]\([a-z]+/.test(line))).toEqual([]);
  });

  it.skipIf(!has("mandoc"))("is without fault to mandoc", () => {
    const { stdout, stderr } = spawnSync("mandoc", ["-T", "lint", "-W", "warning", PAGE], { encoding: "utf8" });
    // The page has no date, so the same version gives the same page.
    expect((stdout + stderr).split("\n").filter((line) => line !== "" && !line.includes("missing date"))).toEqual([]);
  });

  it.skipIf(!has("man"))("is shown by man", () => {
    const { stdout, stderr, status } = spawnSync("man", ["--warnings", "-l", PAGE], {
      encoding: "utf8",
      env: { ...process.env, MANWIDTH: "80" },
    });
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    expect(stdout).toContain("COMMANDS");
  });
});
