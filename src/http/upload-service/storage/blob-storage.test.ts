import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FakeS3 } from "../../../../test/fake-s3.ts";
import type { UploadRecord } from "../../../mail/uploads.ts";
import type { BlobStore } from "../../blobs/blob-store.ts";
import { openS3Store } from "../../blobs/s3-store.ts";
import { bindToBlobs, type DataDirectory, openDataDirectory, RESUMABLE_MAX_AGE_MS } from "../base/data-directory.ts";
import { BlobStorage, blobStoreId } from "./blob-storage.ts";

const ID = "upload-axof4tkbypg5";
const MAIL = "From a\n\na letter\n";
/** Names longer than a tar header allows, in two alphabets. */
const LONG = `${"quay-".repeat(30)}\u00fc\u4e2d.md`;
const PLENTY = 2 ** 40;

const never = new AbortController().signal;
let fake: FakeS3;
let root: string;
let blobs: BlobStore;
let known: UploadRecord | null;
let count = 0;
beforeAll(async () => {
  fake = await FakeS3.start();
});
afterAll(() => fake.close());

function recordOf(changes: Partial<UploadRecord>): UploadRecord {
  return {
    uploadId: ID,
    filename: "mail.mbox",
    sizeBytes: MAIL.length,
    sha256: createHash("sha256").update(MAIL).digest("hex"),
    status: "running",
    phase: null,
    createdAt: 0,
    startedAt: null,
    completedAt: null,
    error: null,
    counts: null,
    sourcePath: null,
    discardsOriginals: false,
    added: [],
    adding: null,
    ...changes,
  };
}

/** A service with a separate directory. */
function serviceIn(
  name: string,
  freeBytes = PLENTY,
): { readonly directory: DataDirectory; readonly storage: BlobStorage } {
  const directory = openDataDirectory(join(root, name));
  const catalog = { get: async () => known };
  return {
    directory,
    storage: new BlobStorage({
      directory,
      blobs,
      catalog,
      freeBytes: async () => freeBytes,
      diskMarginBytes: 1 << 20,
    }),
  };
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

async function keepMail({ directory, storage }: ReturnType<typeof serviceIn>): Promise<string> {
  const path = directory.incomingFile(ID);
  writeFileSync(path, MAIL);
  await storage.keepSource(ID, { id: null, path, sizeBytes: MAIL.length }, never);
  return path;
}

async function keys(): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { key } of blobs.list("")) found.push(key);
  return found.sort();
}

