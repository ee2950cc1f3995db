import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { pathToExtract, sourceLine } from "./extraction-report.ts";

const scratch = mkdtempSync(join(tmpdir(), "report-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

it.each([
  ["a.pst", "a.pst"],
  ["mail.zip/a.pst", "mail.zip"],
  ["mail.zip/2020/a.pst", "mail.zip"],
  ["gone/a.pst", "gone/a.pst"],
])("reads %s again by %s", (path, expected) => {
  for (const name of ["a.pst", "mail.zip"]) writeFileSync(join(scratch, name), "");
  expect(pathToExtract(join(scratch, path))).toBe(join(scratch, expected));
});

it.each([
  [0, "a.pst [pst]: 2 messages, 1 calendar event"],
  [1, "a.pst [pst]: 2 messages, 1 calendar event, 1 duplicate"],
  [2, "a.pst [pst]: 2 messages, 1 calendar event, 2 duplicates"],
])("counts %i duplicates of a source", (duplicate, expected) => {
  const counts = { seen: 3 + duplicate, kept: 3, duplicate, skipped: 0, failed: 0 };
  const record = {
    path: "a.pst",
    format: "pst" as const,
    sha256: "",
    sizeBytes: 1,
    counts,
    calendarEvents: 1,
    mailboxes: [],
  };
  expect(sourceLine({ record, messages: 2, isDamaged: false, isProtected: false })).toBe(expected);
});
