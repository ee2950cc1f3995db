import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FakeS3 } from "../../../../test/fake-s3.ts";
import { openS3Store } from "../../blobs/s3-store.ts";
import { SharedParts, withoutGaps } from "./shared-parts.ts";

const scratch = mkdtempSync(join(tmpdir(), "archivetool-shared-parts-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe("parts without gaps", () => {
  it("end at the first gap, with overlaps and in any order", () => {
    const part = fc
      .tuple(fc.nat(30), fc.integer({ min: 1, max: 12 }))
      .map(([start, length]) => ({ start, end: start + length }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (all) => {
        const covered = new Set(
          all.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at)),
        );
        let reach = 0;
        while (covered.has(reach)) reach++;
        const parts = withoutGaps(all);
        expect(parts.at(-1)?.end ?? 0).toBe(reach);
        for (const [at, { start }] of parts.entries())
          expect(start).toBeLessThanOrEqual(at === 0 ? 0 : parts[at - 1]!.end);
      }),
    );
  });
});

describe("shared parts", () => {
  let fake: FakeS3;
  let parts: SharedParts;
  beforeAll(async () => {
    fake = await FakeS3.start();
    parts = new SharedParts(await openS3Store(fake.place("parts/")));
  });
  afterAll(() => fake.close());
  const bytes = randomBytes(5000);

  it("return the bytes from any offset, with overlaps, and their end", async () => {
    const handle = await open(`${scratch}.file`, "w+");
    await handle.write(bytes);
    await parts.begin("upload-a", '{"filename":"a.mbox"}');
    for (const [start, end] of [
      [0, 1000],
      [1000, 1500],
      [1000, 3000],
      [2500, 4000],
      [4500, 5000],
    ] as const)
      await parts.keep("upload-a", handle, { start, end });
    await handle.close();
    rmSync(`${scratch}.file`);
    await expect(parts.state("upload-a")).resolves.toBe('{"filename":"a.mbox"}');
    await expect(parts.progress("upload-a")).resolves.toMatchObject({ end: 4000 });
    for (const [start, end] of [
      [0, 4000],
      [1200, 2700],
      [3999, 4000],
      [700, 700],
    ] as const) {
      const read: Uint8Array[] = [];
      for await (const chunk of parts.bytes("upload-a", start, end)) read.push(chunk);
      expect(Buffer.concat(read).equals(bytes.subarray(start, end))).toBe(true);
    }
  });

  it("are removed with the upload, and when it was abandoned", async () => {
    await parts.begin("upload-b", "{}");
    await expect(parts.removeExpired(Date.now() - 60_000)).resolves.toBe(0);
    await parts.remove("upload-a");
    await expect(parts.state("upload-a")).resolves.toBeNull();
    await expect(parts.progress("upload-a")).resolves.toBeNull();
    await expect(parts.removeExpired(Date.now() + 60_000)).resolves.toBe(1);
    await expect(parts.state("upload-b")).resolves.toBeNull();
  });
});