describe("uploads of services that share no disk", () => {
  beforeEach(async () => {
    count++;
    root = mkdtempSync(join(tmpdir(), "archivetool-storage-"));
    blobs = await openS3Store(fake.place(`test-${count}/`));
    known = recordOf({});
  });
  afterEach(() => {
    blobs.close();
    rmSync(root, { recursive: true, force: true });
  });

  it("copies an upload from one service to another, once for concurrent requests", async () => {
    const [one, two] = [serviceIn("one"), serviceIn("two")];
    const received = await keepMail(one);
    expect(existsSync(received)).toBe(true);
    const asked = Array.from({ length: 5 }, () => two.storage.bringSources(recordOf({}), never));
    expect(await Promise.all(asked)).toEqual([true, true, true, true, true]);
    expect(readdirSync(two.directory.uploadDirectory(ID))).toEqual(["source"]);
    expect(readFileSync(join(two.directory.sourceDirectory(ID), "mail.mbox"), "utf8")).toBe(MAIL);
  });

  it("downloads no missing or replaced source", async () => {
    const [one, two] = [serviceIn("one"), serviceIn("two")];
    expect(await two.storage.bringSources(recordOf({}), never)).toBe(false);
    await keepMail(one);
    const asked = two.storage.bringSources(recordOf({ sha256: "another" }), never);
    await expect(asked).rejects.toMatchObject({ code: "SOURCE_CHANGED" });
    expect(readdirSync(two.directory.uploadDirectory(ID))).toEqual([]);
  });

  it("downloads no source that exceeds the free space", async () => {
    await keepMail(serviceIn("one"));
    const full = serviceIn("full", 1 << 20);
    await expect(full.storage.bringSources(recordOf({}), never)).rejects.toMatchObject({ code: "DISK_FULL" });
    expect(readdirSync(full.directory.uploadDirectory(ID))).toEqual([]);
  });

  it("removes a source above the limit while a connection or file is open", async () => {
    await keepMail(serviceIn("one"));
    const store = blobs;
    let ends = 0;
    async function* watched(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      try {
        yield* bytes;
      } finally {
        ends++;
      }
    }
    blobs = Object.assign(Object.create(store) as BlobStore, {
      get: async (key: string, signal: AbortSignal) => {
        const found = await store.get(key, signal);
        return found === null ? null : { ...found, bytes: watched(found.bytes) };
      },
    });
    const asked = serviceIn("full", 1 << 20).storage.bringSources(recordOf({}), never);
    await expect(asked).rejects.toMatchObject({ code: "DISK_FULL" });
    expect(ends).toBe(1);
    expect(await serviceIn("two").storage.bringSources(recordOf({}), never)).toBe(true);
    expect(ends).toBe(2);
    blobs = store;
  });

  it("downloads archive and cache unchanged", async () => {
    const [one, two] = [serviceIn("one"), serviceIn("two")];
    const large = "a line of a large file\n".repeat(40_000);
    const files = { "archive.db": large, ".list.json": "{}", [`wiki/emails/${LONG}`]: "long", "wiki/empty.md": "" };
    for (const [name, content] of Object.entries(files)) write(join(one.directory.archiveDirectory(ID), name), content);
    write(join(one.directory.cacheDirectory(ID), "graph.json"), "[]");
    write(join(one.directory.cacheDirectory(ID), "wiki.zip.1.tmp"), "half");
    await one.storage.keepArchive(ID, never);
    known = recordOf({ status: "completed" });
    await Promise.all([two.storage.bringArchive(ID), two.storage.bringArchive(ID)]);
    for (const [name, content] of Object.entries(files))
      expect(readFileSync(join(two.directory.archiveDirectory(ID), name), "utf8")).toBe(content);
    expect(readdirSync(two.directory.cacheDirectory(ID))).toEqual(["graph.json"]);
    expect(readdirSync(two.directory.uploadDirectory(ID)).sort()).toEqual(["archive", "cache"]);
  });

  it("downloads nothing of an upload deleted before or during the download", async () => {
    const [one, two] = [serviceIn("one"), serviceIn("two")];
    await expect(two.storage.bringArchive(ID)).rejects.toMatchObject({ code: "NOT_FOUND" });
    write(join(one.directory.archiveDirectory(ID), "archive.db"), "an archive");
    write(join(one.directory.cacheDirectory(ID), "graph.json"), "[]");
    await one.storage.keepArchive(ID, never);
    known = null;
    await expect(two.storage.bringArchive(ID)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(readdirSync(two.directory.uploads)).toEqual([]);
  });

  it.each([
    ["completed", false, ["archive.tar", "source"]],
    ["completed", true, ["archive.tar"]],
    ["failed", false, []],
    ["cancelled", false, []],
    ["queued", true, ["archive.tar", "source"]],
    ["running", true, ["archive.tar", "source"]],
  ] as const)("keeps %s uploads (discarding: %s): %j", async (status, discardsOriginals, kept) => {
    const { storage, directory } = serviceIn("one");
    await keepMail({ storage, directory });
    for (const part of [directory.archiveDirectory(ID), directory.cacheDirectory(ID)]) write(join(part, "a"), "a");
    await storage.keepArchive(ID, never);
    await storage.tidy(recordOf({ status, discardsOriginals }));
    const expected = kept.map((name) => `uploads/${ID}/${name}`);
    expect(await keys()).toEqual(expected);
    known = recordOf({ status, discardsOriginals });
    await storage.tidyAll(Date.now() + RESUMABLE_MAX_AGE_MS + 60_000);
    expect(await keys()).toEqual(expected);
    await storage.remove(ID);
    expect(await keys()).toEqual([]);
  });

  it("keeps files that another service may be writing, and files of others", async () => {
    const { storage, directory } = serviceIn("one");
    const id = await blobStoreId(blobs, "11111111-2222-3333-4444-555555555555");
    await keepMail({ storage, directory });
    known = null;
    await storage.tidyAll(Date.now());
    expect(await keys()).toEqual(["service.id", `uploads/${ID}/source`]);
    await storage.tidyAll(Date.now() + RESUMABLE_MAX_AGE_MS + 60_000);
    expect(await keys()).toEqual(["service.id"]);
    expect(await blobStoreId(blobs, "another")).toBe(id);
  });
});

describe("a directory of copies", () => {
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), "archivetool-storage-"));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it("belongs to one store", () => {
    const directory = openDataDirectory(join(root, "copies"));
    bindToBlobs(directory, "one");
    bindToBlobs(openDataDirectory(join(root, "copies")), "one");
    expect(() => bindToBlobs(directory, "two")).toThrowError(expect.objectContaining({ code: "OUTPUT_NOT_OURS" }));
  });

  it("is rejected if a service stores its only uploads there", () => {
    for (const name of ["catalogue.db", "service.id"]) {
      write(join(root, name, name), "");
      const directory = openDataDirectory(join(root, name));
      expect(() => bindToBlobs(directory, "one")).toThrowError(expect.objectContaining({ code: "OUTPUT_NOT_OURS" }));
    }
  });
});
