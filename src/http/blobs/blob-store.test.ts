import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FakeS3 } from "../../../test/fake-s3.ts";
import type { BlobStore } from "./blob-store.ts";
import { openS3Store, PART_BYTES } from "./s3-store.ts";

let fake: FakeS3;
beforeAll(async () => {
  fake = await FakeS3.start();
});
afterAll(() => fake.close());

/** Files left in the store by writers that died. */
function unfinished(place: string): number {
  return [...fake.uploads.values()].filter(({ key }) => key.startsWith(`${place}/`)).length;
}

/** Bytes in chunks of odd sizes. */
async function* inPieces(bytes: Buffer, size = 70_001): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function* endsWith(bytes: Buffer, end: () => void): AsyncGenerator<Uint8Array> {
  yield* inPieces(bytes);
  end();
}

const never = new AbortController().signal;

let count = 0;

describe("a bucket", () => {
  let place: string;
  let store: BlobStore;
  beforeEach(async () => {
    count++;
    place = `place-${count}`;
    store = await openS3Store(fake.place(`${place}/`));
    return () => store.close();
  });

  const put = (key: string, bytes: Buffer, sizeBytes = bytes.length): Promise<void> =>
    store.put(key, { bytes: inPieces(bytes), sizeBytes }, never);
  const read = async (key: string): Promise<Buffer | null> => {
    const found = await store.get(key, never);
    if (found === null) return null;
    const chunks: Uint8Array[] = [];
    for await (const chunk of found.bytes) chunks.push(chunk);
    expect(found.sizeBytes).toBe(Buffer.concat(chunks).length);
    return Buffer.concat(chunks);
  };
  const keys = async (prefix = ""): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const { key } of store.list(prefix)) found.push(key);
    return found.sort();
  };

  it.each([
    ["nothing", 0],
    ["a little", 1000],
    ["what fills a part", PART_BYTES],
    ["a byte more than a part", PART_BYTES + 1],
    ["several parts", 2 * PART_BYTES + 12_345],
  ])("returns %s", async (_what, size) => {
    const bytes = randomBytes(size);
    await put("uploads/one/source", bytes);
    expect((await read("uploads/one/source"))?.equals(bytes)).toBe(true);
    expect(unfinished(place)).toBe(0);
  });

  it("accepts more or fewer bytes than announced", async () => {
    const bytes = randomBytes(PART_BYTES + 10);
    await put("more", bytes, 3);
    await put("less", bytes, 1 << 30);
    expect((await read("more"))?.equals(bytes)).toBe(true);
    expect((await read("less"))?.equals(bytes)).toBe(true);
  });

  it("is empty under other keys", async () => {
    await put("uploads/one/source", Buffer.from("one"));
    expect(await read("uploads/one/archive")).toBeNull();
    expect(await read("uploads/one")).toBeNull();
    await store.remove("uploads/two/source");
  });

  it("replaces a blob", async () => {
    await put("a", Buffer.from("earlier"));
    const earlier = await store.get("a", never);
    await put("a", Buffer.from("later"));
    expect(String(await read("a"))).toBe("later");
    for await (const chunk of earlier!.bytes) expect(String(chunk)).toBe("earlier");
  });

  it("removes one, and may do so again", async () => {
    await put("uploads/one/source", Buffer.from("one"));
    await put("uploads/one/archive", Buffer.from("two"));
    for (let times = 0; times < 2; times++) await store.remove("uploads/one/source");
    expect(await keys()).toEqual(["uploads/one/archive"]);
    await store.remove("uploads/one/archive");
    expect(await keys()).toEqual([]);
    await put("uploads/one/source", Buffer.from("again"));
    expect(await keys()).toEqual(["uploads/one/source"]);
  });

  it("lists keys by prefix, with their times", async () => {
    const all = Array.from({ length: 8 }, (_, index) => `uploads/${index % 4}/part-${index}`).sort();
    for (const key of ["service.id", ...all]) await put(key, Buffer.from(key));
    expect(await keys()).toEqual(["service.id", ...all]);
    expect(await keys("uploads/")).toEqual(all);
    expect(await keys("uploads/1/")).toEqual(["uploads/1/part-1", "uploads/1/part-5"]);
    expect(await keys("nothing/")).toEqual([]);
    for await (const { putAt } of store.list("")) expect(Math.abs(Date.now() - putAt)).toBeLessThan(60_000);
  });

  it.each([
    ["in the first part", 1000],
    ["behind some parts", 2 * PART_BYTES],
  ])("stores nothing of a stream that fails %s, and keeps the earlier blob", async (_where, size) => {
    await put("a", Buffer.from("earlier"));
    const broken = endsWith(randomBytes(size), () => {
      throw new Error("broken off");
    });
    await expect(store.put("a", { bytes: broken, sizeBytes: size + 1 }, never)).rejects.toThrow("broken off");
    expect(String(await read("a"))).toBe("earlier");
    expect(unfinished(place)).toBe(0);
  });

  it("stores nothing of a canceled upload", async () => {
    const stop = new AbortController();
    const bytes = endsWith(randomBytes(PART_BYTES + 5), () => stop.abort(new Error("stopped")));
    await expect(store.put("a", { bytes, sizeBytes: PART_BYTES + 5 }, stop.signal)).rejects.toThrow("stopped");
    expect(await keys()).toEqual([]);
    expect(unfinished(place)).toBe(0);
  });

  it("stops a download", async () => {
    await put("a", randomBytes(4 << 20));
    const stop = new AbortController();
    const found = await store.get("a", stop.signal);
    const reading = (async () => {
      for await (const _ of found!.bytes) stop.abort(new Error("stopped"));
    })();
    await expect(reading).rejects.toThrow();
  });

  it("removes files of dead writers, and keeps those of running ones", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const bytes = randomBytes(2 * PART_BYTES);
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield* inPieces(bytes);
      await held;
    }
    const putting = store.put("a", { bytes: slow(), sizeBytes: bytes.length }, never);
    await expect.poll(() => unfinished(place)).toBe(1);
    await store.sweep(Date.now() - 60_000);
    expect(unfinished(place)).toBe(1);
    release();
    await putting;
    expect((await read("a"))?.equals(bytes)).toBe(true);
  });

  it("stores nothing of a writer considered dead", async () => {
    async function* late(): AsyncGenerator<Uint8Array> {
      yield* inPieces(randomBytes(2 * PART_BYTES));
      await expect.poll(() => unfinished(place)).toBe(1);
      await store.sweep(Date.now() + 60_000);
      expect(unfinished(place)).toBe(0);
    }
    await expect(store.put("a", { bytes: late(), sizeBytes: 2 * PART_BYTES }, never)).rejects.toThrow();
    expect(await keys()).toEqual([]);
  });

  it.each(["../a", "/a", "a//b", "a/../b", ".a", "a/", "A", "a\\b", "a\0", ""])("rejects the key %j", async (key) => {
    await expect(put(key, Buffer.from("x"))).rejects.toThrow("invalid blob key");
    await expect(store.get(key, never)).rejects.toThrow("invalid blob key");
    await expect(store.remove(key)).rejects.toThrow("invalid blob key");
  });
});
