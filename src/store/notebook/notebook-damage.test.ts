import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { seededRandom } from "../../columns/seeded-random.ts";
import { ArchiveError } from "../../errors.ts";
import { archiveIn, type FileLocation } from "../contract/archive-location.ts";
import { checkNotebook, notebookEntries, notebookReader, withNotebook } from "./open-notebook.ts";

/** Results for a notebook whose file was changed. */

let directory: string;
let location: FileLocation;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "archivetool-notebook-damage-"));
  location = archiveIn(directory);
  file = join(directory, "notebook.db");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const write = (key: string, note: string): unknown =>
  withNotebook(location, (notebook) =>
    notebook.edit("message", [key], {
      ...{ updatedAt: 1, author: "ada" },
      edited: () => JSON.stringify({ tags: ["harbour"], note, review: "open" }),
    }),
  );

/** Result of reading, or its error code. */
function outcome(act: () => unknown): string {
  try {
    return JSON.stringify(act());
  } catch (error) {
    return error instanceof ArchiveError ? error.code : String(error);
  }
}

describe("a damaged notebook", () => {
  it("never shows a wrong note after any bit flip", () => {
    for (let at = 0; at < 40; at++) write(`${at}@quay.example`, `The crane ${at} is due on Tuesday.`);
    const sound = readFileSync(file);
    const expected = outcome(() => notebookEntries(location));
    const random = seededRandom(38);
    const found = new Map<string, number>();
    for (let flip = 0; flip < 200; flip++) {
      // Half of the flipped bits are in the header and the roots of the tables.
      const at = Math.floor(random() * (flip % 2 === 0 ? 512 : sound.length));
      const damaged = Buffer.from(sound);
      damaged[at] = damaged[at]! ^ (1 << Math.floor(random() * 8));
      writeFileSync(file, damaged);
      const read = outcome(() => notebookEntries(location));
      const kind = read === expected ? "same" : read;
      found.set(kind, (found.get(kind) ?? 0) + 1);
      rmSync(`${file}-journal`, { force: true });
    }
    const { same: _, ...refused } = Object.fromEntries(found);
    for (const code of Object.keys(refused)) expect(["ARCHIVE_DAMAGED", "ARCHIVE_VERSION"]).toContain(code);
    expect(refused.ARCHIVE_DAMAGED).toBeGreaterThan(20);
  });

  it("is reported wherever it is truncated, also if it is empty", () => {
    for (let at = 0; at < 20; at++) write(`${at}@quay.example`, "x".repeat(500));
    const sound = readFileSync(file);
    for (const length of [0, 1, 100, 512, 4096, Math.floor(sound.length / 2), sound.length - 1]) {
      writeFileSync(file, sound);
      truncateSync(file, length);
      expect(
        outcome(() => notebookEntries(location)),
        `${length} bytes`,
      ).toMatch(/ARCHIVE_DAMAGED|NOT_AN_ARCHIVE/);
      expect(
        outcome(() => write("new@quay.example", "")),
        `${length} bytes`,
      ).toMatch(/ARCHIVE_DAMAGED|NOT_AN_ARCHIVE/);
      expect(statSync(file).size).toBe(length);
    }
    rmSync(file);
    expect(outcome(() => notebookEntries(location))).toBe("ARCHIVE_DAMAGED");
    expect(existsSync(file)).toBe(false);
  });

  it("is rejected by writers, reported by the check, and restored from its backup", () => {
    write("1@quay.example", "first");
    write("2@quay.example", "second");
    const expected = outcome(() => notebookEntries(location));
    expect(checkNotebook(location)).toEqual({ faultCount: 0, faults: [] });
    const bytes = readFileSync(file);
    bytes[bytes.indexOf("second")] = 0x53;
    writeFileSync(file, bytes);
    for (const act of [
      () => notebookEntries(location),
      () => notebookReader(location)(0),
      () => write("3@quay.example", "third"),
      () => write("2@quay.example", "second again"),
    ])
      expect(outcome(act)).toBe("ARCHIVE_DAMAGED");
    expect(checkNotebook(location)).toMatchObject({ faultCount: 1 });
    copyFileSync(join(directory, "notebook.backup.db"), file);
    expect(outcome(() => notebookEntries(location))).toBe(expected);
    write("3@quay.example", "third");
    expect(notebookEntries(location)).toHaveLength(3);
  });

  it("is read in a read-only directory, with the mode of its archive", () => {
    writeFileSync(location.file, "");
    chmodSync(location.file, 0o640);
    write("1@quay.example", "first");
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(statSync(join(directory, "notebook.backup.db")).mode & 0o777).toBe(0o640);
    chmodSync(file, 0o440);
    chmodSync(directory, 0o500);
    try {
      expect(notebookEntries(location)).toHaveLength(1);
      // The owner decides about the permissions.
      expect(statSync(file).mode & 0o777).toBe(0o440);
    } finally {
      chmodSync(directory, 0o700);
    }
  });
});
