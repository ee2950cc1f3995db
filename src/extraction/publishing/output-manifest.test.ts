import { mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sealTree } from "../../files/checksummed-files.ts";
import { findChanges, findDamage, listedFiles, MANIFEST_FILE, manifestText } from "./output-manifest.ts";

/** Milliseconds, longer than the timestamp resolution of any file system. */
const CLOCK_STEP_MS = 20;

const { signal } = new AbortController();
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "archivetool-manifest-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const place = (path: string): string => join(directory, path);

it("finds files that changed after the list, even with a forged time", async () => {
  for (const name of ["a.md", "b.md", "c.md", "d.md", "e.md", "provenance.json"])
    writeFileSync(place(name), "as it was");
  const files = listedFiles(await sealTree(directory, signal));
  const { atime, mtime } = statSync(place("b.md"));
  writeFileSync(place("moved"), "As it was");
  utimesSync(place("moved"), atime, mtime);
  writeFileSync(place(MANIFEST_FILE), manifestText(files));
  await setTimeout(CLOCK_STEP_MS);
  renameSync(place("moved"), place("b.md"));
  utimesSync(place("c.md"), atime, new Date());
  writeFileSync(place("d.md"), "as it is not");
  rmSync(place("e.md"));
  writeFileSync(place("provenance.json"), "of a later run");
  const changes = await findChanges(directory, files, signal);
  expect(changes).toEqual([
    { path: "b.md", what: "changed" },
    { path: "d.md", what: "changed" },
    { path: "e.md", what: "missing" },
  ]);
  expect(await findDamage(directory, files, signal)).toEqual(changes);
});

it("does not read unchanged files", async () => {
  writeFileSync(place("a.md"), "as it was");
  const sealed = (await sealTree(directory, signal)).map((file) => ({ ...file, sha256: "of other bytes" }));
  const files = listedFiles(sealed);
  expect(await findChanges(directory, files, signal)).toEqual([{ path: "a.md", what: "changed" }]);
  writeFileSync(place(MANIFEST_FILE), manifestText(files));
  expect(await findChanges(directory, files, signal)).toEqual([]);
  expect(await findDamage(directory, files, signal)).toEqual([{ path: "a.md", what: "changed" }]);
});
