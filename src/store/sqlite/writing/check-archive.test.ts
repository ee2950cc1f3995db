import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeLargestSample } from "../../../../test/stored-sample.ts";
import { sqliteDriver } from "../driver/sqlite-driver.ts";
import { sealFile } from "../files/file-checksums.ts";
import { createSqliteArchive } from "./archive-writer.ts";
import { checkSqliteArchive } from "./check-archive.ts";

describe("checkSqliteArchive", () => {
  let directory: string;
  let sound: string;
  let changed: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "archivetool-check-"));
    sound = join(directory, "sound.db");
    changed = join(directory, "changed.db");
    await writeLargestSample(createSqliteArchive(sound), 3);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it("reports only what the sample rows lack", () => {
    const kinds = new Set(checkSqliteArchive(sound, dirname(sound)).faults.map((fault) => fault.replace(/\d+/g, "n")));
    // Samples contain arbitrary threads, authors and saved files.
    for (const kind of kinds)
      expect(kind).toMatch(/^counts: n (?:messages of|threads that)|^attachments: \S+ is missing/);
  });

  it.each([
    [
      "a row that is gone",
      "DELETE FROM bodies WHERE id = (SELECT max(id) FROM bodies)",
      /^counts: \d+ of \d+ messages in bodies$/,
    ],
    [
      "a posting list",
      "UPDATE ix_block SET data = CAST(substr(data, 1, length(data) - 1) || x'7f' AS BLOB)",
      /^index: /,
    ],
    [
      "a term that is gone",
      "DELETE FROM ix_block WHERE first = (SELECT max(first) FROM ix_block)",
      /^index: \d+ of \d+ postings/,
    ],
    [
      "the sum of a mailbox",
      "UPDATE mailboxes SET seen = seen + 1",
      /^counts: \d+ mailboxes whose totals do not match/,
    ],
    [
      "a saved attachment",
      "UPDATE attachments SET path = 'wiki/attachments/none.pdf'",
      /^attachments: wiki\/attachments\/none\.pdf is missing/,
    ],
  ])("finds changed %s with correct checksums", (_, sql, fault) => {
    copyFileSync(sound, changed);
    const before = new Set(checkSqliteArchive(sound, dirname(sound)).faults);
    const database = sqliteDriver()(changed, {});
    database.exec(sql);
    database.close();
    sealFile(changed);
    const added = checkSqliteArchive(changed, dirname(changed)).faults.filter((line) => !before.has(line));
    expect(
      added.some((line) => fault.test(line)),
      added.join("\n"),
    ).toBe(true);
  });

  it("finds records that are not counted, and counted ones that are missing", () => {
    copyFileSync(sound, changed);
    const database = sqliteDriver()(changed, {});
    database.exec(
      "INSERT INTO meta(k, v) VALUES ('store:counted-items', '1'); DELETE FROM runs; INSERT INTO runs(record) VALUES ('{}'); DELETE FROM sources",
    );
    const messages = database.prepare("SELECT count(*) FROM messages WHERE source = 0").pluck().get() as number;
    const add = database.prepare(
      "INSERT INTO sources(id, path, format, sha256, size_bytes, seen, kept, duplicate, skipped, failed, calendar_events) VALUES (0, 'a.ics', 'ics', '', 0, ?, ?, 0, 0, 0, 0)",
    );
    add.run(messages + 2, messages + 2);
    const event = database.prepare("INSERT INTO events(id, uid, start_at, record) VALUES (?, '', 0, ?)");
    event.run(900_001, JSON.stringify({ item: { source: 0 } }));
    event.run(900_002, JSON.stringify({ item: null }));
    database.close();
    sealFile(changed);
    const faults = () => checkSqliteArchive(changed, dirname(changed)).faults;
    expect(faults()).toContain(`counts: ${messages + 1} records of a.ics, of which ${messages + 2} were kept`);
    const again = sqliteDriver()(changed, {});
    again.exec("UPDATE sources SET seen = seen - 1, kept = kept - 1");
    again.close();
    sealFile(changed);
    expect(faults().filter((fault) => fault.includes("a.ics"))).toEqual([]);
  });

  it("finds one flipped bit anywhere, and looks at the rest all the same", () => {
    const bytes = readFileSync(sound);
    for (let turn = 0; turn < 24; turn++) {
      const place = Math.floor((turn * (bytes.length - 1)) / 23);
      const flipped = Buffer.from(bytes);
      flipped[place]! ^= 4;
      writeFileSync(changed, flipped);
      expect(checkSqliteArchive(changed, dirname(changed)).faultCount, String(place)).toBeGreaterThan(0);
    }
  });
});
