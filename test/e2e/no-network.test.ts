import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archivetool } from "./cli.ts";
import { LETTERS, rawMessage, writeMaildir, writeMbox } from "./fixture-mail.ts";

const CLI = resolve(import.meta.dirname, "../../dist/cli/main.js");
const scratch = mkdtempSync(join(tmpdir(), "archivetool-no-network-"));
const mbox = join(scratch, "harbour.mbox");
const maildir = join(scratch, "quay");
const plain = join(scratch, "plain");

beforeAll(() => {
  writeMbox(mbox, LETTERS.map(rawMessage));
  writeMaildir(maildir, LETTERS.map(rawMessage));
  expect(archivetool("-q", "extract", mbox, maildir, "-o", plain, "--json").exitCode).toBe(0);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A way to run Node.js without a network: the command before the script. */
interface Confinement {
  readonly command: string;
  readonly args: readonly string[];
}

function run({ command, args }: Confinement, ...rest: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(command, [...args, ...rest], { encoding: "utf8", timeout: 60_000 });
  return { exitCode: status, stdout, stderr };
}

const works = (confinement: Confinement): boolean => run(confinement, "-e", "").exitCode === 0;

/** A program that prints the code of the error that prevents it from reaching an address, or `reached`. */
const REACHING = `
  process.on("uncaughtException", ({ code }) => { console.log(code); process.exit(); });
  const socket = require("node:dgram").createSocket("udp4");
  socket.connect(9, "192.0.2.1", (fault) => { console.log(fault?.code ?? "reached"); process.exit(); });`;

/** Permission to read and write files and to start threads. The directory must exist when Node.js starts. */
const PERMISSION: Confinement = {
  command: process.execPath,
  args: [
    "--disable-warning=SecurityWarning",
    "--permission",
    "--allow-fs-read=*",
    `--allow-fs-write=${join(scratch, "*")}`,
    "--allow-worker",
  ],
};
const hasNetPermission = process.allowedNodeEnvironmentFlags.has("--allow-net");

/**
 * A network namespace whose only interface is a loopback that is down. Not every system lets users create namespaces.
 */
const NAMESPACES: readonly Confinement[] = [["--net"], ["--net", "--map-root-user"]].map((flags) => ({
  command: "unshare",
  args: [...flags, "--", process.execPath],
}));
const namespace = process.platform === "linux" ? (NAMESPACES.find(works) ?? null) : null;

const CONFINEMENTS = [
  {
    name: "with the permission model of Node.js 26 and no --allow-net",
    confinement: hasNetPermission ? PERMISSION : null,
    denial: "ERR_ACCESS_DENIED",
  },
  { name: "in a network namespace without interfaces", confinement: namespace, denial: "ENETUNREACH" },
] as const;

for (const { name, confinement, denial } of CONFINEMENTS) {
  if (confinement === null) it.skip(`${name} (not available here)`);
  else describe(name, () => worksWithout(confinement, denial));
}

function worksWithout(confinement: Confinement, denial: string): void {
  const output = mkdtempSync(join(scratch, "output-"));
  const graph = join(output, "graph.html");

  it("the network is unreachable", () => {
    expect(run(confinement, "-e", REACHING).stdout).toBe(`${denial}\n`);
  });

  it("extract, extract --incremental, search, stats, viz and validate work without a network", () => {
    const extracted = run(
      confinement,
      CLI,
      "-q",
      "extract",
      mbox,
      maildir,
      "-o",
      output,
      "--json",
      "--csv",
      "--jobs",
      "2",
    );
    expect(extracted).toMatchObject({ exitCode: 0, stderr: "" });
    expect(run(confinement, CLI, "-q", "extract", mbox, maildir, "-o", output, "--incremental")).toMatchObject({
      exitCode: 0,
      stderr: "",
    });
    const lines = (path: string) => readFileSync(join(path, "wiki", "threads", "thread-000001.md"), "utf8");
    expect(existsSync(join(output, "archive.db"))).toBe(true);
    expect(lines(output)).toBe(lines(plain));
    for (const [command, ...rest] of [["search", "crane"], ["stats"], ["validate"]] as const) {
      const { exitCode, stdout, stderr } = run(confinement, CLI, command, output, ...rest);
      expect({ command, exitCode, stderr }).toEqual({ command, exitCode: 0, stderr: "" });
      expect(stdout).toBe(archivetool(command, output, ...rest).stdout);
    }
    expect(run(confinement, CLI, "viz", output, "--output", graph)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(readFileSync(graph, "utf8")).toContain("Mara Holt");
  });
}

describe.skipIf(!hasNetPermission)("servers that may not listen (Node.js 26)", () => {
  it.each([
    ["serve", [plain]],
    ["api", [plain]],
    ["service", ["--public", "--data", join(scratch, "data")]],
  ])("%s reports that in one line", (command, args) => {
    mkdirSync(join(scratch, "data"), { recursive: true });
    const confined = run(PERMISSION, "--allow-child-process", CLI, command, ...args, "--port", "0");
    expect(confined).toEqual({
      exitCode: 1,
      stdout: "",
      stderr:
        "archivetool: cannot listen on port 0 of 127.0.0.1: Node.js was started without --allow-net\n" +
        "hint: start node with --allow-net and --permission, or without both\n",
    });
  });
});
