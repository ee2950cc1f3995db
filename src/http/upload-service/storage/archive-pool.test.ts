import { expect, it } from "vitest";
import type { Archive } from "../../../mail/archive.ts";
import { ArchivePool, MAX_OPEN_ARCHIVES } from "./archive-pool.ts";

/** A pool that records what it opened and closed. */
function observedShelf() {
  const log: string[] = [];
  const shelf = new ArchivePool(async (uploadId) => {
    log.push(`open ${uploadId}`);
    return { close: async () => void log.push(`close ${uploadId}`) } as Archive;
  });
  return { log, shelf };
}

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `upload-${index}`);
const upload = (uploadId: string, completedAt = 1) => ({ uploadId, completedAt });
const nothing = async (): Promise<void> => undefined;

it("opens an archive once, and closes the one used longest ago", async () => {
  const { log, shelf } = observedShelf();
  for (const name of names(MAX_OPEN_ARCHIVES)) await shelf.lend(upload(name), nothing);
  await shelf.lend(upload("upload-0"), nothing);
  await shelf.lend(upload("another"), nothing);
  expect(log).toEqual([...names(MAX_OPEN_ARCHIVES).map((name) => `open ${name}`), "open another", "close upload-1"]);
  expect(shelf.openCount).toBe(MAX_OPEN_ARCHIVES);
});

it("opens an archive once for concurrent requests", async () => {
  const { log, shelf } = observedShelf();
  await Promise.all([shelf.lend(upload("upload-0"), nothing), shelf.lend(upload("upload-0"), nothing)]);
  expect(log).toEqual(["open upload-0"]);
});

it("closes no archive in use, and closes excess ones on return", async () => {
  const { log, shelf } = observedShelf();
  const all = names(MAX_OPEN_ARCHIVES + 3);
  const ends: (() => void)[] = [];
  const lent = all.map((name) =>
    shelf.lend(upload(name), () => new Promise<void>((resolve) => void ends.push(resolve))),
  );
  expect(shelf.openCount).toBe(all.length);
  await expect.poll(() => ends).toHaveLength(all.length);
  for (const end of ends) end();
  await Promise.all(lent);
  expect(shelf.openCount).toBe(MAX_OPEN_ARCHIVES);
  expect(log.filter((line) => line.startsWith("close"))).toHaveLength(3);
});

it("closes a removed archive after its last reader, and reopens it for the next", async () => {
  const { log, shelf } = observedShelf();
  await shelf.lend(upload("upload-0"), async () => {
    shelf.remove("upload-0");
    expect(log).toEqual(["open upload-0"]);
  });
  expect(log).toEqual(["open upload-0", "close upload-0"]);
  await shelf.lend(upload("upload-0"), nothing);
  expect(log.at(-1)).toBe("open upload-0");
});

it("opens an archive again when mail was added to it, and closes the earlier version first", async () => {
  const { log, shelf } = observedShelf();
  await shelf.lend(upload("upload-0"), nothing);
  await shelf.lend(upload("upload-0", 2), nothing);
  await shelf.lend(upload("upload-0", 2), nothing);
  expect(log).toEqual(["open upload-0", "close upload-0", "open upload-0"]);
});

it("returns an archive after a failure, and closes all at the end", async () => {
  const { log, shelf } = observedShelf();
  await expect(shelf.lend(upload("upload-0"), () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await shelf.lend(upload("upload-1"), nothing);
  await shelf.close();
  expect(log.slice(2).sort()).toEqual(["close upload-0", "close upload-1"]);
});

it("caches no archive that cannot be opened", async () => {
  const shelf = new ArchivePool(async () => {
    throw new Error("damaged");
  });
  await expect(shelf.lend(upload("upload-0"), nothing)).rejects.toThrow("damaged");
  expect(shelf.openCount).toBe(0);
});
