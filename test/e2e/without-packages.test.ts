import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { loadNodeSqlite } from "../../src/store/sqlite/driver/node-sqlite.ts";
import { preservesValues } from "../../src/store/sqlite/driver/sqlite-driver.ts";
import { scratchDirectory } from "./cli.ts";
import { LETTERS, rawMessage, writeMbox } from "./fixture-mail.ts";

/** The build in a directory where no package can be found, like an installation. */
const scratch = scratchDirectory("without-packages");
const mbox = join(scratch, "harbour.mbox");
const output = join(scratch, "output");
const builtIn = loadNodeSqlite();
const hasSqlite = builtIn !== null && preservesValues(builtIn);

beforeAll(() => {
  const root = resolve(import.meta.dirname, "../..");
  for (const part of ["dist", "package.json"])
    cpSync(join(root, part), join(scratch, "installed", part), { recursive: true });
  writeMbox(mbox, LETTERS.map(rawMessage));
});

function installed(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(scratch, "installed/dist/cli/main.js"), ...args],
    {
      encoding: "utf8",
    },
  );
  return { exitCode: status, stdout, stderr };
}

it.skipIf(!hasSqlite)("works without packages and without warnings of Node (Node.js 24.16 or newer)", () => {
  expect(installed("-q", "extract", mbox, "-o", output, "--json", "--csv")).toMatchObject({ exitCode: 0, stderr: "" });
  expect(installed("search", output, "crane")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("Crane repair offer"),
    stderr: "",
  });
  expect(installed("validate", output)).toMatchObject({ exitCode: 0, stderr: "" });
});

it.skipIf(hasSqlite)("prints one line if a Node.js without SQLite needs a driver (Node.js 20 and 22)", () => {
  expect(installed("-q", "extract", mbox, "-o", output)).toEqual({
    exitCode: 1,
    stdout: "",
    stderr:
      `archivetool: SQLite in Node.js ${process.versions.node} is not sufficient, and better-sqlite3 is not installed\n` +
      "hint: use Node.js 24.16 or newer, or run: npm install -g --allow-scripts=better-sqlite3 " +
      "better-sqlite3@12.11.1 (in a project: npm pkg set --json allowScripts.better-sqlite3=true && npm install better-sqlite3@12.11.1)\n",
  });
  expect(installed("--version").exitCode).toBe(0);
});

it("prints in one line which packages a bucket needs", () => {
  const flags = ["--store", "postgres://db.example/mail", "--blobs", "s3://mail-archive/service"];
  expect(installed("service", "--data", join(scratch, "service"), ...flags)).toEqual({
    exitCode: 1,
    stdout: "",
    stderr:
      "archivetool: the packages @aws-sdk/client-s3 and @aws-sdk/lib-storage are not installed\n" +
      "hint: run: npm install -g @aws-sdk/client-s3@3 @aws-sdk/lib-storage@3 " +
      "(in a project: npm install @aws-sdk/client-s3@3 @aws-sdk/lib-storage@3)\n",
  });
});
