import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ENVELOPE_CASES, FILE_CASES, MAC_CASES, SERIES_CASES } from "./outlook-report-items.ts";
import { ATTACHMENT_CASES, HTML_CASES, TEXT_CASES } from "./outlook-report-messages.ts";

/** Public bug reports about readers of Outlook files, reproduced with the writers of these tests. */
const REPORTS = join(
  process.env["ARCHIVETOOL_DATA"] ?? resolve(import.meta.dirname, "../../../shared/data"),
  "reports",
  "outlook.tsv",
);

interface Row {
  readonly id: string;
  readonly expected: string;
}

function rows(): readonly Row[] {
  if (!existsSync(REPORTS)) return [];
  const [, ...lines] = readFileSync(REPORTS, "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const [id, , , , expected] = line.split("\t");
    return { id: id!, expected: expected! };
  });
}

const scratch = mkdtempSync(join(tmpdir(), "outlook-reports-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const CASES = new Map([
  ...HTML_CASES,
  ...TEXT_CASES,
  ...ATTACHMENT_CASES,
  ...ENVELOPE_CASES,
  ...FILE_CASES,
  ...SERIES_CASES,
  ...MAC_CASES,
]);

describe.skipIf(rows().length === 0)("reports about readers of Outlook's files", () => {
  it.each(rows())("$id: $expected", async ({ id, expected }) => {
    const reported = CASES.get(id);
    if (reported === undefined) throw new Error(`no input is built for ${id}`);
    const { result, matcher } = await reported({ expected, directory: mkdtempSync(join(scratch, "case-")) });
    expect(result).toEqual(matcher ?? expected);
  });
});
