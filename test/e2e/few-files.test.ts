import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchDirectory } from "./cli.ts";

const CLI = resolve(import.meta.dirname, "../../dist/cli/main.js");
const scratch = scratchDirectory("few-files");

/** `ulimit` needs a shell; with fewer than a dozen files, Node.js itself cannot start. */
describe.skipIf(process.platform === "win32")("with a low limit of open files", () => {
  it.each([24, 26, 28, 30, 32, 34])("the commands print the cause and the solution, or succeed: %i", (limit) => {
    for (const args of [
      ["info"],
      ["stats", scratch],
      ["extract", join(scratch, "none.mbox"), "-o", join(scratch, "out")],
    ]) {
      const run = spawnSync("sh", ["-c", `ulimit -n ${limit}; exec "$0" "$@"`, process.execPath, CLI, ...args], {
        encoding: "utf8",
      });
      const isCrowded = /too few files|too many open files/.test(run.stderr);
      if (isCrowded) expect(run.stderr).toMatch(/^archivetool: [^\n]+\nhint: raise the limit: ulimit -n 1024\n$/);
      else expect(run.stderr).not.toMatch(/EMFILE|\n {4}at /);
      expect([0, 1], run.stderr).toContain(run.status);
    }
  });
});
