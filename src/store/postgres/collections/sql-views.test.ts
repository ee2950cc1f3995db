import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleArchives } from "../../../../test/sample-rows.ts";
import { writeSample } from "../../../../test/stored-sample.ts";
import { HAS_POSTGRES, SQLITE, testServer } from "../../../../test/stores.ts";
import type { Archive } from "../../../mail/archive.ts";
import { copyArchive } from "../../archive/copy-archive.ts";
import { openArchive } from "../../archive/open-archive.ts";
import { createArchive } from "../../archive/write-archive.ts";
import { archiveOnServer } from "../../contract/archive-location.ts";
import { connect, type PostgresClient } from "../client/postgres-client.ts";
import { isCollectionThere } from "./epochs.ts";
import { removeCollection } from "./remove-collection.ts";
import { VIEW_NAMES } from "./sql-views.ts";

const SERVER = HAS_POSTGRES ? testServer().url : "";
const BODIES = [Buffer.from("Grüße vom Kai"), Buffer.from("a\0b"), Buffer.from([0xff, 92, 65])];

describe.skipIf(!HAS_POSTGRES)("a collection in SQL", () => {
  const place = archiveOnServer(SERVER, "viewed");
  let directory: string;
  let client: PostgresClient;
  let archive: Archive;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "archivetool-views-"));
    const file = SQLITE.placeIn(directory, "viewed.db");
    const whole = sampleArchives.filter(({ messages }) => messages.length > 8);
    const sample = fc.sample(whole, { numRuns: 1, seed: 3 })[0]!;
    const messages = sample.messages.map((message, at) => ({
      ...message,
      subject: at === 0 ? "Crane\0 \u0001" : message.subject,
      body: BODIES[at] ?? message.body,
    }));
    const writer = await createArchive(file);
    await writeSample(writer, { ...sample, messages });
    await writer.finish();
    await copyArchive(file, place);
    await copyArchive(file, archiveOnServer(SERVER, "another"));
    client = await connect(SERVER, "test");
    archive = await openArchive(place);
  });
  afterAll(async () => {
    await archive.close();
    await client.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const count = async (sql: string): Promise<unknown> => (await client.rows(sql))[0]![0];

  it("has the messages, people, threads and events of its statistics", async () => {
    const stats = await archive.stats();
    const counts: number[] = [];
    for (const view of ["message_texts", "people", "threads", "events"])
      counts.push(
        (await count(`SELECT count(*) FROM archivetool_views.${view} WHERE collection = 'viewed'`)) as number,
      );
    expect(counts).toEqual([
      ...[stats.totalMessages, stats.totalContacts, stats.totalThreads, stats.totalCalendarEvents],
    ]);
    for (const view of VIEW_NAMES) await client.rows(`SELECT * FROM archivetool_views.${view}`);
  });

  it("shows texts as texts, under the ids that commands print", async () => {
    const [first] = await client.rows(
      `SELECT id, subject, text, sender_address, extract(epoch FROM sent_at) * 1000 FROM archivetool_views.message_texts
       WHERE collection = 'viewed' AND id = 'msg-000001'`,
    );
    const message = (await archive.messages.get("msg-000001"))!;
    const sentAt = message.sentAt === null ? null : expect.any(String);
    expect(first).toEqual([message.id, "Crane \u0001", "Grüße vom Kai", message.from?.email ?? null, sentAt]);
    const texts = await client.rows(
      "SELECT text FROM archivetool_views.message_texts WHERE collection = 'viewed' AND id IN ('msg-000002', 'msg-000003') ORDER BY id",
    );
    expect(texts).toEqual([["ab"], ["\\377\\\\A"]]);
  });

  it("is queried by the examples of the docs", async () => {
    const page = readFileSync("docs/guides/scaling-out.md", "utf8");
    const section = page.slice(page.indexOf("### Query with SQL"));
    const examples = section.match(/^SELECT .*(?=;$)/gm)!;
    expect(examples).toHaveLength(VIEW_NAMES.length);
    for (const example of examples) await client.rows(example.replaceAll("harbour", "viewed"));
  });

  it("is removed completely, without rows of others, and its readers end", async () => {
    const { totalMessages } = await archive.stats();
    const rowsOfCollections = async () =>
      (
        await Promise.all(
          [
            ...["messages", "bodies", "contacts", "meta"].map((table) => [table, "home"]),
            ...["list_orders", "epochs"].map((table) => [table, "epoch"]),
          ].map(([table, number]) => count(`SELECT count(DISTINCT ${number}) FROM archivetool.${table}`)),
        )
      ).map(Number);
    const before = await rowsOfCollections();
    await client.run(
      "INSERT INTO archivetool.collection_notes(kind, key, revision, value, updated_at, collection) VALUES ('message', 'a', 1, '{}', 0, 'viewed')",
    );
    expect(await removeCollection(place, false)).toEqual({ messages: totalMessages, keptNotes: 1 });
    expect(await rowsOfCollections()).toEqual(before.map((epochs) => epochs - 1));
    expect(await isCollectionThere(place)).toBe(false);
    expect(await isCollectionThere(archiveOnServer(SERVER, "another"))).toBe(true);
    await archive.messages.get("msg-000001").catch(() => null);
    await expect(archive.messages.get("msg-000002")).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
    await expect(removeCollection(place, true)).rejects.toMatchObject({ code: "SOURCE_NOT_FOUND" });
  });
});
