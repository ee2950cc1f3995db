import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ArchiveError } from "../../errors.ts";
import type { NotebookChange } from "../../mail/notebook.ts";
import { archiveIn, type FileLocation } from "../contract/archive-location.ts";
import { notebookEntries, notebookReader, withNotebook } from "./open-notebook.ts";

let directory: string;
let location: FileLocation;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "archivetool-notebook-"));
  location = archiveIn(directory);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const change = (key: string, revision: number, value: string | null, updatedAt = 1): NotebookChange => ({
  kind: "message",
  key,
  revision,
  value,
  updatedAt,
  author: "ada",
});
const write = (given: NotebookChange) => withNotebook(location, (notebook) => notebook.write(given));
const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    return (error as ArchiveError).code;
  }
  return "";
};

describe("notebook", () => {
  it("is created by the first write, and is a single file when closed", () => {
    expect(notebookEntries(location)).toEqual([]);
    expect(readdirSync(directory)).toEqual([]);
    const entry = write(change("a", 0, '{"n":1}'));
    expect(notebookEntries(location)).toEqual([entry]);
    expect(readdirSync(directory)).toEqual(["notebook.backup.db", "notebook.db"]);
  });

  it("rejects files of other programs and versions", () => {
    const file = join(directory, "notebook.db");
    writeFileSync(file, "no database at all, but long enough to be taken for one ".repeat(10));
    expect(codeOf(() => write(change("a", 0, "1")))).toBe("NOT_AN_ARCHIVE");
    rmSync(file);
    write(change("a", 0, "1"));
    // user_version is stored big-endian at byte 60 of the file.
    const bytes = readFileSync(file);
    bytes.writeUInt32BE(99, 60);
    writeFileSync(file, bytes);
    expect(codeOf(() => notebookEntries(location))).toBe("ARCHIVE_VERSION");
  });

  it("loses no update: a writer must have read the current state", () => {
    const first = write(change("a", 0, "1"))!;
    expect(codeOf(() => write(change("a", 0, "2")))).toBe("NOTEBOOK_CHANGED");
    const second = write(change("a", first.revision, "2"))!;
    expect(codeOf(() => write(change("a", first.revision, null)))).toBe("NOTEBOOK_CHANGED");
    expect(second.revision).toBeGreaterThan(first.revision);
    expect(write(change("a", second.revision, null))).toBeNull();
    // Revisions are unique: an entry that was removed and added again is another one.
    expect(write(change("a", 0, "3"))!.revision).toBeGreaterThan(second.revision + 1);
  });

  it("imports newer entries, all or none", () => {
    write(change("old", 0, "mine", 10));
    write(change("new", 0, "mine", 30));
    const carried = (key: string) => ({ kind: "message", key, value: "theirs", updatedAt: 20, author: null }) as const;
    const merged = withNotebook(location, (notebook) => notebook.merge(["old", "new", "other"].map(carried)));
    expect(merged).toEqual({ taken: 2, kept: 1 });
    expect(notebookEntries(location).map(({ key, value }) => [key, value])).toEqual([
      ["new", "mine"],
      ["old", "theirs"],
      ["other", "theirs"],
    ]);
    const broken = [carried("fourth"), { ...carried("fifth"), value: null as unknown as string }];
    expect(() => withNotebook(location, (notebook) => notebook.merge(broken))).toThrow();
    expect(notebookEntries(location)).toHaveLength(3);
  });

  it("is read again after a write, and is hidden from users without permission", () => {
    const read = notebookReader(location);
    expect(read(0)).toBeNull();
    write(change("a", 0, "1"));
    const first = read(0)!;
    expect(first.entries).toHaveLength(1);
    expect(read(first.revision)).toBeNull();
    write(change("b", 0, "1"));
    expect(read(first.revision)!.entries).toHaveLength(2);
    const hidden = notebookReader({ ...location, isNotebookHidden: true });
    expect([hidden(0), hidden(first.revision)]).toEqual([null, { revision: 0, entries: [] }]);
  });

  it("changes several entries with their current revisions", () => {
    write(change("a", 0, "1"));
    const edited = (value: string | null): string | null => (value === null ? "new" : null);
    const edit = () =>
      withNotebook(location, (notebook) =>
        notebook.edit("message", ["a", "b"], { updatedAt: 1, author: null, edited }),
      );
    expect(edit()).toBe(2);
    expect(notebookEntries(location).map(({ key, value }) => [key, value])).toEqual([["b", "new"]]);
  });
});
