import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { UNIT_FILES_MAX, walkMailTree } from "./maildir/mail-tree.ts";
import { unitsOfTree } from "./maildir/message-files.ts";
import { unitState } from "./unit-state.ts";

const root = mkdtempSync(join(tmpdir(), "unit-state-"));
const FILES = UNIT_FILES_MAX + 2;
const pathOf = (number: number): string => join(root, `${String(number).padStart(4, "0")}.eml`);

beforeEach(() => {
  for (let number = 0; number < FILES; number++)
    writeFileSync(pathOf(number), "From: Ann <ann@site.example>\n\nbody\n");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Current states of the units of the directory. */
function states(): readonly string[] {
  return [...unitsOfTree(root, walkMailTree(root))].map(unitState);
}

it("is equal if nothing changed, and differs for the unit of a changed file", () => {
  const before = states();
  expect(before).toHaveLength(2);
  expect(states()).toEqual(before);
  // Same length and date as before: only the change time differs, which programs cannot set.
  const dated = new Date(2001, 4, 14);
  utimesSync(pathOf(FILES - 1), dated, dated);
  const redated = states();
  writeFileSync(pathOf(FILES - 1), "From: Eve <eve@site.example>\n\nbody\n");
  utimesSync(pathOf(FILES - 1), dated, dated);
  const after = states();
  expect([redated[0], after[0]]).toEqual([before[0], before[0]]);
  expect(new Set([before[1], redated[1], after[1]]).size).toBe(3);
});

it("is that of the listing; later changes appear in the next listing", () => {
  const units = [...unitsOfTree(root, walkMailTree(root))];
  const listed = units.map(unitState);
  writeFileSync(pathOf(0), "From: Ann <ann@site.example>\n\nlonger than before\n");
  rmSync(pathOf(FILES - 1));
  expect(units.map(unitState)).toEqual(listed);
  const after = states();
  expect(after[0]).not.toBe(listed[0]);
  expect(after[1]).not.toBe(listed[1]);
});
