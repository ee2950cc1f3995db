import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createServiceFixture, type ServiceFixture } from "../../../../test/contract/service-fixture.ts";
import { FakeS3 } from "../../../../test/fake-s3.ts";
import type { UploadRecord } from "../../../mail/uploads.ts";
import type { BlobStore } from "../../blobs/blob-store.ts";
import { openS3Store } from "../../blobs/s3-store.ts";
import { openDataDirectory } from "../base/data-directory.ts";
import { SHARED_PART_BYTES, SharedParts } from "../base/shared-parts.ts";
import { BlobStorage } from "../storage/blob-storage.ts";
import { type Intake, intakeOf } from "./intake.ts";
import { type ResumableState, ResumableStore } from "./resumable-store.ts";

const ID = "upload-axof4tkbypg5";
const PASSWORD = "Kr\u00fcgerrand & Kran 7";
/** Key of the source of an upload in the bucket. */
const SOURCE_KEY = `uploads/${ID}/source`;
const NOT_FOUND = { status_code: 404 };

/** A service whose catalog returns these answers in turn, and which has no bytes left. */
function serviceOf(answers: readonly (Pick<UploadRecord, "filename" | "sizeBytes"> | null)[]): Intake {
  const left = [...answers];
  const incoming = join(tmpdir(), "archivetool-no-such-directory");
  return {
    service: {
      catalog: { get: () => left.shift() ?? null },
      storage: null,
      directory: {
        incoming,
        incomingFile: (id: string) => join(incoming, `${id}.part`),
        incomingState: (id: string) => join(incoming, `${id}.json`),
      },
    },
  } as unknown as Intake;
}

it("finds an upload that another request registers concurrently", async () => {
  const store = new ResumableStore(serviceOf([null, { filename: "a.mbox", sizeBytes: 7 }]));
  expect(await store.getUpload(ID)).toMatchObject({ size: 7, offset: 7 });
});

it("finds no other upload", async () => {
  await expect(new ResumableStore(serviceOf([])).getUpload(ID)).rejects.toMatchObject(NOT_FOUND);
});

describe("over a directory that keeps all files", () => {
  let fixture: ServiceFixture;
  beforeEach(async () => {
    fixture = await createServiceFixture();
  });
  afterEach(() => fixture.remove());

  it("does not find an upload that another service removes while bytes of it come", async () => {
    const mail = mailOf(10_000);
    const remover = new ResumableStore(intakeOf(fixture.service));
    const intake = intakeOf(fixture.service);
    const store = new ResumableStore({
      ...intake,
      async freeBytes(path) {
        if (path.endsWith(".part")) await remover.remove(ID);
        return intake.freeBytes(path);
      },
    });
    await store.begin(ID, stateOf(mail));
    await expect(store.write(Readable.from([mail]), ID, 0)).rejects.toMatchObject(NOT_FOUND);
    expect(readdirSync(fixture.directory.incoming)).toEqual([]);
  });

  it("writes no password down", async () => {
    const store = new ResumableStore(intakeOf(fixture.service));
    await store.begin(ID, stateOf(mailOf(100)));
    expect(readFileSync(fixture.directory.incomingState(ID), "utf8")).not.toContain(PASSWORD);
  });
});

let root: string;
let fake: FakeS3;
let count = 0;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "archivetool-resumable-"));
  fake = await FakeS3.start();
});
afterAll(async () => {
  await fake.close();
  rmSync(root, { recursive: true, force: true });
});

