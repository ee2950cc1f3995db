import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { pathToExtract } from "./extraction-report.ts";

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
