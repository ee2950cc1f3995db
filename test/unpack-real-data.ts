import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/**
 * Real mail is never part of this repository. If a folder of it exists next to the checkout (or ARCHIVETOOL_DATA names
 * one), it is unpacked once before the tests. Otherwise the tests that need it are skipped and listed.
 */
export function setup(): void {
  const packed = process.env["ARCHIVETOOL_DATA"] ?? resolve(import.meta.dirname, "../../shared/data");
  const script = join(packed, "unpack.sh");
  if (!existsSync(script)) return;
  const target = join(tmpdir(), "archivetool-test-data");
  const unpacked = spawnSync("sh", [script, target], { encoding: "utf8" });
  if (unpacked.status === 0) process.env["ARCHIVETOOL_UNPACKED_DATA"] = target;
  else console.error(`real data not unpacked: ${unpacked.stderr}`);
}
