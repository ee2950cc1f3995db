import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SAMPLE_RECORD } from "../../../../test/sample-rows.ts";
import { ArchiveError } from "../../../errors.ts";
import { openArchive } from "../../archive/open-archive.ts";
import { growArchive } from "../../archive/write-archive.ts";
import { archiveAt } from "../../contract/archive-location.ts";
import { OLDEST_VERSION } from "../../tables/archive-tables.ts";
import { sqliteDriver } from "../driver/sqlite-driver.ts";
import { createSqliteArchive, growSqliteArchive } from "../writing/archive-writer.ts";

describe("a file that this version did not finish", () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "archivetool-other-"));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it("rejects an archive of an unsupported version, and suggests another extraction", async () => {
    const path = join(directory, "old.db");
    const writer = createSqliteArchive(path);
    await writer.setRecord(SAMPLE_RECORD);
    await writer.finish();
    const database = sqliteDriver()(path, {});
    database.pragma(`user_version = ${OLDEST_VERSION - 1}`);
    database.close();
    const refused = expect.objectContaining({
      code: "ARCHIVE_VERSION",
      message: expect.stringContaining(path) as string,
      hint: "extract the sources again without --incremental",
    });
    await expect(openArchive(archiveAt(path))).rejects.toThrow(refused);
    expect(() => growSqliteArchive(path)).toThrow(refused);
    // The name is that of the existing archive, not of the file that would have been created.
    const copy = { file: join(directory, "copy.db") };
    await expect(growArchive(archiveAt(path), copy)).rejects.toThrow(refused);
  });

  it("rejects a directory", async () => {
    await expect(openArchive(archiveAt(directory))).rejects.toThrow(
      expect.objectContaining({ code: "NOT_AN_ARCHIVE", message: `${directory} is a directory, not an archive` }),
    );
  });

  it("rejects other files, other versions, and leftovers of a stopped run", async () => {
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