describe("over a bucket, for services without a shared disk", () => {
  let fixture: ServiceFixture;
  let blobs: BlobStore;
  /** Runs before the store's next request with this key and kind. */
  let before: { readonly call: "get" | "list" | "put"; readonly key: RegExp; act(): Promise<void> } | null;
  let one: ResumableStore;
  let two: ResumableStore;

  beforeEach(async () => {
    count++;
    fixture = await createServiceFixture();
    blobs = await openS3Store(fake.place(`test-${count}/`));
    before = null;
    [one, two] = [serviceIn("one", blobs), serviceIn("two", watched(blobs))];
  });
  afterEach(() => {
    blobs.close();
    fixture.remove();
  });

  /** A service with a separate disk. */
  function serviceIn(name: string, kept: BlobStore): ResumableStore {
    const directory = openDataDirectory(join(root, `${name}-${count}`));
    const { catalog } = fixture.service;
    const freeBytes = (): Promise<number> => Promise.resolve(Number.MAX_SAFE_INTEGER);
    const storage = new BlobStorage({ directory, blobs: kept, catalog, freeBytes, diskMarginBytes: 0 });
    return new ResumableStore(intakeOf({ ...fixture.service, directory, storage }));
  }

  function watched(kept: BlobStore): BlobStore {
    const meet = async (call: "get" | "list" | "put", key: string): Promise<void> => {
      const met = before;
      if (met === null || met.call !== call || !met.key.test(key)) return;
      before = null;
      await met.act();
    };
    return {
      name: kept.name,
      async put(key, blob, signal) {
        await meet("put", key);
        return kept.put(key, blob, signal);
      },
      async get(key, signal) {
        await meet("get", key);
        return kept.get(key, signal);
      },
      remove: (key) => kept.remove(key),
      async *list(prefix) {
        await meet("list", prefix);
        yield* kept.list(prefix);
      },
      sweep: (instant) => kept.sweep(instant),
      close: () => kept.close(),
    };
  }

  async function keys(): Promise<readonly string[]> {
    const found: string[] = [];
    for await (const { key } of blobs.list("")) found.push(key);
    return found.sort();
  }

  async function textOf(key: string): Promise<string> {
    const { bytes } = (await blobs.get(key, new AbortController().signal))!;
    let text = "";
    for await (const chunk of bytes) text += Buffer.from(chunk).toString("latin1");
    return text;
  }

  const incomingOf = (name: string): string => join(root, `${name}-${count}`, "incoming");

  it("stores a password readable only by services of its catalog, until the upload is complete", async () => {
    const mail = mailOf(1000);
    await one.begin(ID, stateOf(mail));
    await one.write(Readable.from([mail.subarray(0, 500)]), ID, 0);
    await two.write(Readable.from([mail.subarray(500)]), ID, 500);
    const written = [
      ...(await Promise.all((await keys()).map(textOf))),
      ...["one", "two"].flatMap((name) =>
        readdirSync(incomingOf(name)).map((file) => readFileSync(join(incomingOf(name), file), "latin1")),
      ),
    ];
    expect(written.length).toBeGreaterThan(4);
    for (const text of written)
      for (const secret of [
        PASSWORD,
        Buffer.from(PASSWORD).toString("base64"),
        Buffer.from(PASSWORD).toString("latin1"),
      ])
        expect(text).not.toContain(secret);
    await two.finish(ID);
    expect((await fixture.catalog.jobsOf("queued")).map(({ options }) => options.password)).toEqual([PASSWORD]);
    expect(await keys()).toEqual([SOURCE_KEY]);
  });

  it("continues an upload of an earlier version, and rejects a changed one", async () => {
    const mail = mailOf(1000);
    const parts = new SharedParts(blobs);
    await parts.begin(ID, JSON.stringify(stateOf(mail)));
    await one.write(Readable.from([mail]), ID, 0);
    await one.finish(ID);
    expect((await fixture.catalog.jobsOf("queued")).map(({ options }) => options.password)).toEqual([PASSWORD]);
    const other = "upload-bxof4tkbypg5";
    const sealedPassword = Buffer.alloc(60).toString("base64");
    await parts.begin(other, JSON.stringify({ ...stateOf(mail), sealedPassword }));
    await expect(one.getUpload(other)).rejects.toMatchObject(NOT_FOUND);
  });

  it("accepts bodies in several parts, readable by every service", async () => {
    const mail = mailOf(2.5 * SHARED_PART_BYTES + 12_345);
    await one.begin(ID, stateOf(mail));
    // A body that ends after its first part and half of the second.
    const half = SHARED_PART_BYTES + (SHARED_PART_BYTES >> 1);
    const broken = one.write(breaksOff(mail.subarray(0, half)), ID, 0);
    await expect(broken).rejects.toThrow("the connection broke");
    expect((await two.getUpload(ID)).offset).toBe(half);
    await two.write(Readable.from(inPieces(mail.subarray(half))), ID, half);
    const from = (start: number, end: number): string => `incoming/${ID}/${start}-${end}`;
    expect(await keys()).toEqual(
      [
        from(0, SHARED_PART_BYTES),
        from(SHARED_PART_BYTES, half),
        from(half, half + SHARED_PART_BYTES),
        from(half + SHARED_PART_BYTES, mail.length),
        `incoming/${ID}/state`,
      ].toSorted(),
    );
    const { sha256, sizeBytes } = await one.finish(ID);
    expect([sizeBytes, sha256]).toEqual([mail.length, createHash("sha256").update(mail).digest("hex")]);
    expect(await keys()).toEqual([SOURCE_KEY]);
  });

  it.each([
    ["its parts are fetched", "get", /\/0-600$/],
    ["its parts are listed", "list", /^incoming\//],
    ["a part is put", "put", /\/600-1000$/],
  ] as const)("does not find an upload that is removed at another service when %s", async (_when, call, key) => {
    const mail = mailOf(1000);
    await one.begin(ID, stateOf(mail));
    await one.write(Readable.from([mail.subarray(0, 600)]), ID, 0);
    before = { call, key, act: () => one.remove(ID) };
    await expect(two.write(Readable.from([mail.subarray(600)]), ID, 600)).rejects.toMatchObject(NOT_FOUND);
    expect(before).toBeNull();
    expect(await keys()).toEqual([]);
    for (const name of ["one", "two"]) expect(readdirSync(incomingOf(name))).toEqual([]);
  });

  it("returns no offset for an upload that is removed during the request", async () => {
    const mail = mailOf(1000);
    await one.begin(ID, stateOf(mail));
    await one.write(Readable.from([mail]), ID, 0);
    before = { call: "list", key: /^incoming\//, act: () => one.remove(ID) };
    await expect(two.getUpload(ID)).rejects.toMatchObject(NOT_FOUND);
    await expect(two.finish(ID)).rejects.toMatchObject(NOT_FOUND);
    expect(await fixture.catalog.list()).toEqual([]);
  });

  it("does not remove a completed upload", async () => {
    const mail = mailOf(1000);
    await one.begin(ID, stateOf(mail));
    await one.write(Readable.from([mail]), ID, 0);
    await two.finish(ID);
    await expect(one.remove(ID)).rejects.toMatchObject({ status_code: 400 });
    expect((await fixture.catalog.list()).map(({ uploadId }) => uploadId)).toEqual([ID]);
    expect(await keys()).toEqual([SOURCE_KEY]);
  });
});

function stateOf(mail: Buffer): ResumableState {
  const options = { redact: [], password: PASSWORD, maxMessages: null, discardsOriginals: false };
  return { filename: "mail.mbox", sizeBytes: mail.length, options };
}

/** An mbox of the given size. */
function mailOf(sizeBytes: number): Buffer {
  const head = Buffer.from("From ada@example.example Mon May 14 16:39:00 2001\nSubject: figures\n\n");
  return Buffer.concat([head, randomBytes(sizeBytes - head.length)]);
}

function* inPieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

function breaksOff(bytes: Buffer): Readable {
  return Readable.from(
    (function* () {
      yield* inPieces(bytes);
      throw new Error("the connection broke");
    })(),
  );
}
