import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleArchives } from "../../../test/sample-rows.ts";
import { writeSample } from "../../../test/stored-sample.ts";
import { HAS_POSTGRES, SQLITE, testServer } from "../../../test/stores.ts";
import { archiveOnServer, type CollectionLocation, isArchiveThere } from "../contract/archive-location.ts";
import { connect } from "../postgres/client/postgres-client.ts";
import { checkArchive } from "./check-archive.ts";
import { archiveDigests, copyArchive, copyToPlace, unfinishedCopy } from "./copy-archive.ts";
import { openArchive } from "./open-archive.ts";
import { createArchive } from "./write-archive.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "archivetool-copy-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** An archive whose texts contain characters that PostgreSQL rejects. */
async function writeHostile(name: string, count: number) {
  const place = SQLITE.placeIn(directory, name);
  const whole = sampleArchives.filter(({ messages }) => messages.length > 8);
  const sample = fc.sample(whole, { numRuns: 1, seed: 3 })[0]!;
  const messages = sample.messages.slice(0, count).map((message) => ({
    ...message,
    subject: `\0${message.subject}\u0001`,
    location: `offset:${"9".repeat(5000)}`,
    body: Buffer.from([0, 255, 1, 92, 120]),
  }));
  const writer = await createArchive(place);
  await writeSample(writer, { ...sample, messages });
  await writer.setMeta("model", new Uint8Array([0, 1, 2]));
  await writer.makeSearch();
  await writer.finish();
  return place;
}

const collection = (name: string): CollectionLocation => archiveOnServer(testServer().url, name);

describe.skipIf(!HAS_POSTGRES)("copyArchive", () => {
  it("copies every table to PostgreSQL and back unchanged", async () => {
    const place = await writeHostile("there.db", 8);
    const there = collection("there");
    await copyArchive(place, there);
    const back = SQLITE.placeIn(directory, "back.db");
    expect(await copyToPlace(there, back, true)).toMatchObject({ messages: 8 });
    const digests = await archiveDigests(place);
    expect(await archiveDigests(there)).toEqual(digests);
    expect(await archiveDigests(back)).toEqual(digests);
    expect(isArchiveThere(unfinishedCopy(back))).toBe(false);
    // Only a file archive has attachments next to it.
    const faults = (await checkArchive(back)).faults.filter((fault) => !fault.startsWith("attachments"));
    expect((await checkArchive(there)).faults).toEqual(faults);
  });

  it("keeps the earlier archive for readers until the copy is complete, also after a failure", async () => {
    const place = collection("replaced");
    await copyArchive(await writeHostile("two.db", 2), place);
    const reader = await openArchive(place);
    await copyArchive(await writeHostile("five.db", 5), place);
    const later = await openArchive(place);
    const first = await reader.messages.get("msg-000002");
    expect([(await reader.messages.list("sent_at", { limit: 9, offset: 0 })).items.length, first?.id]).toEqual([
      2,
      "msg-000002",
    ]);
    expect((await later.messages.list("sent_at", { limit: 9, offset: 0 })).items).toHaveLength(5);
    await expect(copyArchive(SQLITE.placeIn(directory, "missing.db"), place)).rejects.toMatchObject({
      code: "SOURCE_NOT_FOUND",
    });
    const again = await openArchive(place);
    expect((await again.stats()).totalMessages).toBe(5);
    for (const archive of [reader, later, again]) await archive.close();
  });

  it("reuses the space of replaced rows", async () => {
    const place = collection("copied-often");
    const file = await writeHostile("often.db", 8);
    const client = await connect(testServer().url, "test");
    const bytes = async (): Promise<number> => {
      const [[size]] = (await client.rows(
        "SELECT sum(pg_table_size(oid))::int8 FROM pg_class WHERE relnamespace = 'archivetool'::regnamespace AND relkind = 'r'",
      )) as [[number]];
      return size;
    };
    for (let copies = 0; copies < 3; copies++) await copyArchive(file, place);
    const before = await bytes();
    for (let copies = 0; copies < 8; copies++) await copyArchive(file, place);
    // Less than one page of 8 KiB per copy: without vacuum it takes two.
    expect(await bytes()).toBeLessThan(before + 8 * 8192);
    await client.close();
  });

  it("copies an archive of an earlier version with list orders", async () => {
    const place = collection("former");
    await copyArchive(await writeHostile("former.db", 6), place);
    const client = await connect(testServer().url, "test");
    await client.run(`DROP TABLE archivetool.list_orders;
      CREATE INDEX threads_by_last ON archivetool.threads(home, last_at DESC NULLS LAST, id)`);
    await copyArchive(await writeHostile("later.db", 3), collection("later"));
    expect(await client.rows("SELECT to_regclass('archivetool.threads_by_last')::text")).toEqual([[null]]);
    await client.close();
    const archive = await openArchive(place);
    expect((await archive.messages.list("subject", { limit: 9, offset: 0 })).items).toHaveLength(6);
    await archive.close();
  });

  it("continues after the server was killed, also for existing readers", async () => {
    const place = collection("crash");
    await copyArchive(await writeHostile("crash.db", 4), place);
    const archive = await openArchive(place);
    const before = await archive.messages.get("msg-000003");
    testServer().crash();
    testServer().start();
    // The first query afterwards may find its connection closed.
    await archive.messages.get("msg-000003").catch(() => null);
    expect(await archive.messages.get("msg-000003")).toEqual(before);
    await archive.close();
  });

  it("reports archives that cannot be opened", async () => {
    await expect(openArchive(collection("nobody"))).rejects.toMatchObject({ code: "SOURCE_NOT_FOUND" });
    const elsewhere = archiveOnServer("postgres://ann:secret@127.0.0.1:1/mail", "harbour");
    await expect(openArchive(elsewhere)).rejects.toThrow(
      expect.objectContaining({ code: "STORE_UNREACHABLE", message: expect.not.stringContaining("secret") }),
    );
  });
});

describe("copyToPlace", () => {
  it("leaves a location that cannot be written as it was", async () => {
    const place = await writeHostile("kept.db", 2);
    const file = join(directory, "file");
    writeFileSync(file, "");
    for (const path of [join(file, "archive.db"), join(directory, "new", `${"x".repeat(300)}.db`)])
      await expect(copyToPlace(place, { file: path }, false)).rejects.toMatchObject({ code: "OUTPUT_UNWRITABLE" });
    expect(existsSync(join(directory, "new"))).toBe(false);
  });
});
