#!/usr/bin/env node
/**
 * Entry of `archivetool`: starts the program, and prints one line if it cannot be loaded. Node opens all files of a
 * program at once, and would print its loader's stack if the system allows too few open files.
 */
import { writeSync } from "node:fs";
import { builtFile } from "../built-files.ts";
import { TOOL_VERSION } from "../version.ts";

const TOO_MANY_FILES: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE"]);
const VERSION_FLAGS: ReadonlySet<string | undefined> = new Set(["-V", "--version"]);
const STDOUT = 1;
/** Commands that the build bundles into one file (`COMMAND_BUNDLES`). */
const BUNDLES: ReadonlyMap<string | undefined, string> = new Map([
  ["search", "cli/search.js"],
  [undefined, "cli/help.js"],
  ["help", "cli/help.js"],
  ["--help", "cli/help.js"],
  ["-h", "cli/help.js"],
]);

/** Returns false if the output cannot be written, which the program reports. */
function printsVersion(): boolean {
  try {
    writeSync(STDOUT, `${TOOL_VERSION}\n`);
    return true;
  } catch {
    return false;
  }
}

async function start(args: readonly string[]): Promise<void> {
  if (args.length === 1 && VERSION_FLAGS.has(args[0]) && printsVersion()) return;
  const bundle = BUNDLES.get(args[0]);
  await (bundle === undefined ? import("./main.ts") : import(builtFile(bundle).href));
}

start(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof Error) || !("code" in error) || !TOO_MANY_FILES.has(error.code)) throw error;
  process.exitCode = 1;
  process.stderr.write("archivetool: too many open files\nhint: raise the limit: ulimit -n 1024\n");
});
