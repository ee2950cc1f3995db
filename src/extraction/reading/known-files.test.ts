import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Instant } from "../../mail/dates/instant.ts";
import { openMailTree } from "../../sources/maildir/maildir.ts";
import { hashUnit } from "./hash-source.ts";
import { KnownFiles, KnownFilesBuilder } from "./known-files.ts";

const MESSAGE = "From: Ann <ann@site.example>\n\nbody\n";
/** Files are listed this long after they were written. */
const SETTLED_MS = 10_000;

let root = "";
const write = (name: string, text = MESSAGE): void => writeFileSync(join(root, name), text);

/** The files of a listing some time after the last write, and the hashes of those that an earlier run knew. */
async function listed(known: KnownFiles | null, afterMs = SETTLED_MS) {
  const units = [...openMailTree(root).units()];
  const builder = new KnownFilesBuilder((Date.now() + afterMs) as Instant);
  for (const unit of units) builder.add(unit, await hashUnit(unit));
  return { files: new KnownFiles(builder.bytes()), isKnown: units.flatMap((unit) => known?.hashesOf(unit) ?? []) };
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "known-files-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("finds the hashes of unchanged message files, also if others were added or removed", async () => {
  for (const name of ["1.", "2.", "3."]) write(name);
  write("4.", "not a message");
  const { files } = await listed(null);
  expect(files.size).toBe(3);
  rmSync(join(root, "2."));
  write("0.");
  const { isKnown } = await listed(files);
  expect(isKnown.map((sha256) => sha256 !== null)).toEqual([false, true, true, false]);
  const [unit] = [...openMailTree(root).units()];
  expect(isKnown.slice(1, 3)).toEqual((await hashUnit(unit!)).slice(1, 3));
});

it("reads a file again that changed to the same size and date, or changed just before it was listed", async () => {
  for (const name of ["1.", "2."]) write(name);
  const dated = new Date(2001, 4, 14);
  utimesSync(join(root, "1."), dated, dated);
  const { files } = await listed(null);
  write("1.", MESSAGE.replace("body", "bode"));
  utimesSync(join(root, "1."), dated, dated);
  expect((await listed(files)).isKnown.map((sha256) => sha256 !== null)).toEqual([false, true]);
  expect((await listed(null, 0)).files.size).toBe(0);
});
