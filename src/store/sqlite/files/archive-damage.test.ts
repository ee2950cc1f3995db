import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeLargestSample } from "../../../../test/stored-sample.ts";
import { ArchiveError } from "../../../errors.ts";
import type { Archive } from "../../../mail/archive.ts";
import { openArchive } from "../../archive/open-archive.ts";
import { openSearch } from "../../archive/open-search.ts";
import { openArchiveWithSearchThread } from "../../archive/open-with-search-thread.ts";
import { archiveAt } from "../../contract/archive-location.ts";
import { ONE_QUERY_MEMORY } from "../../contract/reading-memory.ts";
import { sqliteDriver } from "../driver/sqlite-driver.ts";
import { createSqliteArchive, growSqliteArchive } from "../writing/archive-writer.ts";
import { checkFile } from "./file-checksums.ts";

const PAGE = { limit: 50, offset: 0 };
const REFUSALS: ReadonlySet<string> = new Set(["ARCHIVE_DAMAGED", "NOT_AN_ARCHIVE", "ARCHIVE_VERSION"]);

/** Every call that a reader of the archive supports. */
async function answers(archive: Archive): Promise<string> {
  const scanned: unknown[] = [];
  for await (const batch of archive.messages.scan())
    scanned.push(...batch.map((message) => ({ ...message, body: [...message.body] })));
  for await (const batch of archive.contacts.edges()) scanned.push(...batch);
  return JSON.stringify([
    await archive.stats(),
    await archive.provenance(),
    await archive.contacts.list("frequency", PAGE),
    await archive.messages.list("sent_at", PAGE),
    await archive.threads.list(PAGE),
    await archive.topics.list("frequency", 50),
    await archive.search.search("the", 50),
    scanned,
  ]);
}

async function asked(archive: Archive): Promise<string> {
  try {
    return await answers(archive);
  } finally {
    await archive.close();
  }
}

/** The result, or the code of the only error. */
async function outcome(ask: () => Promise<string>): Promise<string> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ArchiveError && REFUSALS.has(error.code)) return error.code;
    throw error;
  }
}

describe("an archive file that is changed since it was written", () => {
  let directory: string;
  let sound: string;
  let broken: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "archivetool-damage-"));
    sound = join(directory, "sound.db");
    broken = join(directory, "broken.db");
    await writeLargestSample(createSqliteArchive(sound), 11);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  /** Offsets spread over the whole file, from its first to its last byte. */
  const places = (count: number): readonly number[] => {
    const { size } = statSync(sound);
    return Array.from({ length: count }, (_, index) => Math.round((index * (size - 1)) / (count - 1)));
  };

  const damages: readonly (readonly [name: string, make: (place: number) => Buffer | number])[] = [
    [
      "one bit flipped",
      (place) => {
        const bytes = readFileSync(sound);
        bytes[place]! ^= 1 << (place % 8);
        return bytes;
      },
    ],
    [
      "a sector of other bytes",
      (place) => {
        const bytes = readFileSync(sound);
        return bytes.fill(0xa5, place, Math.min(bytes.length, place + 512));
      },
    ],
    ["cut off", (place) => place],
  ];

  it("does not end the process if it is truncated while it is open", async () => {
    const expected = await asked(await openArchive(archiveAt(sound)));
    for (const part of [0, 0.25, 0.75]) {
      copyFileSync(sound, broken);
      const archive = await openArchive(archiveAt(broken));
      truncateSync(broken, Math.floor(statSync(sound).size * part));
      const returned = await outcome(async () => asked(archive));
      expect(REFUSALS.has(returned) || returned === expected, `${part}`).toBe(true);
    }
  });

  it.each(damages)("is rejected with %s at any offset, by every reader", async (_, make) => {
    for (const place of places(40)) {
      const made = make(place);
      copyFileSync(sound, broken);
      if (typeof made === "number") truncateSync(broken, made);
      else writeFileSync(broken, made);
      expect(
        REFUSALS.has(await outcome(async () => asked(await openArchive(archiveAt(broken))))),
        `archive, ${place}`,
      ).toBe(true);
      const searched = await outcome(async () => {
        const archive = await openSearch(archiveAt(broken));
        await archive.close();
        return "opened";
      });
      expect(REFUSALS.has(searched), `search, ${place}`).toBe(true);
    }
  });

  it("returns the same results if nothing is damaged, and is also rejected by a server", async () => {
    const expected = await asked(await openArchive(archiveAt(sound)));
    copyFileSync(sound, broken);
    expect(await asked(await openArchive(archiveAt(broken)))).toBe(expected);
    const bytes = readFileSync(sound);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(broken, bytes);
    await expect(openArchiveWithSearchThread(archiveAt(broken))).rejects.toThrow(/is damaged: the megabyte at byte 0/);
  });

  it("is opened for one query without checksums if it is large", async () => {
    const bytes = readFileSync(sound);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(broken, bytes);
    await expect(openSearch(archiveAt(broken), ONE_QUERY_MEMORY)).rejects.toThrow("is damaged");
    const archive = await openSearch(archiveAt(broken), { ...ONE_QUERY_MEMORY, checkedBytes: bytes.length >> 2 });
    await archive.close();
  });

  it("without checksums, as in an earlier version, returns correct results or reports damage", async () => {
    const expected = await asked(await openArchive(archiveAt(sound)));
    const plain = join(directory, "plain.db");
    copyFileSync(sound, plain);
    const database = sqliteDriver()(plain, {});
    database.exec("DELETE FROM meta WHERE k = 'store:sealed-runs'");
    database.close();
    expect(await asked(await openArchive(archiveAt(plain)))).toBe(expected);
    const { size } = statSync(plain);
    let refused = 0;
    for (let page = 0; page * 8192 < size; page++) {
      const bytes = readFileSync(plain);
      bytes.fill(0, page * 8192, Math.min(size, (page + 1) * 8192));
      writeFileSync(broken, bytes);
      if (REFUSALS.has(await outcome(async () => asked(await openArchive(archiveAt(broken)))))) refused++;
    }
    expect(refused).toBeGreaterThan(size / 8192 / 2);
  });

  it("gets new checksums when a run adds to it", async () => {
    copyFileSync(sound, broken);
    const writer = growSqliteArchive(broken);
    expect(checkFile(broken).state).toBe("unsealed");
    await writer.finish();
    expect(checkFile(broken).state).toBe("sound");
    expect(await asked(await openArchive(archiveAt(broken)))).toBe(await asked(await openArchive(archiveAt(sound))));
  });
});
