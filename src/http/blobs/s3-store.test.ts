import { randomBytes } from "node:crypto";
import type { S3ClientConfig } from "@aws-sdk/client-s3";
import { ConfiguredRetryStrategy } from "@smithy/core/retry";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { FAKE_KEYS, FakeS3, MAX_ATTEMPTS, type Mishap, type SeenRequest } from "../../../test/fake-s3.ts";
import type { ArchiveError } from "../../errors.ts";
import type { BlobStore } from "./blob-store.ts";
import { openS3Store, PART_BYTES, type S3Place } from "./s3-store.ts";

let fake: FakeS3;
let store: BlobStore;
beforeAll(async () => {
  fake = await FakeS3.start();
});
beforeEach(async () => {
  store = await openS3Store(fake.place("mail/"));
});
afterEach(() => {
  store.close();
  fake.mishap = () => null;
  fake.objects.clear();
  fake.uploads.clear();
  fake.seen.length = 0;
});
afterAll(() => fake.close());

const never = new AbortController().signal;
const LARGE = randomBytes(2 * PART_BYTES + 999);

async function* pieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

const put = (bytes: Buffer, signal = never): Promise<void> =>
  store.put("a", { bytes: pieces(bytes), sizeBytes: bytes.length }, signal);

async function read(from = store): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await from.get("a", never))!.bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Purpose of a request, as the rows below name it. */
function stepOf({ method, query }: SeenRequest): string {
  if (query.has("uploads")) return method === "POST" ? "begin" : "list";
  if (query.has("partNumber")) return `part ${query.get("partNumber")}`;
  if (query.has("uploadId")) return method === "DELETE" ? "abort" : "complete";
  return method;
}

/** Makes the given number of first requests of a step fail. */
function fail(step: string, mishap: Mishap, times = 1): void {
  let left = times;
  fake.mishap = (request) => {
    if (stepOf(request) !== step || left === 0) return null;
    left--;
    return mishap;
  };
}

const steps = (): readonly string[] => fake.seen.map(stepOf);

describe("transient errors are retried", () => {
  const MISHAPS: readonly (readonly [string, Mishap])[] = [
    ["the connection is lost", "lost"],
    ["the answer is lost", "answer lost"],
    ["the server is busy", { status: 503, code: "SlowDown" }],
    ["the server has a fault", { status: 500, code: "InternalError" }],
  ];
  const rows = ["begin", "part 1", "part 3", "complete"].flatMap((step) =>
    MISHAPS.map(([what, mishap]) => [step, what, mishap] as const),
  );

  it.each(rows)("%s: %s", async (step, _what, mishap) => {
    const bytes = LARGE;
    fail(step, mishap);
    await put(bytes);
    expect((await read()).equals(bytes)).toBe(true);
    expect(steps().filter((seen) => seen === step)).toHaveLength(2);
  });

  it.each(MISHAPS)("of a small blob: %s", async (_what, mishap) => {
    fail("PUT", mishap);
    await put(Buffer.from("small"));
    fail("GET", mishap);
    expect(String(await read())).toBe("small");
  });

  it("an error after the status 200", async () => {
    fail("complete", { hidden: "InternalError" });
    const bytes = LARGE;
    await put(bytes);
    expect((await read()).equals(bytes)).toBe(true);
  });

  it("an interrupted download resumes after its last byte", async () => {
    const bytes = randomBytes(3 << 20);
    await put(bytes);
    fake.seen.length = 0;
    fail("GET", { cutAfter: 1 << 20 }, 2);
    expect((await read()).equals(bytes)).toBe(true);
    const ranges = fake.seen.map(({ headers }) => headers.range);
    expect(ranges[0]).toBeUndefined();
    expect(ranges.slice(1).every((range) => /^bytes=\d+-$/.test(range ?? ""))).toBe(true);
  });

  it("an interrupted download is not mixed with a concurrent upload", async () => {
    await put(randomBytes(3 << 20));
    fail("GET", { cutAfter: 1 << 20 });
    const found = await store.get("a", never);
    const bytes = found!.bytes[Symbol.asyncIterator]();
    await bytes.next();
    fake.mishap = () => null;
    await put(randomBytes(3 << 20));
    const rest = async (): Promise<void> => {
      while ((await bytes.next()).done !== true);
    };
    await expect(rest()).rejects.toMatchObject({ code: "BLOBS_UNREACHABLE" });
  });
});

