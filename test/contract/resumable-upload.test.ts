import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Upload, type UploadOptions } from "tus-js-client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RESUMABLE_MAX_AGE_MS } from "../../src/http/upload-service/base/data-directory.ts";
import { isUploadId } from "../../src/http/upload-service/base/upload-id.ts";
import { buildZip } from "../zip-file.ts";
import {
  type Answer,
  dataTree,
  type IntakeFixture,
  listenForUploads,
  listenOver,
  MAIL,
  MBOX,
  send,
} from "./intake-fixture.ts";

/** Resumable uploads, with the reference client of the protocol and with hand-written requests. */

const MAX_BYTES = 1 << 20;
const BODY = Buffer.alloc(400_000, MBOX);
const TUS = { "tus-resumable": "1.0.0" } as const;

let intake: IntakeFixture;
beforeEach(async () => {
  intake = await listenForUploads();
});
afterEach(() => intake.close());

interface Sent {
  readonly url: string | null;
  readonly error: Error | null;
  readonly uploadIds: readonly string[];
}

/** Sends a file with tus-js-client; resolves when the upload ends, whether it succeeds or fails. */
function upload(body: Buffer, options: Partial<UploadOptions>): Promise<Sent> {
  return new Promise((resolve) => {
    const uploadIds: string[] = [];
    const sending: Upload = new Upload(body, {
      endpoint: `${intake.url}/upload/resumable`,
      metadata: { filename: "box.mbox" },
      retryDelays: [],
      onAfterResponse: (_request, response) => {
        const id = response.getHeader("Upload-Id");
        if (id !== undefined) uploadIds.push(id);
      },
      onSuccess: () => resolve({ url: sending.url, error: null, uploadIds }),
      onError: (error) => resolve({ url: sending.url, error, uploadIds }),
      ...options,
    });
    sending.start();
  });
}

const idOf = (url: string | null): string => (url ?? "").split("/").at(-1) ?? "";

function request(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body: Buffer | string = "",
): Promise<Answer> {
  return send(intake, { method, path, headers: { ...TUS, ...headers } }, (asked) => void asked.end(body));
}

