// Before the tests: the program of dist/ as the sources have it. Threads and processes that tests start are those of
// dist/, which takes a fifth of the CPU of compiling them in each: so it must not be older than what is tested.
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { bundleProgram } from "../scripts/bundle-program.mjs";
import { run } from "../scripts/run.mjs";

/** Builds what was never built, and the program alone where one of its sources is newer. */
export async function setup() {
  const built = join("dist", "cli", "main.js");
  if (!existsSync(built)) return run("node", [join("scripts", "build.mjs")]);
  const { mtimeMs } = statSync(built);
  if (!sources().some((path) => statSync(path).mtimeMs > mtimeMs)) return;
  rmSync(join("dist", "parts"), { recursive: true, force: true });
  await bundleProgram("dist");
}

function sources() {
  return readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((name) => /\.ts$/.test(name) && !name.endsWith(".test.ts"))
    .map((name) => join("src", name));
}
