import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { emptyWorkDirectory } from "./work-directory.ts";

describe("the directory a bench works in", () => {
  let parent: string;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), "archivetool-work-"));
  });
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  test("is created, and emptied when a bench runs again", () => {
    const work = join(parent, "new", "work");
    emptyWorkDirectory(work);
    const made = readdirSync(work);
    writeFileSync(join(work, "output.txt"), "of the last run");
    emptyWorkDirectory(work);
    expect(readdirSync(work)).toEqual(made);
  });

  test("may be an empty one of the user", () => {
    emptyWorkDirectory(parent);
    expect(readdirSync(parent)).toHaveLength(1);
  });

  test("is rejected if it contains other files", () => {
    const mail = join(parent, "1.eml");
    writeFileSync(mail, "Subject: the only copy\n\n");
    expect(() => emptyWorkDirectory(parent)).toThrow(/name a new directory/);
    expect(existsSync(mail)).toBe(true);
  });
});