describe("permanent errors", () => {
  it.each(["begin", "part 1", "part 3", "complete"])("leave no parts of an upload: %s", async (step) => {
    await put(Buffer.from("earlier"));
    fail(step, { status: 503, code: "SlowDown" }, 99);
    await expect(put(LARGE)).rejects.toMatchObject({ code: "BLOBS_UNREACHABLE" });
    fake.mishap = () => null;
    expect(String(await read())).toBe("earlier");
    expect(fake.uploads.size).toBe(0);
    expect(steps().filter((seen) => seen === step)).toHaveLength(MAX_ATTEMPTS);
  });

  it("is not requested again", async () => {
    fail("PUT", { status: 403, code: "AccessDenied" }, 99);
    await expect(put(Buffer.from("x"))).rejects.toMatchObject({ code: "BLOBS_UNREACHABLE" });
    expect(steps()).toEqual(["PUT"]);
  });

  it("objects that could not be aborted are removed, on all pages of the list", async () => {
    for (let upload = 0; upload < 7; upload++) {
      fake.mishap = (request) =>
        ["part 1", "abort"].includes(stepOf(request)) ? { status: 403, code: "AccessDenied" } : null;
      await expect(put(LARGE)).rejects.toThrow();
    }
    fake.mishap = () => null;
    expect(fake.uploads.size).toBe(7);
    await store.sweep(Date.now() - 60_000);
    expect(fake.uploads.size).toBe(7);
    await store.sweep(Date.now() + 60_000);
    expect(fake.uploads.size).toBe(0);
  });

  it("reports a lost server after some retries", async () => {
    const resume = await fake.pause();
    const error: ArchiveError = await put(Buffer.from("x")).then(
      () => Promise.reject(new Error("it was put")),
      (thrown: ArchiveError) => thrown,
    );
    await resume();
    expect(error.code).toBe("BLOBS_UNREACHABLE");
    expect(error.hint).toContain("ECONNREFUSED");
    expect(error.message).not.toContain("127.0.0.1");
  });

  it("limits the wait", async () => {
    const patient = await openS3Store(
      fake.place("", { retryStrategy: new ConfiguredRetryStrategy(MAX_ATTEMPTS, () => 60_000) }),
    );
    fail("PUT", "lost", 99);
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stopped")), 50);
    await expect(patient.put("a", { bytes: pieces(Buffer.from("x")), sizeBytes: 1 }, stop.signal)).rejects.toThrow(
      "stopped",
    );
    patient.close();
  });
});

describe("credentials", () => {
  const WRONG: readonly (readonly [string, S3ClientConfig, Partial<S3Place>, string])[] = [
    ["a secret", { credentials: { ...FAKE_KEYS, secretAccessKey: "another/secret" } }, {}, "SignatureDoesNotMatch"],
    ["a key", { credentials: { ...FAKE_KEYS, accessKeyId: "AKANOTHER" } }, {}, "InvalidAccessKeyId"],
    ["a region", { region: "us-east-1" }, {}, "AuthorizationHeaderMalformed"],
    ["a bucket", {}, { bucket: "another" }, "NoSuchBucket"],
  ];

  it.each(WRONG)("report wrong %s by code, without the secret", async (_what, client, place, code) => {
    const wrong = await openS3Store({ ...fake.place("mail/", client), ...place });
    const error = await wrong.get("a", never).then(
      () => Promise.reject(new Error("it was taken")),
      (thrown: ArchiveError) => thrown,
    );
    wrong.close();
    expect(error).toMatchObject({ code: "BLOBS_UNREACHABLE", cause: { name: "S3Fault", code } });
    const printed = JSON.stringify([error.message, error.hint, error.stack, String(error.cause), wrong.name]);
    for (const secret of ["another/secret", ...Object.values(FAKE_KEYS), "what was signed", "Signature="])
      expect(printed).not.toContain(secret);
  });

  it("are renewed by their provider when they expire", async () => {
    let count = 0;
    const credentials = async () => {
      count++;
      return { ...FAKE_KEYS, expiration: new Date(Date.now() + 1) };
    };
    const renewed = await openS3Store(fake.place("mail/", { credentials }));
    for (let times = 0; times < 3; times++) expect(await renewed.get("none", never)).toBeNull();
    renewed.close();
    expect(count).toBeGreaterThanOrEqual(3);
  });

  it("require a region", async () => {
    vi.stubEnv("AWS_REGION", "");
    vi.stubEnv("AWS_CONFIG_FILE", "/nonexistent");
    vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent");
    const { region: _, ...client } = fake.place().client;
    await expect(openS3Store({ ...fake.place(), client })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    vi.unstubAllEnvs();
  });
});

it("keeps only a part of a blob in memory", async () => {
  const [count, size] = [40, 1 << 20];
  let most = 0;
  async function* many(): AsyncGenerator<Uint8Array> {
    for (let index = 0; index < count; index++) {
      yield Buffer.alloc(size, index);
      const taken = index + 1;
      const sent = fake.seen.filter((request) => stepOf(request).startsWith("part")).length * PART_BYTES;
      most = Math.max(most, taken * size - sent);
    }
  }
  await store.put("a", { bytes: many(), sizeBytes: count * size }, never);
  expect(most).toBeLessThanOrEqual(PART_BYTES + size);
  expect(steps()).toEqual(["begin", "part 1", "part 2", "part 3", "part 4", "part 5", "complete"]);
});

it("divides a blob into at most the parts S3 allows", async () => {
  const bytes = randomBytes(PART_BYTES + 5);
  // The announced size is a tenth of a terabyte.
  await store.put("a", { bytes: pieces(bytes), sizeBytes: 100 * 2 ** 30 }, never);
  expect(steps()).toEqual(["PUT"]);
});
