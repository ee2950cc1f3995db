// Installs and uses the package in every supported way, and prints a table: node scripts/try-installations.mjs
// [--node PATH]… [--npm PATH/npm-cli.js]… [--way NAME]… [--tarball FILE] [--driver DIRECTORY] [-- TEST…] Combines
// every Node.js with every npm; by default the current ones. Without --tarball, packs the build. --driver uses
// better-sqlite3 from a directory instead of the registry, if Node.js needs it. Arguments after `--` are passed to
// `npm test`.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { runProgram, useProgram } from "./used-program.mjs";

const ROOT = resolve(import.meta.dirname, "..");
const BIN = process.platform === "win32" ? "archivetool.cmd" : "archivetool";
/** The driver for a Node.js whose built-in SQLite is not sufficient. */
const DRIVER = "better-sqlite3";
const DRIVER_VERSION = "12.11.1";

/** Installation methods. Each returns the command that starts the program. */
const WAYS = {
  "clone and demo": (attempt) => {
    const clone = cloneInto(attempt);
    run(attempt, clone, "npm", "run", "demo");
    runProgram(
      { ...attempt, command: builtCommand(clone), directory: clone },
      "search",
      join("demo-output", "archive"),
      "mooring line",
    );
    return builtCommand(clone);
  },
  "clone and test": (attempt) => {
    const clone = cloneInto(attempt);
    run(attempt, clone, "npm", "test", "--", ...attempt.tests);
    return builtCommand(clone);
  },
  tarball: (attempt) => {
    if (attempt.needsDriver && attempt.driver === null) {
      run(attempt, attempt.directory, "npm", "init", "--yes");
      run(attempt, attempt.directory, "npm", "pkg", "set", "--json", `allowScripts.${DRIVER}=true`);
    }
    run(attempt, attempt.directory, "npm", "install", attempt.tarball, ...driverFromRegistry(attempt));
    return installedCommand(
      attempt,
      join(attempt.directory, "node_modules"),
      join(attempt.directory, "node_modules", ".bin"),
    );
  },
  global: (attempt) => {
    const prefix = join(attempt.directory, "a prefix");
    const allow = driverFromRegistry(attempt).length > 0 ? [`--allow-scripts=${DRIVER}`] : [];
    run(
      attempt,
      attempt.directory,
      "npm",
      "install",
      "--global",
      "--prefix",
      prefix,
      ...allow,
      attempt.tarball,
      ...driverFromRegistry(attempt),
    );
    const isWindows = process.platform === "win32";
    return installedCommand(
      attempt,
      join(prefix, isWindows ? "" : "lib", "node_modules"),
      join(prefix, isWindows ? "" : "bin"),
    );
  },
  npx: (attempt) => {
    const registry = driverFromRegistry(attempt);
    const allow = registry.length > 0 ? [`--allow-scripts=${DRIVER}`] : [];
    const packages = [attempt.tarball, ...registry].flatMap((name) => ["--package", name]);
    run(attempt, attempt.directory, "npx", "--yes", ...allow, ...packages, "archivetool", "--version");
    // npx has installed it now, and needs seconds to find it each time.
    const [installed] = readdirSync(join(attempt.directory, "cache", "_npx"));
    return [join(attempt.directory, "cache", "_npx", installed, "node_modules", ".bin", BIN)];
  },
  "no scripts": (attempt) => {
    run(attempt, attempt.directory, "npm", "install", "--ignore-scripts", attempt.tarball);
    return installedCommand(
      attempt,
      join(attempt.directory, "node_modules"),
      join(attempt.directory, "node_modules", ".bin"),
    );
  },
};
/** Only on request: needs Node.js 26. */
const EXECUTABLE = "executable";
WAYS[EXECUTABLE] = (attempt) => {
  const file = join(attempt.directory, "one file");
  run(attempt, ROOT, "node", join("scripts", "build-executable.mjs"), file);
  return [file];
};

function cloneInto(attempt) {
  const clone = join(attempt.directory, "a clone");
  run(attempt, attempt.directory, "git", "clone", "--quiet", ROOT, clone);
  return clone;
}

function builtCommand(clone) {
  return ["node", join(clone, "dist", "cli", "main.js")];
}

function installedCommand(attempt, modules, binaries) {
  attempt.modules = modules;
  return [join(binaries, BIN)];
}

function driverFromRegistry({ needsDriver, driver }) {
  return needsDriver && driver === null ? [`${DRIVER}@${DRIVER_VERSION}`] : [];
}

function run({ environment }, directory, file, ...args) {
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    cwd: directory,
    env: environment,
    encoding: "utf8",
    shell: process.platform === "win32",
    maxBuffer: 64 << 20,
  });
  if (status === 0) return stdout;
  throw new Error(`${file} ${args[0]} ended with ${status ?? error?.message}: ${(stdout + stderr).slice(-3000)}`);
}