function metadata(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString("base64")}`)
    .join(",");
}

/** Creates an upload without a client library; returns its path. */
async function create(
  length: number,
  values: Readonly<Record<string, string>> = { filename: "box.mbox" },
): Promise<string> {
  const answer = await request("POST", "/upload/resumable", {
    "upload-length": String(length),
    "upload-metadata": metadata(values),
  });
  expect(answer.status).toBe(201);
  return answer.headers.location!;
}

function patch(path: string, offset: number, body: Buffer | string): Promise<Answer> {
  return request(
    "PATCH",
    path,
    { "upload-offset": String(offset), "content-type": "application/offset+octet-stream" },
    body,
  );
}

describe("a resumable upload", () => {
  it.each([
    ["in one piece", {}],
    ["in pieces", { chunkSize: 70_000 }],
    ["with its creation", { uploadDataDuringCreation: true }],
  ])("becomes an upload like any other, sent %s", async (_, options) => {
    const sent = await upload(BODY, {
      ...options,
      metadata: {
        filename: "../Büro.mbox",
        redact: "ip",
        password: "s3cret",
        max_messages: "7",
        filetype: "application/mbox",
      },
    });
    expect(sent.error).toBeNull();
    const uploadId = idOf(sent.url);
    expect(isUploadId(uploadId)).toBe(true);
    expect(sent.uploadIds).toEqual([uploadId]);
    const job = (await intake.catalog.jobsOf("queued"))[0];
    expect(job?.upload).toMatchObject({
      uploadId,
      filename: "Büro.mbox",
      sizeBytes: BODY.length,
      sha256: createHash("sha256").update(BODY).digest("hex"),
      status: "queued",
    });
    expect(job?.options).toEqual({ redact: ["ip"], password: "s3cret", maxMessages: 7, discardsOriginals: true });
    expect(readFileSync(join(intake.directory.sourceDirectory(uploadId), "Büro.mbox")).equals(BODY)).toBe(true);
    expect(readdirSync(intake.directory.incoming)).toEqual([]);
  });

  it("becomes one upload if several send it at once, without an error for any", async () => {
    for (let round = 0; round < 5; round++) {
      const path = await create(BODY.length);
      const cut = round * 90_000;
      if (cut > 0) expect((await patch(path, 0, BODY.subarray(0, cut))).status).toBe(204);
      const asked = Array.from({ length: 12 }, (_, turn) =>
        turn % 3 === 2 ? request("HEAD", path) : patch(path, cut, BODY.subarray(cut)),
      );
      const answers = await Promise.all(asked);
      for (const { status } of answers) expect([200, 204, 400, 404, 409, 410, 423]).toContain(status);
      expect(await intake.catalog.get(idOf(path))).toMatchObject({ sizeBytes: BODY.length, status: "queued" });
      expect(readFileSync(join(intake.directory.sourceDirectory(idOf(path)), "box.mbox")).equals(BODY)).toBe(true);
    }
  });

  it("with rejected content is rejected for all concurrent clients", async () => {
    const path = await create(4096);
    const answers = await Promise.all(Array.from({ length: 8 }, () => patch(path, 0, Buffer.alloc(4096, 0x41))));
    for (const { status } of answers) expect([400, 404, 409, 410, 423]).toContain(status);
    expect(readdirSync(intake.directory.incoming)).toEqual([]);
  });

  it("continues after an interruption", async () => {
    const path = await create(BODY.length);
    const cut = send(
      intake,
      {
        method: "PATCH",
        path,
        headers: {
          ...TUS,
          "upload-offset": "0",
          "content-type": "application/offset+octet-stream",
          "content-length": String(BODY.length),
        },
      },
      async (asked) => {
        asked.write(BODY.subarray(0, 200_000));
        await expect.poll(() => statSync(intake.directory.incomingFile(idOf(path))).size).toBeGreaterThan(0);
        asked.destroy();
      },
    );
    await expect(cut).rejects.toThrow();
    const head = await request("HEAD", path);
    expect(head.status).toBe(200);
    const offset = Number(head.headers["upload-offset"]);
    expect(offset).toBeGreaterThan(0);
    expect(offset).toBeLessThanOrEqual(200_000);
    const sent = await upload(BODY, { uploadUrl: intake.url + path });
    expect(sent.error).toBeNull();
    expect((await intake.catalog.get(idOf(path)))?.sha256).toBe(createHash("sha256").update(BODY).digest("hex"));
  });

  it("survives the end of the service, complete or not", async () => {
    const half = await create(BODY.length);
    expect((await patch(half, 0, BODY.subarray(0, 1000))).status).toBe(204);
    const whole = await create(MBOX.length);
    // All bytes arrived, and the service was killed before it created an upload from them.
    appendFileSync(intake.directory.incomingFile(idOf(whole)), MBOX);
    await intake.stop();
    intake = await listenOver(intake);
    expect((await request("HEAD", half)).headers["upload-offset"]).toBe("1000");
    const head = await request("HEAD", whole);
    expect(head.headers).toMatchObject({ "upload-offset": String(MBOX.length), "upload-length": String(MBOX.length) });
    expect((await intake.catalog.get(idOf(whole)))?.status).toBe("queued");
  });

  it("is reported complete to a client that missed the response, and no longer removed", async () => {
    const path = await create(MBOX.length);
    expect((await patch(path, 0, MBOX)).status).toBe(204);
    expect((await request("HEAD", path)).headers["upload-offset"]).toBe(String(MBOX.length));
    expect(await request("DELETE", path)).toMatchObject({ status: 400, code: "INVALID_QUERY" });
    expect(await intake.catalog.list()).toHaveLength(1);
  });

  it("never shows its password again", async () => {
    const path = await create(100, { filename: "a.mbox", password: "s3cret" });
    const head = await request("HEAD", path);
    expect(head.headers["upload-metadata"]).toBe(metadata({ filename: "a.mbox" }));
  });

  it("is removed when its client requests that", async () => {
    const tree = dataTree(intake);
    const path = await create(BODY.length);
    await patch(path, 0, BODY.subarray(0, 500));
    expect((await request("DELETE", path)).status).toBe(204);
    expect(dataTree(intake)).toEqual(tree);
    expect(await request("HEAD", path)).toMatchObject({ status: 404 });
    expect(await request("DELETE", path)).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  it("expires after its last byte", async () => {
    const path = await create(BODY.length);
    const old = new Date(Date.now() - RESUMABLE_MAX_AGE_MS - 60_000);
    utimesSync(intake.directory.incomingFile(idOf(path)), old, old);
    expect((await request("HEAD", path)).status).toBe(410);
    expect(await patch(path, 0, "From ")).toMatchObject({ status: 410, code: "NOT_FOUND" });
  });

  it("lists its extensions", async () => {
    const answer = await send(intake, { method: "OPTIONS", path: "/upload/resumable" }, (asked) => void asked.end());
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      "tus-version": "1.0.0",
      "tus-extension": "creation,creation-with-upload,expiration,termination",
      "tus-max-size": String(MAX_BYTES),
    });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

describe("a rejected resumable upload", () => {
  it.each([
    ["no length", {}, 400, "INVALID_QUERY"],
    ["a length that is none", { "upload-length": "many" }, 400, "INVALID_QUERY"],
    ["a length sent later", { "upload-defer-length": "1" }, 501, "UNIMPLEMENTED"],
    ["no byte", { "upload-length": "0" }, 400, "SOURCE_EMPTY"],
    ["too many bytes", { "upload-length": String(MAX_BYTES + 1) }, 413, "UPLOAD_TOO_LARGE"],
    ["no name", { "upload-length": "10", "upload-metadata": "filetype YQ==" }, 400, "INVALID_QUERY"],
    ["metadata that is none", { "upload-length": "10", "upload-metadata": "filename ***" }, 400, "INVALID_QUERY"],
    [
      "its name twice",
      { "upload-length": "10", "upload-metadata": "filename YQ==,filename Yg==" },
      400,
      "INVALID_QUERY",
    ],
    [
      "another kind of file",
      { "upload-length": "10", "upload-metadata": metadata({ filename: "a.exe" }) },
      400,
      "UNSUPPORTED_FORMAT",
    ],
    [
      "bad options",
      { "upload-length": "10", "upload-metadata": metadata({ filename: "a.mbox", redact: "names" }) },
      400,
      "INVALID_QUERY",
    ],
    ["another version", { "upload-length": "10", "tus-resumable": "2.0.0" }, 400, "INVALID_QUERY"],
  ] as const)("has %s", async (_, headers, status, code) => {
    const tree = dataTree(intake);
    const given = { "upload-metadata": metadata({ filename: "a.mbox" }), ...headers };
    const answer = await request("POST", "/upload/resumable", given);
    expect(answer).toMatchObject({ status, code });
    expect(dataTree(intake)).toEqual(tree);
  });

  it("has no version of the protocol at all", async () => {
    const answer = await send(
      intake,
      { path: "/upload/resumable", headers: { "upload-length": "10" } },
      (asked) => void asked.end(),
    );
    expect(answer).toMatchObject({ status: 412, code: "INVALID_QUERY" });
  });

  it.each(["nothing", "upload-aaaaaaaaaaaa", "..%2f..%2fcatalogue.db", "%00", "upload-aaaaaaaaaaaa.json"])(
    "is not there: %s",
    async (name) => {
      const tree = dataTree(intake);
      expect((await request("HEAD", `/upload/resumable/${name}`)).status).toBe(404);
      expect(await patch(`/upload/resumable/${name}`, 0, "x")).toMatchObject({ status: 404, code: "NOT_FOUND" });
      expect(await request("DELETE", `/upload/resumable/${name}`)).toMatchObject({ status: 404, code: "NOT_FOUND" });
      expect(dataTree(intake)).toEqual(tree);
    },
  );

  it("rejects another offset, or more bytes than announced; stored bytes stay", async () => {
    const path = await create(1000);
    expect((await patch(path, 0, MBOX)).status).toBe(204);
    const tree = dataTree(intake);
    expect(await patch(path, 3, "x")).toMatchObject({ status: 409, code: "INVALID_QUERY" });
    expect(await patch(path, MBOX.length, Buffer.alloc(5000))).toMatchObject({ status: 413, code: "UPLOAD_TOO_LARGE" });
    expect(dataTree(intake)).toEqual(tree);
    const typeless = await request(
      "PATCH",
      path,
      { "upload-offset": String(MBOX.length), "content-type": "text/plain" },
      "x",
    );
    expect(typeless).toMatchObject({ status: 400, code: "INVALID_QUERY" });
  });

  it("with forbidden content leaves no files", async () => {
    const tree = dataTree(intake);
    const zip = buildZip([{ name: "../evil.eml", content: MAIL }]);
    const wrong = await create(2000, { filename: "a.mbox" });
    expect(await patch(wrong, 0, Buffer.alloc(2000, "\x7fELF"))).toMatchObject({
      status: 400,
      code: "UNSUPPORTED_FORMAT",
    });
    const evil = await create(zip.length, { filename: "a.zip" });
    expect(await patch(evil, 0, zip)).toMatchObject({ status: 400, code: "UNSAFE_ARCHIVE" });
    expect((await request("HEAD", evil)).status).toBe(404);
    const sent = await upload(zip, { metadata: { filename: "a.zip" } });
    expect(sent.error?.message).toContain("UNSAFE_ARCHIVE");
    expect(dataTree(intake)).toEqual(tree);
    expect(await intake.catalog.list()).toEqual([]);
  });

  it("without free space keeps received bytes", async () => {
    await intake.close();
    let free = 10 ** 9;
    intake = await listenForUploads({ freeBytes: async () => free });
    free = 1000;
    const refused = await request("POST", "/upload/resumable", {
      "upload-length": "5000",
      "upload-metadata": metadata({ filename: "a.mbox" }),
    });
    expect(refused).toMatchObject({ status: 507, code: "DISK_FULL" });
    expect(readdirSync(intake.directory.incoming)).toEqual([]);
    free = 10 ** 9;
    const path = await create(MBOX.length);
    free = -1;
    expect(await patch(path, 0, MBOX)).toMatchObject({ status: 507, code: "DISK_FULL" });
    free = 10 ** 9;
    expect((await patch(path, 0, MBOX)).status).toBe(204);
  });

  it("rejects a changed state", async () => {
    const foreign = join(intake.directory.root, "upload-bbbbbbbbbbbb.json");
    writeFileSync(foreign, "{}");
    expect((await request("HEAD", "/upload/resumable/..%2Fupload-bbbbbbbbbbbb")).status).toBe(404);
    expect(existsSync(foreign)).toBe(true);
  });
});
