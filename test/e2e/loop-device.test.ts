import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { readManifest } from "../../src/extraction/publishing/output-manifest.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { LETTERS, rawMessage, writeMbox } from "./fixture-mail.ts";

/** Seconds between the end of a run and the power cut; POWER_CUTS sets others. */
const CUTS = (process.env["POWER_CUTS"] ?? "0,1").split(",").map(Number);
const IMAGE_BYTES = 64 << 20;

const scratch = scratchDirectory("loop-device");
const image = join(scratch, "image");
const disk = join(scratch, "disk");
const copy = join(scratch, "copy");
for (const place of [disk, copy]) mkdirSync(place);

const mounted = new Set<string>();
function mount(file: string, place: string): boolean {
  if (spawnSync("mount", ["-o", "loop", file, place]).status !== 0) return false;
  mounted.add(place);
  return true;
}
function unmount(place: string): void {
  spawnSync("umount", [place]);
  mounted.delete(place);
}
afterAll(() => {
  for (const place of [...mounted]) unmount(place);
});

/** A separate file system, if this user may mount one. */
function isMounted(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  writeFileSync(image, "");
  truncateSync(image, IMAGE_BYTES);
  return spawnSync("mkfs.ext4", ["-q", "-F", image]).status === 0 && mount(image, disk);
}

const mail = join(scratch, "mail.mbox");
function writeMail(count: number): void {
  const letter = LETTERS[0]!;
  writeMbox(
    mail,
    Array.from({ length: count }, (_, index) =>
      rawMessage({
        ...letter,
        id: `${index}@harbour.example`,
        from: `p${index % 90}@harbour.example`,
        body: `Letter ${index}`,
      }),
    ),
  );
}

/** Files of an output on a disk that differ from its list of files. */
function lostFiles(output: string): readonly string[] {
  const files = readManifest(output) ?? [];
  expect(files.length).toBeGreaterThan(50);
  const isLost = (path: string, sha256: string | undefined): boolean => {
    const whole = join(output, path);
    if (sha256 === undefined) return statSync(whole).size === 0;
    return createHash("sha256").update(readFileSync(whole)).digest("hex") !== sha256;
  };
  return files.filter(({ path, seal }) => isLost(path, seal?.sha256)).map(({ path }) => path);
}

/**
 * After a power cut, the loop device contains what its image contains: the rest is in the memory of the system.
 */
describe.skipIf(!isMounted())("a power failure on a separate file system", () => {
  it.each([
    ["after a first run", 200, []],
    ["after a run over an earlier output", 300, []],
    ["after a further run", 400, ["--incremental"]],
  ] as const)("loses nothing %s", async (_when, count, flags) => {
    writeMail(count);
    const run = archivetool("extract", mail, "-o", join(disk, "output"), ...flags);
    expect(run.exitCode, run.stderr).toBe(0);
    const doneAt = performance.now();
    for (const seconds of CUTS) {
      await pause(Math.max(0, seconds * 1000 - (performance.now() - doneAt)));
      copyFileSync(image, `${image}-${seconds}`);
    }
    for (const seconds of CUTS) {
      expect(mount(`${image}-${seconds}`, copy)).toBe(true);
      const output = join(copy, "output");
      expect(lostFiles(output), `cut ${seconds} s after it was done`).toEqual([]);
      expect(archivetool("stats", output).stdout).toMatch(new RegExp(`Emails: +${count}\n`));
      expect(archivetool("extract", mail, "-o", output, "--incremental").stdout).toContain("Nothing new");
      unmount(copy);
      rmSync(`${image}-${seconds}`);
    }
  });
});
