import { describe, expect, test } from "vitest";
import { createdFileLines } from "./created-files.ts";

describe("created files", () => {
  test("a list on many pages is one line, and so is a directory of pages", () => {
    const files = [
      "archive.db",
      "emails/all-0002.md",
      "emails/all-0003.md",
      "emails/all.md",
      "emails/inbox.md",
      "wiki/topics/topic-000.md",
      "wiki/topics/topic-001.md",
    ];
    expect(createdFileLines(files)).toEqual([
      "archive.db",
      "emails/all.md to emails/all-0003.md (3 pages)",
      "emails/inbox.md",
      "wiki/topics/ (2 files)",
    ]);
  });

  test("the last page has the greatest number", () => {
    const files = ["emails/all-10000.md", "emails/all-9998.md", "emails/all-9999.md", "emails/all.md"];
    expect(createdFileLines(files)).toEqual(["emails/all.md to emails/all-10000.md (4 pages)"]);
  });

  test("a file with a similar name has a separate line", () => {
    expect(createdFileLines(["notes-2001.md"])).toEqual(["notes-2001.md"]);
  });
});
