import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newUpload } from "../../../../test/new-upload.ts";
import type { UploadCounts } from "../../../mail/uploads.ts";
import type { UploadCatalog } from "../../contract/upload-catalog.ts";
import { openDatabase } from "../database/database.ts";
import { openUploadCatalog } from "./upload-catalog.ts";

const COUNTS: UploadCounts = { messages: 3, contacts: 2, threads: 1, topics: 1, calendarEvents: 0, attachments: 4 };
const SECRET = "correct-horse-battery";

let directory: string;
let path: string;
const open: UploadCatalog[] = [];

/** A catalog whose log contains status and id. */
function openOne(): UploadCatalog {
  const catalog = openUploadCatalog(path, ({ uploadId, status }) => JSON.stringify({ uploadId, status }));
  open.push(catalog);
  return catalog;
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "archivetool-catalog-"));
  path = join(directory, "catalogue.db");
});

afterEach(async () => {
  for (const catalog of open.splice(0)) await catalog.close();
  rmSync(directory, { recursive: true, force: true });
});

describe("a catalog of uploads in a file", () => {
  it.each(["complete", "fail", "cancel"] as const)(
    "erases the password from the files when a job ends by %s, and not before",
    async (end) => {
      const catalog = openOne();
      await catalog.add(
        newUpload("a", { options: { redact: [], password: SECRET, maxMessages: null, discardsOriginals: true } }),
      );
      await catalog.claim(1);
      await catalog.requeue("a", true);
      expect((await catalog.claim(2))?.options.password).toBe(SECRET);
      const holdsSecret = (): boolean => ["", "-wal"].some((suffix) => readFileSync(path + suffix).includes(SECRET));
      expect(holdsSecret()).toBe(true);
      if (end === "complete") await catalog.complete("a", COUNTS, 3);
      else if (end === "fail") await catalog.fail("a", { code: "DISK_FULL", message: "" }, 3);
      else await catalog.cancel("a", 3);
      expect(holdsSecret()).toBe(false);
    },
  );

  it("is closed to other users", async () => {
    await openOne().add(newUpload("a"));
    for (const suffix of ["", "-wal", "-shm"]) expect(statSync(path + suffix).mode & 0o077, suffix).toBe(0);
  });

  it("reads the uploads of the first version, which kept no originals", async () => {
    await openOne().close();
    open.pop();
    // Earlier versions do not seal.
    rmSync(`${path}.sha256`);
    const old = openDatabase(path, {});
    for (const column of ["discard_originals", "added_sources", "next_sources", "redact_words"])
      old.exec(`ALTER TABLE uploads DROP COLUMN ${column}`);
    for (const table of ["tokens", "grants", "state", "audit"]) old.exec(`DROP TABLE access_${table}`);
    old.exec(
      "INSERT INTO uploads(id, filename, size_bytes, sha256, status, created_at, redact) VALUES ('old', 'a.mbox', 1, 'x', 'completed', 1, '[]')",
    );
    old.pragma("user_version = 1");
    old.close();
    expect(await openOne().get("old")).toMatchObject({ filename: "a.mbox", discardsOriginals: true });
    await open.pop()?.close();
    expect((await openOne().get("old"))?.discardsOriginals).toBe(true);
    expect(await open[0]?.access.hasTokens()).toBe(false);
  });

  it("rejects files of other programs and versions", async () => {
    writeFileSync(path, "no database at all, but long enough to be taken for one ".repeat(10));
    expect(() => openOne()).toThrowError(expect.objectContaining({ code: "NOT_AN_ARCHIVE" }));
    rmSync(path);
    await openOne().close();
    open.pop();
    // user_version is stored big-endian at byte 60 of the file.
    const bytes = readFileSync(path);
    bytes.writeUInt32BE(99, 60);
    writeFileSync(path, bytes);
    rmSync(`${path}.sha256`);
    expect(() => openOne()).toThrowError(expect.objectContaining({ code: "ARCHIVE_VERSION" }));
  });
});
