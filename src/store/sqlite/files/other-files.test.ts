import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { modelMessage } from "../../../../test/archive-model.ts";
import { SAMPLE_RECORD, sampleArchives } from "../../../../test/sample-rows.ts";
import { writeSample } from "../../../../test/stored-sample.ts";
import { ArchiveError } from "../../../errors.ts";
import { messageId } from "../../../mail/records/ids.ts";
import { openArchive } from "../../archive/open-archive.ts";
import { growArchive } from "../../archive/write-archive.ts";
import { archiveAt } from "../../contract/archive-location.ts";
import { sqliteDriver } from "../driver/sqlite-driver.ts";
import { createSqliteArchive, growSqliteArchive } from "../writing/archive-writer.ts";

describe("a file that this version did not finish", () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "archivetool-other-"));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it("reads an archive of the first version, which knew no differences of copies, and adds nothing to it", async () => {
    const path = join(directory, "first.db");
    const sample = fc.sample(sampleArchives, { numRuns: 1, seed: 5 })[0]!;
    const writer = createSqliteArchive(path);
    await writeSample(writer, sample);
    await writer.makeSearch();
    await writer.finish();
    const database = sqliteDriver()(path, {});
    database.exec("DROP INDEX occurrences_by_id");
    for (const column of ["other_id", "sha256", "differs"])
      database.exec(`ALTER TABLE occurrences DROP COLUMN ${column}`);
    database.exec("DELETE FROM meta WHERE k = 'store:sealed-runs'");
    database.pragma("user_version = 1");
    database.close();
    const archive = await openArchive(archiveAt(path));
    const last = sample.messages.at(-1)!;
    const places = last.occurrences.map(({ source, mailbox, location }) => ({ source, mailbox, location }));
    expect(await archive.messages.get(messageId(last.ordinal))).toEqual({ ...modelMessage(last), occurrences: places });
    expect((await archive.provenance()).options).toMatchObject({ keepCopies: false });
    for (const query of ["budget", "in:inbox", "id:1@example.org", "cc:bob"]) await archive.search.search(query, 10);
    await archive.close();
    const refused = { code: "ARCHIVE_VERSION", message: expect.stringContaining(path) as string };
    expect(() => growSqliteArchive(path)).toThrow(expect.objectContaining(refused));
    // The name is that of the archive that somebody has, not of the copy that would have grown.
    const copy = { file: join(directory, "copy.db") };
    await expect(growArchive(archiveAt(path), copy)).rejects.toThrow(expect.objectContaining(refused));
  });

  it("refuses what is no archive, what another version wrote, and what a stopped run left", async () => {
    const path = (name: string) => join(directory, name);
    writeFileSync(path("text"), "Return-Path: <a@b>\n".repeat(500));
    writeFileSync(path("empty"), "");
    const other = sqliteDriver()(path("other"), {});
    other.exec("CREATE TABLE t(x)");
    other.close();
    for (const [name, change] of [
      ["stopped", "DELETE FROM meta"],
      ["newer", "PRAGMA user_version = 99"],
      ["newest", "PRAGMA user_version = 99"],
    ] as const) {
      const writer = createSqliteArchive(path(name));
      await writer.setRecord(SAMPLE_RECORD);
      await writer.finish();
      const database = sqliteDriver()(path(name), {});
      database.exec(change);
      database.close();
    }
    for (const name of ["text", "other", "stopped"]) {
      await expect(openArchive(archiveAt(path(name))), name).rejects.toThrow(
        expect.objectContaining({ code: "NOT_AN_ARCHIVE" }),
      );
    }
    await expect(openArchive(archiveAt(path("empty")))).rejects.toThrow(
      expect.objectContaining({ code: "ARCHIVE_DAMAGED" }),
    );
    await expect(openArchive(archiveAt(path("newer")))).rejects.toThrow(
      expect.objectContaining({ code: "ARCHIVE_VERSION" }),
    );
    await expect(openArchive(archiveAt(path("missing")))).rejects.toThrow(
      expect.objectContaining({ code: "SOURCE_NOT_FOUND" }),
    );
    expect(() => growSqliteArchive(path("text"))).toThrow(expect.objectContaining({ code: "NOT_AN_ARCHIVE" }));
    expect(() => growSqliteArchive(path("newest"))).toThrow(expect.objectContaining({ code: "ARCHIVE_VERSION" }));
    expect(() => createSqliteArchive(join(directory, "no-such-directory", "x"))).toThrow(ArchiveError);
  });
});
