import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UNFINISHED_SUFFIX } from "../../../files/durable-files.ts";
import type { UploadRecord } from "../../../mail/uploads.ts";
import type { UploadCatalog } from "../../../store/contract/upload-catalog.ts";
import { type DataDirectory, openDataDirectory, RESUMABLE_MAX_AGE_MS } from "./data-directory.ts";
import { tidyDataDirectory, tidyUpload } from "./upload-files.ts";

const ID = "upload-axof4tkbypg5";
const BYTES = "From a\n\nevery piece was acknowledged";

let root: string;
let directory: DataDirectory;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "archivetool-tidy-"));
  directory = openDataDirectory(join(root, "data"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const tidy = (known: Partial<UploadRecord> | null, now = Date.now(), isOwn = true): Promise<void> =>
  tidyDataDirectory(directory, { get: () => known } as unknown as UploadCatalog, { now, isOwn });

/** A service that ended right after it moved the bytes. */
function moved(): void {
  mkdirSync(directory.sourceDirectory(ID), { recursive: true });
  writeFileSync(join(directory.sourceDirectory(ID), "mail.mbox"), BYTES);
}

describe("files of a killed service", () => {
  it("keep a resumable upload that was moved but is not in the catalog", async () => {
    writeFileSync(directory.incomingState(ID), "{}");
    moved();
    await tidy(null);
    expect(readFileSync(directory.incomingFile(ID), "utf8")).toBe(BYTES);
    expect(existsSync(directory.incomingState(ID))).toBe(true);
    expect(readdirSync(directory.uploads)).toEqual([]);
  });

  it("removes an upload that cannot be continued", async () => {
    moved();
    await tidy(null);
    expect([...readdirSync(directory.incoming), ...readdirSync(directory.uploads)]).toEqual([]);
  });

  it("removes pieces of a completed upload", async () => {
    writeFileSync(directory.incomingState(ID), "{}");
    moved();
    await tidy({ uploadId: ID, status: "queued", sourcePath: null, filename: "mail.mbox", added: [], adding: null });
    expect(readdirSync(directory.incoming)).toEqual([]);
    expect(readFileSync(join(directory.sourceDirectory(ID), "mail.mbox"), "utf8")).toBe(BYTES);
  });

  it("removes a resumable upload after days without activity", async () => {
    writeFileSync(directory.incomingState(ID), "{}");
    writeFileSync(directory.incomingFile(ID), BYTES);
    await tidy(null, Date.now() + RESUMABLE_MAX_AGE_MS + 1000);
    expect(readdirSync(directory.incoming)).toEqual([]);
  });

  it("removes unfinished files of a cache, except one that is being written", async () => {
    const cache = directory.cacheDirectory(ID);
    mkdirSync(cache, { recursive: true });
    for (const name of [`wiki.zip.1${UNFINISHED_SUFFIX}`, "graph.json"]) writeFileSync(join(cache, name), BYTES);
    const upload = { uploadId: ID, status: "completed", sourcePath: null, filename: "mail.mbox", added: [] } as const;
    const known = { ...upload, adding: null } as unknown as UploadRecord;
    await tidyUpload(directory, known);
    expect(readdirSync(cache).sort()).toEqual(["graph.json", `wiki.zip.1${UNFINISHED_SUFFIX}`]);
    const days = Date.now() / 1000 - RESUMABLE_MAX_AGE_MS / 1000 - 60;
    utimesSync(join(directory.uploads, ID), days, days);
    // Another service may be writing it.
    await tidy(known, Date.now(), false);
    expect(readdirSync(cache).sort()).toEqual(["graph.json", `wiki.zip.1${UNFINISHED_SUFFIX}`]);
    await tidy(known);
    expect(readdirSync(cache)).toEqual(["graph.json"]);
  });
});
