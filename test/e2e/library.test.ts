import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { EXAMPLE_SEED, exampleCompany } from "../../examples/company/company.ts";
import { writeSources } from "../../examples/mailbox-files.ts";
import { archivetool, scratchDirectory } from "./cli.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const PAGE = readFileSync(join(ROOT, "docs/reference/library.md"), "utf8");
/** The programs of the page in order: blocks longer than the line with the import. */
const PROGRAMS = [...PAGE.matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
  .map(([, text]) => text!)
  .filter((text) => text.includes("process.argv"));

const scratch = scratchDirectory("library");
const archive = join(scratch, "archive");
let sources: readonly string[] = [];

/** A project that has the package installed, as a link, and the types of Node.js. */
beforeAll(() => {
  const modules = join(scratch, "node_modules");
  mkdirSync(modules);
  symlinkSync(ROOT, join(modules, "archivetool"), "junction");
  symlinkSync(join(ROOT, "node_modules/@types"), join(modules, "@types"), "junction");
  writeFileSync(join(scratch, "package.json"), '{"type":"module"}');
  for (const [at, text] of PROGRAMS.entries()) {
    writeFileSync(join(scratch, `program-${at + 1}.mjs`), text);
    writeFileSync(join(scratch, `program-${at + 1}.mts`), text);
  }
  sources = writeSources(exampleCompany(EXAMPLE_SEED), join(scratch, "mail"));
});

/** Runs a program of the page. The first one creates the archive that the others read. */
function runProgram(
  number: number,
  ...args: readonly string[]
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, [join(scratch, `program-${number}.mjs`), ...args], {
    encoding: "utf8",
    cwd: scratch,
  });
}

describe("docs/reference/library.md", () => {
  it("has three programs that fit the types", () => {
    expect(PROGRAMS).toHaveLength(3);
    const tsconfig = {
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: "es2022",
        module: "nodenext",
        types: ["node"],
        skipLibCheck: false,
      },
      files: PROGRAMS.map((_, at) => `program-${at + 1}.mts`),
    };
    writeFileSync(join(scratch, "tsconfig.json"), JSON.stringify(tsconfig));
    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    const checked = spawnSync(process.execPath, [compiler, "-p", join(scratch, "tsconfig.json")], { encoding: "utf8" });
    expect(checked.stdout).toBe("");
    expect(checked.status).toBe(0);
  });

  it("extracts with the first, as the command line does", () => {
    const { status, stdout, stderr } = runProgram(1, archive, ...sources);
    expect(status, stderr).toBe(0);
    expect(stderr).toMatch(/^parsing\n[\s\S]*outputs\n$/);
    const provenance = JSON.parse(readFileSync(join(archive, "provenance.json"), "utf8")) as {
      readonly statistics: { readonly total_messages: number; readonly total_contacts: number };
    };
    const { total_messages, total_contacts } = provenance.statistics;
    expect(total_messages).toBeGreaterThan(100);
    expect(stdout.trim().split("\n")).toHaveLength(sources.length + 1);
    expect(stdout).toContain(`\n${total_messages} messages, ${total_contacts} contacts\n`);
  });

  it("prints an error with code and hint", () => {
    const { status, stderr } = runProgram(1, join(scratch, "never"), join(scratch, "missing.mbox"));
    expect(stderr).toMatch(/^SOURCE_NOT_FOUND: .*missing\.mbox.*; check the path\n$/);
    expect(status).toBe(1);
  });

  it("searches with the second, as the command line does", () => {
    const { status, stdout, stderr } = runProgram(2, archive, "mooring line");
    expect(status, stderr).toBe(0);
    const found = JSON.parse(archivetool("search", archive, "mooring line", "-n", "5", "--json").stdout) as {
      results: { subject: string }[];
    };
    const lines = stdout.split("\n");
    expect(found.results).toHaveLength(5);
    for (const [at, { subject }] of found.results.entries()) expect(lines[at]).toContain(subject);
    expect(stdout).toMatch(/\n\n\d{4}-\d\d-\d\d .+: .+\n/);
  });

  it("walks over all messages with the third", () => {
    const { status, stdout, stderr } = runProgram(3, archive);
    expect(status, stderr).toBe(0);
    const [head = "", ...pairs] = stdout.trim().split("\n");
    const [, messages, bytes] = /^(\d+) messages, (\d+) bytes of text$/.exec(head) ?? [];
    expect(Number(messages)).toBeGreaterThan(100);
    expect(Number(bytes)).toBeGreaterThan(10_000);
    expect(pairs).toHaveLength(5);
    for (const pair of pairs) expect(pair).toMatch(/^\d+ \S+@\S+\.example -> \S+\.example$/);
  });

  it("lists exactly the settings", () => {
    const [, settings = ""] =
      /interface ExtractSettings \{([\s\S]*?)^\}/m.exec(readFileSync(join(ROOT, "src/library.ts"), "utf8")) ?? [];
    const declared = [...settings.matchAll(/^ {2}readonly (\w+)\?/gm)].map(([, name]) => name);
    const [, table = ""] = /\| Setting \|.*\n\|[-|]+\n((?:\|.*\n)+)/.exec(PAGE) ?? [];
    const cells = [...table.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, names]) => names!.split(", "));
    expect(cells.map((name) => name.replaceAll("`", "")).sort()).toEqual(declared.sort());
  });
});
