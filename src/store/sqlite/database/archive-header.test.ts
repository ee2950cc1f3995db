import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { SAMPLE_RECORD } from "../../../../test/sample-rows.ts";
import { openArchive } from "../../archive/open-archive.ts";
import { archiveAt } from "../../contract/archive-location.ts";
import { createSqliteArchive } from "../writing/archive-writer.ts";

const directory = mkdtempSync(join(tmpdir(), "archivetool-header-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const path = join(directory, "archive.db");
const writer = createSqliteArchive(path);
await writer.setRecord(SAMPLE_RECORD);
await writer.finish();
const whole = readFileSync(path);

it("opens an undamaged file", async () => {
  await (await openArchive(archiveAt(path))).close();
});

it.each([
  ["empty", Buffer.alloc(0), /archive\.db is damaged: it is empty/],
  ["zeros, as a power cut leaves them", Buffer.alloc(whole.length), /starts with zeros/],
  ["cut by a byte, behind its last page", whole.subarray(0, -1), /truncated/],
  ["cut by half", whole.subarray(0, whole.length >> 1), /has \d+ of \d+ bytes/],
  ["nothing but its header", whole.subarray(0, 100), /has 100 of \d+ bytes/],
])("reports a damaged file in one line: %s", async (_what, bytes, message) => {
  writeFileSync(path, bytes);
  await expect(openArchive(archiveAt(path))).rejects.toThrowError(
    expect.objectContaining({ code: "ARCHIVE_DAMAGED", message: expect.stringMatching(message) }),
  );
});
