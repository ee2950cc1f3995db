// Runs all commands of README.md in an empty directory with an empty HOME, and prints their times: node
// scripts/follow-readme.mjs checkout|tarball|executable… [--driver DIRECTORY] `checkout` clones and runs `npm run
// demo`; `tarball` installs globally; `executable` builds one, which needs Node.js 26. --driver uses better-sqlite3
// from a directory instead of the registry, if Node.js needs it.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { fetchText, useServer } from "./used-program.mjs";

const ROOT = resolve(import.meta.dirname, "..");
/** Milliseconds per command on a busy machine. */
const PATIENCE_MS = 600_000;
const POLL_MS = 100;
/** Seconds to read an endless stream. */
const STREAM_SECONDS = 3;
/** The first Node.js that can build an executable. */
const EXECUTABLE_NODE = 26;
/** Working directory of the program. */
const PLATFORMS = { linux: "Linux", win32: "Windows", darwin: "macOS", docker: "Docker" };
/** Files in the commands, and the sample mail that replaces them. */
const NAMED_FILES = {
  "~/Downloads/takeout.zip": "greta-halvorsen.mbox",
  "new.mbox": "greta-halvorsen.mbox",
  "mail.mbox": "greta-halvorsen.mbox",
};

/** Commands in the code blocks of a page, except checks that CI runs anyway. */
function commandsOf(page) {
  return Array.from(page.matchAll(/^```(?:sh)?\n([\s\S]*?)^```$/gm), ([, block]) => block.split("\n"))
    .flat()
    .map((line) => line.replace(/^\$ /, "").replace(/\s+# .*$/, ""))
    .filter((line) => /^(?:npm run|archivetool|curl) /.test(line));
}

/** Installs the program in each way: prepares the directory, and returns the command. */
const WAYS = {
  checkout({ folder, run }) {
    run("git", "clone", "--quiet", ROOT, folder);
    return ["node", join("dist", "cli", "main.js")];
  },
  tarball({ folder, run }) {
    const packed = join(folder, "packed");
    mkdirSync(packed);
    spawnSync("npm", ["pack", "--ignore-scripts", "--pack-destination", packed], { cwd: ROOT });
    const prefix = join(folder, "installed");
    run("npm", "install", "--global", "--prefix", prefix, join(packed, readdirSync(packed)[0]));
    return [join(prefix, "bin", "archivetool")];
  },
  executable({ folder, run }) {
    const file = join(folder, "archivetool");
    run("npm", "--prefix", ROOT, "run", "executable", "--", file);
    return [file];
  },
};

/** Splits a command line into words, respecting quotation marks. */
function wordsOf(line, home) {
  return Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, bare]) => quoted ?? bare.replace(/^~/, home));
}

/** Copies the sample mail to the path in a command. */
async function placeFiles(line, { folder, home }) {
  for (const [name, example] of Object.entries(NAMED_FILES)) {
    if (!line.includes(name)) continue;
    const source = join(folder, "demo-output", "source", example);
    const path = name.startsWith("~") ? join(home, name.slice(2)) : join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (!name.endsWith(".zip")) copyFileSync(source, path);
    else await zipInto(path, source);
  }
}

/** A zip with the file names of Google Takeout. */
async function zipInto(path, source) {
  const { ZipFile } = await import("yazl");
  const { createWriteStream } = await import("node:fs");
  const { pipeline } = await import("node:stream/promises");
  const zip = new ZipFile();
  zip.addFile(source, "Takeout/Mail/All mail.mbox");
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
}

/** Follows the README for one installation method. */
async function follow(way, driver) {
  const workshop = realpathSync(mkdtempSync(join(tmpdir(), "archivetool-readme-")));
  const [folder, home] = [join(workshop, "folder"), join(workshop, "home")];
  for (const directory of [folder, home]) mkdirSync(directory);
  const environment = {
    ...process.env,
    HOME: home,
    XDG_CACHE_HOME: join(home, ".cache"),
    npm_config_cache: join(home, ".npm"),
    ...(driver === null ? {} : { NODE_PATH: dirname(driver) }),
  };
  const begin = performance.now();
  const run = (file, ...args) => {
    const options = { cwd: folder, env: environment, encoding: "utf8", timeout: PATIENCE_MS, maxBuffer: 64 << 20 };
    const { status, stdout, stderr, error } = spawnSync(file, args, options);
    if (status !== 0) throw new Error(`${file} ${args.join(" ")}: ${status ?? error?.message}: ${stderr || stdout}`);
    return stdout;
  };
  try {
    const command = WAYS[way]({ folder, run });
    if (way !== "checkout")
      spawnSync("node", ["--import", "tsx", join("examples", "generate.ts"), join(folder, "demo-output", "source")], {
        cwd: ROOT,
      });
    const lines = commandsOf(readFileSync(join(ROOT, "README.md"), "utf8"));
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at];
      if (way !== "checkout" && line.startsWith("npm ")) continue;
      const [program, ...args] = wordsOf(line, home);
      await placeFiles(line, { folder, home });
      const started = performance.now();
      if (["open", "serve", "service"].includes(args[0])) {
        const server = { command, directory: folder, environment };
        await useServer(server, args, async (url) => {
          await (args[0] === "open" ? extracted(url) : fetchText(url));
          for (; lines[at + 1]?.startsWith("curl "); at++) {
            const [, ...request] = wordsOf(lines[at + 1], home);
            await placeFiles(lines[at + 1], { folder, home });
            readStream(request, { folder, environment });
          }
        });
      } else if (program === "archivetool") run(command[0], ...command.slice(1), ...args);
      else run(program, ...args);
      console.log(`${way}: ${seconds(started)} s  ${line}`);
    }
    console.log(`${way}: ${seconds(begin)} s  in total`);
  } finally {
    rmSync(workshop, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Waits until `open` has read the mail and shows it. */
async function extracted(url) {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await fetch(`${url}/api/status`).catch(() => null);
    if (answer?.ok && (await answer.json()).dataset.messages > 0) return;
    if (performance.now() > deadline) throw new Error("open does not show the messages");
    await pause(POLL_MS);
  }
}

/** Runs an HTTP request of the README; an endless stream is stopped after some seconds, which curl reports as 28. */
function readStream(request, { folder, environment }) {
  const isEndless = request.includes("-N");
  const limit = isEndless ? ["--max-time", String(STREAM_SECONDS)] : [];
  const { status, stderr } = spawnSync("curl", ["--fail", "--silent", "--show-error", ...limit, ...request], {
    cwd: folder,
    env: environment,
    encoding: "utf8",
  });
  if (status !== 0 && !(isEndless && status === 28)) throw new Error(`curl ${request.join(" ")}: ${stderr}`);
}

const seconds = (since) => ((performance.now() - since) / 1000).toFixed(1);

const { values, positionals } = parseArgs({ allowPositionals: true, options: { driver: { type: "string" } } });
const ways = positionals.length === 0 ? Object.keys(WAYS) : positionals;
const left = [];
for (const way of ways) {
  if (!(way in WAYS)) throw new Error(`unknown way ${way}; known: ${Object.keys(WAYS).join(", ")}`);
  if (way === "executable" && Number.parseInt(process.versions.node, 10) < EXECUTABLE_NODE)
    left.push(`the executable, which takes Node.js ${EXECUTABLE_NODE}`);
  else await follow(way, values.driver === undefined ? null : resolve(values.driver));
}
const others = Object.entries(PLATFORMS).flatMap(([platform, name]) => (platform === process.platform ? [] : [name]));
console.log(`Node.js ${process.versions.node}. Not tested: ${[...left, ...others].join(", ")}`);
