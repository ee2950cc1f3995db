import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LETTERS, rawMessage, writeMaildir, writeMbox } from "../../../../test/e2e/fixture-mail.ts";
import { extractionRequest } from "../../../../test/extraction-request.ts";
import { runExtraction } from "../../../extraction/run/run-extraction.ts";
import { openUploadCatalog } from "../../../store/sqlite/service/upload-catalog.ts";
import { importPaths } from "./import-paths.ts";

const OPTIONS = { redact: ["email"], password: "secret", maxMessages: 3, discardsOriginals: true } as const;
const NEVER = new AbortController().signal;

let scratch: string;
let data: string;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), "archivetool-import-"));
  data = join(scratch, "data");
});

afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const messages = LETTERS.map(rawMessage);

describe("paths that a service extracts in place", () => {
  it("are queued in order with their names and options", async () => {
    writeMbox(join(scratch, "one.mbox"), messages);
    writeMaildir(join(scratch, "Maildir"), messages);
    const paths = [join(scratch, "one.mbox"), join(scratch, "Maildir")];
    const added = await importPaths({ dataDirectory: data, store: null, paths, options: OPTIONS }, NEVER);
    expect(added.map(({ filename, sourcePath, status }) => [filename, sourcePath, status])).toEqual([
      ["one.mbox", paths[0], "queued"],
      ["Maildir", paths[1], "queued"],
    ]);
    const catalog = openUploadCatalog(join(data, "catalogue.db"), () => "");
    const jobs = [await catalog.claim(1), await catalog.claim(1)];
    await catalog.close();
    expect(jobs.map((job) => job?.upload.uploadId)).toEqual(added.map(({ uploadId }) => uploadId));
    expect(jobs[0]?.options).toEqual(OPTIONS);
    expect(readdirSync(join(data, "uploads"))).toEqual([]);
  });

  it.each(["one.mbox", "Maildir"])("have the hash that their extraction will record: %s", async (name) => {
    writeMbox(join(scratch, "one.mbox"), messages);
    writeMaildir(join(scratch, "Maildir"), messages);
    const path = join(scratch, name);
    const [upload] = await importPaths({ dataDirectory: data, store: null, paths: [path], options: OPTIONS }, NEVER);
    const report = await runExtraction(
      extractionRequest([path], join(scratch, "output"), { maxMessages: 1, attachmentText: true }),
    );
    expect(upload?.sha256).toBe(report.sources[0]?.record.sha256);
    expect(upload?.sizeBytes).toBe(report.sources[0]?.record.sizeBytes);
  });

  it("are all rejected if one of them is invalid", async () => {
    writeMbox(join(scratch, "one.mbox"), messages);
    writeFileSync(join(scratch, "picture.png"), "\x89PNG\r\n");
    mkdirSync(join(scratch, "empty"));
    for (const [name, code] of [
      ["picture.png", "UNSUPPORTED_FORMAT"],
      ["missing.mbox", "SOURCE_NOT_FOUND"],
      ["empty", "SOURCE_EMPTY"],
    ] as const) {
      const paths = [join(scratch, "one.mbox"), join(scratch, name)];
      await expect(
        importPaths({ dataDirectory: data, store: null, paths, options: OPTIONS }, NEVER),
      ).rejects.toMatchObject({
        code,
      });
    }
    expect(readdirSync(scratch)).not.toContain("data");
  });

  it("are looked through when they are archives", async () => {
    // A tar with one entry whose path leads out of the directory.
    const header = Buffer.alloc(512);
    header.write("../../escape.eml", 0);
    header.write("0000644\0", 100);
    header.write("00000000000\0", 124);
    header.write("00000000000\0", 136);
    header.write("        0", 148);
    header.write("ustar\x0000", 257);
    header.write(
      `${header
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, "0")}\0 `,
      148,
    );
    writeFileSync(join(scratch, "bad.tar"), Buffer.concat([header, Buffer.alloc(1024)]));
    const paths = [join(scratch, "bad.tar")];
    await expect(
      importPaths({ dataDirectory: data, store: null, paths, options: OPTIONS }, NEVER),
    ).rejects.toMatchObject({
      code: "UNSAFE_ARCHIVE",
    });
  });
});