/** Tries one method with one Node.js and npm. Returns the cell of the table. */
async function tryWay(name, { toolchain, tarball, driver, tests, workshop }) {
  const directory = realpathSync(mkdtempSync(join(workshop, "a folder ")));
  const environment = {
    ...process.env,
    ...toolchain.environment,
    ...(toolchain.needsDriver && driver !== null ? { NODE_PATH: dirname(driver) } : {}),
    npm_config_cache: join(directory, "cache"),
    XDG_CACHE_HOME: join(directory, "cache"),
  };
  const attempt = { directory, environment, tarball, tests, driver, needsDriver: toolchain.needsDriver, modules: null };
  const begin = performance.now();
  try {
    const command = WAYS[name](attempt);
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    const size = attempt.modules === null ? "" : `, ${sizeOf(attempt.modules)}`;
    if (name === "no scripts" && toolchain.needsDriver && driver === null) return await expectAdvice(command, attempt);
    const done = await useProgram(command, directory, environment);
    console.error(`${toolchain.title}, ${name}: ${done.join(", ")}`);
    return { isGood: true, text: `${seconds} s${size}` };
  } catch (error) {
    console.error(`${toolchain.title}, ${name}: ${error.message}`);
    return { isGood: false, text: "fails" };
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Without install scripts, a Node.js that needs the driver does not get it: the program must print the command. */
async function expectAdvice(command, { directory, environment }) {
  const said = await useProgram(command, directory, environment).then(
    () => "nothing",
    (error) => error.message,
  );
  if (said.includes(`${DRIVER}@${DRIVER_VERSION}`))
    return { isGood: true, text: "names the command that brings the driver" };
  throw new Error(`unexpected output: ${said}`);
}

/** `1 package, 6.3 MB` */
function sizeOf(modules) {
  const names = readdirSync(modules).filter((name) => !name.startsWith("."));
  const files = names.flatMap((name) =>
    readdirSync(join(modules, name), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
  );
  const bytes = files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  return `${names.length} package${names.length === 1 ? "" : "s"}, ${(bytes / 1e6).toFixed(1)} MB`;
}

/**
 * A Node.js with an npm: directories with `node`, `npm` and `npx` for the beginning of PATH. Null for the current
 * ones.
 */
function toolchainOf(node, npm, workshop) {
  const bin = mkdtempSync(join(workshop, "bin-"));
  if (node !== null) {
    symlinkSync(node, join(bin, "node"));
    const cli = npm ?? "";
    writeFileSync(join(bin, "npm"), `#!/bin/sh\nexec node '${cli}' "$@"\n`, { mode: 0o755 });
    writeFileSync(join(bin, "npx"), `#!/bin/sh\nexec node '${join(dirname(cli), "npx-cli.js")}' "$@"\n`, {
      mode: 0o755,
    });
  }
  const include = node === null ? null : resolve(dirname(node), "..", "include");
  const environment = {
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    // Headers of this Node.js, if included: otherwise node-gyp would use those of another version.
    ...(include !== null && existsSync(include) && !node.startsWith("/usr")
      ? { npm_config_nodedir: dirname(include) }
      : {}),
  };
  const ask = (file, ...args) =>
    run({ environment: { ...process.env, ...environment } }, workshop, file, ...args).trim();
  const [nodeVersion, npmVersion] = [ask("node", "--version"), ask("npm", "--version")];
  const [major, minor] = nodeVersion.slice(1).split(".").map(Number);
  const needsDriver = major < 24 || (major === 24 && minor < 16);
  return { title: `Node.js ${nodeVersion.slice(1)}, npm ${npmVersion}`, environment, needsDriver };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    node: { type: "string", multiple: true, default: [] },
    npm: { type: "string", multiple: true, default: [] },
    way: { type: "string", multiple: true, default: Object.keys(WAYS).filter((name) => name !== EXECUTABLE) },
    tarball: { type: "string" },
    driver: { type: "string" },
  },
});
const workshop = realpathSync(mkdtempSync(join(tmpdir(), "archivetool-installations-")));
try {
  const packed = join(workshop, "a tarball.tgz");
  if (values.tarball === undefined) {
    mkdirSync(join(workshop, "packed"));
    run(
      { environment: process.env },
      ROOT,
      "npm",
      "pack",
      "--ignore-scripts",
      "--pack-destination",
      join(workshop, "packed"),
    );
    cpSync(join(workshop, "packed", readdirSync(join(workshop, "packed"))[0]), packed);
  } else cpSync(values.tarball, packed);
  const pairs =
    values.node.length === 0
      ? [[null, null]]
      : values.node.flatMap((node) => values.npm.map((npm) => [resolve(node), resolve(npm)]));
  const lines = [`| | ${values.way.join(" | ")} |`, `|---|${values.way.map(() => "---|").join("")}`];
  let isGood = true;
  for (const [node, npm] of pairs) {
    const toolchain = toolchainOf(node, npm, workshop);
    const cells = [];
    for (const way of values.way) {
      const setting = {
        toolchain,
        tarball: packed,
        driver: values.driver === undefined ? null : resolve(values.driver),
        tests: positionals,
        workshop,
      };
      const cell = await tryWay(way, setting);
      isGood &&= cell.isGood;
      cells.push(cell.text);
    }
    lines.push(`| ${toolchain.title} | ${cells.join(" | ")} |`);
  }
  console.log(lines.join("\n"));
  process.exitCode = isGood ? 0 : 1;
} finally {
  rmSync(workshop, { recursive: true, force: true, maxRetries: 3 });
}
