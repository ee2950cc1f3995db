import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { CliResult } from "./cli.ts";

const CLI = resolve(import.meta.dirname, "../../dist/cli/main.js");

/** Root has the capabilities(7) to ignore file permissions; they are removed from the programs started here. */
const OVERRIDES = "-dac_override,-dac_read_search";
const SETPRIV = ["setpriv", `--inh-caps=${OVERRIDES}`, `--bounding-set=${OVERRIDES}`];

/** The command line, started so that file permissions apply even if root runs the tests. */
export function ordinaryCommand(...args: readonly string[]): readonly [program: string, args: string[]] {
  const [program = "", ...rest] = [...(process.getuid?.() === 0 ? SETPRIV : []), process.execPath, CLI, ...args];
  return [program, rest];
}

/** Runs the built command line as a user to whom file permissions apply. */
export function archivetoolAsUser(...args: readonly string[]): CliResult {
  const { status, stdout, stderr } = spawnSync(...ordinaryCommand(...args), { encoding: "utf8", maxBuffer: 64 << 20 });
  return { exitCode: status, stdout, stderr };
}

/** False if file permissions cannot apply: on Windows, and for root without setpriv(1). */
export function arePermissionsBinding(): boolean {
  if (process.platform === "win32") return false;
  const directory = mkdtempSync(join(tmpdir(), "archivetool-permissions-"));
  try {
    const path = join(directory, "secret.mbox");
    writeFileSync(path, "From a@b.example Mon May 14 09:00:00 2001\nSubject: secret\n\n");
    chmodSync(path, 0);
    return archivetoolAsUser("-q", "extract", path, "-o", join(directory, "archive")).exitCode === 1;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
