// Before the tests: the program of dist/ as the sources have it. Threads and processes that tests start are those of
// dist/, which takes a fifth of the CPU of compiling them in each: so it must not be older than what is tested.
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { bundleClients } from "../scripts/bundle-clients.mjs";
import { bundleProgram } from "../scripts/bundle-program.mjs";
import { run } from "../scripts/run.mjs";

/** Builds what was never built, and the program or what runs in browsers alone where one of its sources is newer. */
export async function setup() {
  const built = join("dist", "cli", "main.js");
  if (!existsSync(built)) return run("node", [join("scripts", "build.mjs")]);
  if (isOlder(join("dist", "web", "manifest.json"), (path) => CLIENTS.test(path))) await bundleClients("dist");
  if (!isOlder(built, (path) => path.endsWith(".ts"))) return;
  rmSync(join("dist", "parts"), { recursive: true, force: true });
  await bundleProgram("dist");
}

/** Rooms of what runs in browsers. */
const CLIENTS = /^(?:web|graph-view|outputs.graph-page.client)\b.*\.(?:tsx?|css)$/;

/** @param isSource tells the sources of a file by their paths below `src/` */
function isOlder(built, isSource) {
  const { mtimeMs } = statSync(built);
  return readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((path) => isSource(path) && !path.endsWith(".test.ts"))
    .some((path) => statSync(join("src", path)).mtimeMs > mtimeMs);
}
