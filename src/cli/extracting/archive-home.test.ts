import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { archiveHome, archiveName, isUpToDate, type RecordedArchive } from "./archive-home.ts";

const directory = mkdtempSync(join(tmpdir(), "archivetool-home-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const tree = join(directory, "Old Mail.d");
mkdirSync(join(tree, "in"), { recursive: true });
writeFileSync(join(tree, "in", "a.mbox"), "x");
const zip = join(directory, "takeout.tar.gz");
writeFileSync(zip, "x");

it.each([
  [["/x/father.pst"], "father"],
  [[zip], "takeout"],
  [[tree], "Old Mail.d"],
  [["/x/a.mbox", "/x/b.mbox", "/x/c.mbox"], "a-and-2-more"],
  [["/"], "mail"],
])("names the archive of %j %s", (files, name) => expect(archiveName(files)).toBe(name));

it("uses the directory of the same sources, and never one with other content", async () => {
  const base = join(directory, "Archives");
  const recordOf = async (path: string): Promise<RecordedArchive | null> =>
    path.endsWith("-3") ? { sources: [{ path: `${zip}/inner.mbox` }], extractedAt: 0 } : null;
  expect(await archiveHome(base, [zip], recordOf)).toBe(join(base, "takeout"));
  for (const name of ["takeout", "takeout-2", "takeout-3"]) mkdirSync(join(base, name), { recursive: true });
  expect(await archiveHome(base, [zip], recordOf)).toBe(join(base, "takeout"));
  for (const name of ["takeout", "takeout-2", "takeout-3"]) writeFileSync(join(base, name, "file"), "");
  expect(await archiveHome(base, [zip], recordOf)).toBe(join(base, "takeout-3"));
  expect(await archiveHome(base, [join(directory, "else", "takeout.zip")], recordOf)).toBe(join(base, "takeout-4"));
});

it("detects changes by file times", () => {
  const later = Date.now() + 60_000;
  const record = (path: string, extractedAt: number | null): RecordedArchive => ({ sources: [{ path }], extractedAt });
  expect(isUpToDate([tree], record(join(tree, "in", "a.mbox"), later))).toBe(true);
  expect(isUpToDate([tree], record(join(tree, "in", "a.mbox"), null))).toBe(false);
  expect(isUpToDate([tree, zip], record(tree, later))).toBe(false);
  expect(isUpToDate([join(directory, "Old")], record(tree, later))).toBe(false);
  expect(isUpToDate([tree], record(tree, Date.now() - 60_000))).toBe(false);
  expect(isUpToDate([join(directory, "gone")], record(join(directory, "gone"), later))).toBe(false);
  renameSync(zip, join(tree, "new.tar.gz"));
  symlinkSync("/", join(tree, "elsewhere"));
  expect(isUpToDate([tree], record(tree, later))).toBe(false);
});
