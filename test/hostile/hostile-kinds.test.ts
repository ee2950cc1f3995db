import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { addsUp, PII_TYPES } from "../../src/mail/records/provenance.ts";
import { extractInline } from "../property/extraction.ts";
import { HOSTILE_KINDS } from "./hostile-kinds.ts";

/** Bytes of each message: enough for some thousand pieces, few enough for a test. The benchmark uses large ones. */
const SIZE = 8 * 1024;

const directory = mkdtempSync(join(tmpdir(), "archivetool-hostile-"));
const mailboxes: string[] = [];
const messages = join(directory, "messages");
mkdirSync(messages);
for (const { name, extension, bytes } of HOSTILE_KINDS) {
  const path = join(extension === "eml" ? messages : directory, `${name}.${extension}`);
  writeFileSync(path, bytes(SIZE));
  if (extension === "mbox") mailboxes.push(path);
}

afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("hostile messages of every kind", () => {
  it("are more than 200, with unique names", () => {
    expect(new Set(HOSTILE_KINDS.map(({ name }) => name)).size).toBe(HOSTILE_KINDS.length);
    expect(HOSTILE_KINDS.length).toBeGreaterThanOrEqual(200);
  });

  it.each([
    ["", []],
    [" and redacted", PII_TYPES],
  ] as const)("are each imported or accounted for in one archive%s", async (_, redact) => {
    const paths = [messages, ...mailboxes];
    const report = await extractInline(paths, join(directory, `output${redact.length}`), { redact });
    expect(report.sources).toHaveLength(paths.length);
    for (const { record } of report.sources) expect(addsUp(record.counts)).toBe(true);
    const { seen, kept, duplicate, failed } = report.sources[0]!.record.counts;
    expect([seen, kept + duplicate, failed]).toEqual([HOSTILE_KINDS.length - mailboxes.length, seen, 0]);
  });
});
