import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { archivetool, type CliResult, scratchDirectory } from "./cli.ts";
import { LETTERS, rawMessage, writeMbox } from "./fixture-mail.ts";

const scratch = scratchDirectory("windows");
const processes = join(scratch, "processes");
mkdirSync(processes);
const CLI = resolve(import.meta.dirname, "../../dist/cli/main.js");
const RULES = pathToFileURL(resolve(import.meta.dirname, "../windows-rules.mjs")).href;
const environment = { ...process.env, NODE_OPTIONS: `--import ${RULES}`, WINDOWS_PROCESSES: processes };

/** Runs the built command line with the rules of Windows. */
function onWindows(...args: readonly string[]): CliResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    encoding: "utf8",
    env: environment,
  });
  return { exitCode: status, stdout, stderr };
}

/** Names that Windows cannot save, and names that are equal on Windows. */
const NAMES = [
  "CON",
  "nul.txt",
  "COM1.pdf",
  "Aux.tar.gz",
  "report.",
  "plan.pdf ",
  "Plan.PDF",
  "plan.pdf",
  "a:b?c.txt",
  "LPT9",
];
const attached = join(scratch, "attached.eml");
writeFileSync(
  attached,
  [
    "From: a@harbour.example\nSubject: files\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nSee files.\n",
    ...NAMES.map(
      (name, index) =>
        `--b\nContent-Type: application/octet-stream; name="${name}"\nContent-Disposition: attachment; filename="${name}"\nContent-Transfer-Encoding: base64\n\n${Buffer.from(`file ${index}`).toString("base64")}\n`,
    ),
    "--b--\n",
  ].join(""),
);
const mbox = join(scratch, "harbour.mbox");
writeMbox(mbox, LETTERS.map(rawMessage));
const more = join(scratch, "more.mbox");
writeMbox(more, [rawMessage({ ...LETTERS[0]!, id: "new@harbour.example", body: "One more." })]);

/** Files of an output with their contents, except files that contain times, which differ from run to run. */
function filesOf(output: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(output, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(output.length + 1);
    if (entry.isFile() && !/^\.archivetool|\.db$|provenance\.json$/.test(path))
      files[path] = readFileSync(join(output, path), "utf8");
  }
  return files;
}

const FLAGS = ["--csv", "--extract-attachments"] as const;

describe.skipIf(process.platform !== "linux")("by the rules of Windows", () => {
  const output = join(scratch, "output");

  it("are valid", () => {
    const breaks = `
      import fs from "node:fs";
      import { open, rename } from "node:fs/promises";
      const tried = async (act) => { try { await act(); return "none"; } catch (error) { return error.code; } };
      fs.writeFileSync("a", ""); fs.writeFileSync("b", ""); fs.mkdirSync("d"); fs.mkdirSync("e");
      const held = fs.openSync("a", "r");
      const directory = fs.openSync("d", "r");
      console.log(JSON.stringify([
        await tried(() => fs.fsyncSync(held)), await tried(() => fs.fsyncSync(directory)), await tried(async () => (await open("a", "r")).sync()),
        await tried(() => fs.renameSync("b", "a")), await tried(() => rename("a", "a")), await tried(() => fs.rmSync("a")),
        await tried(() => fs.renameSync("d", "e")), await tried(() => fs.writeFileSync("nul.txt", "")), await tried(() => fs.mkdirSync("x.")),
        await tried(() => fs.writeFileSync("B", "", { flag: "wx" })), await tried(() => fs.readFileSync("/proc/self/stat")),
        await tried(() => fs.renameSync("b", "B")),
      ]));`;
    const directory = join(scratch, "rules");
    mkdirSync(directory);
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", breaks], {
      encoding: "utf8",
      env: environment,
      cwd: directory,
    });
    expect(stdout, stderr).toBe(
      `${JSON.stringify(["EPERM", "EPERM", "EPERM", "EBUSY", "EBUSY", "EBUSY", "EBUSY", "ENOENT", "ENOENT", "EEXIST", "ENOENT", "none"])}\n`,
    );
  });

  it("extracts the same as elsewhere", () => {
    const run = onWindows("extract", attached, mbox, "-o", output, ...FLAGS);
    expect(run.exitCode, run.stderr).toBe(0);
    const elsewhere = join(scratch, "elsewhere");
    expect(archivetool("extract", attached, mbox, "-o", elsewhere, ...FLAGS).exitCode).toBe(0);
    expect(filesOf(output)).toEqual(filesOf(elsewhere));
    const saved = Object.keys(filesOf(output)).filter((path) => path.startsWith("wiki/attachments/"));
    expect(saved).toHaveLength(NAMES.length);
    expect(new Set(saved.map((path) => path.toLowerCase())).size).toBe(NAMES.length);
  });

  it("adds to it, and finds no new mail", () => {
    const same = onWindows("extract", attached, mbox, "-o", output, ...FLAGS, "--incremental");
    expect(same.stdout, same.stderr).toContain("Nothing new");
    const run = onWindows("extract", attached, mbox, more, "-o", output, ...FLAGS, "--incremental");
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toContain(`Emails: ${LETTERS.length + 2}\n`);
  });

  it("serves it, replaces no open files, and reports that before it reads mail", async () => {
    const server = spawn(process.execPath, [CLI, "serve", output, "--port", "0"], {
      env: environment,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [line] = (await once(server.stdout, "data")) as [Buffer];
    const url = /http:\/\/\S+/.exec(String(line))![0]!;
    expect(await (await fetch(`${url}/api/emails`)).json()).toMatchObject({
      pagination: { total: LETTERS.length + 2 },
    });
    const before = filesOf(output);
    const refused = onWindows("-q", "extract", mbox, "-o", output, "--replace");
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toMatch(
      /^archivetool: [^\n]*archive\.db is in use by another program[^\n]*\nhint: [^\n]*server[^\n]*\n$/,
    );
    expect(filesOf(output)).toEqual(before);
    expect(onWindows("search", output, "crane").exitCode).toBe(0);
    server.kill("SIGINT");
    await once(server, "close");
    const replaced = onWindows("extract", mbox, "-o", output, "--replace");
    expect(replaced.exitCode, replaced.stderr).toBe(0);
    expect(readdirSync(output).filter((name) => name.startsWith(".archivetool-run"))).toEqual([]);
  });

  it("leaves no files of a first run that is stopped", async () => {
    const large = join(scratch, "large.mbox");
    const letter = LETTERS[0]!;
    writeMbox(
      large,
      Array.from({ length: 20_000 }, (_, index) =>
        rawMessage({ ...letter, id: `many-${index}@harbour.example`, body: `Letter ${index}` }),
      ),
    );
    const child = spawn(process.execPath, [CLI, "extract", large, "-o", join(scratch, "no-output")], {
      env: environment,
      stdio: ["ignore", "ignore", "pipe"],
    });
    await once(child.stderr, "data");
    expect(readdirSync(scratch)).toContain("no-output");
    child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([130, null]);
    expect(readdirSync(scratch)).not.toContain("no-output");
  });
});
