import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { scratchDirectory } from "./cli.ts";

/** The first Node.js with executables whose files can be imported. */
const makesExecutables = Number.parseInt(process.versions.node, 10) >= 26;
const ROOT = resolve(import.meta.dirname, "../..");
const WAYS = process.env["ARCHIVETOOL_INSTALLATIONS"]?.split(",") ?? ["tarball", "global", "npx", "no scripts"];

/** Contains the package that is installed in every way. */
const packed = scratchDirectory("packed-once");
beforeAll(() => {
  if (process.platform === "win32") return;
  const pack = ["pack", "--ignore-scripts", "--pack-destination", packed];
  const { status, stderr } = spawnSync("npm", pack, { cwd: ROOT, encoding: "utf8" });
  expect(status, stderr).toBe(0);
});

// The script stops servers by their process group, which Windows does not have.
it.skipIf(process.platform === "win32").each(WAYS)("is installed into a path with blanks and used: %s", (way) => {
  const script = join(ROOT, "scripts", "try-installations.mjs");
  // If this Node.js needs the driver, it is copied: tests use no registry.
  const tarball = join(packed, readdirSync(packed)[0]!);
  const driver = join(ROOT, "node_modules", "better-sqlite3");
  const args = [script, "--way", way, "--tarball", tarball, "--driver", driver];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    env: { ...process.env, npm_config_offline: "true" },
  });
  expect(status, stderr + stdout).toBe(0);
  expect(stderr).toContain(`${way}: extract, search, info, serve, service`);
  if (way !== "npx") expect(stdout).toMatch(/ 1 package, [1-9]\.\d MB \|/);
});

it.skipIf(process.platform === "win32" || !makesExecutables)("works as a single executable of Node.js 26", () => {
  const script = join(ROOT, "scripts", "try-installations.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, "--way", "executable"], { encoding: "utf8" });
  expect(status, stderr + stdout).toBe(0);
  expect(stderr).toContain("executable: extract, search, info, serve, service");
});

it.skipIf(makesExecutables)("prints the Node.js version with which an executable is built", () => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, "scripts", "build-executable.mjs"), "never"], {
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stderr).toContain(`building an executable requires Node.js 26 or newer, not ${process.version}`);
});
