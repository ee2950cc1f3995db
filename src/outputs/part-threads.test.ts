import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { partRanges } from "./part-ranges.ts";
import { PartThreads } from "./part-threads.ts";

it("divides messages without gaps, into a limited number of parts", () => {
  for (const [total, jobs] of [
    [1, 2],
    [10, 3],
    [100_000, 2],
    [5_000_000, 8],
  ] as const) {
    const ranges = partRanges(total, jobs);
    expect(ranges.length).toBeLessThanOrEqual(64);
    expect(ranges.length).toBeGreaterThanOrEqual(Math.min(total, jobs));
    let next = 0;
    for (const { first, last } of ranges) {
      expect(first).toBe(next);
      next = last + 1;
    }
    expect(next).toBeGreaterThanOrEqual(total);
  }
});

it("throws the error of a thread, and ends the others", async () => {
  const directory = mkdtempSync(join(tmpdir(), "archivetool-parts-"));
  try {
    writeFileSync(join(directory, "archive.db"), "not an archive");
    const threads = new PartThreads({ directory, ranges: partRanges(100, 4), json: true, csv: true }, 2, () => {});
    threads.start(null);
    const parts = async (): Promise<void> => {
      for await (const _ of threads.inOrder()) expect.fail("rendered a part");
    };
    await expect(parts()).rejects.toMatchObject({ code: "NOT_AN_ARCHIVE" });
    await threads.close();
    expect(readdirSync(directory)).toEqual(["archive.db"]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
