import { afterAll, describe, expect, it } from "vitest";
import { CorpusArchives } from "../../../../test/corpus-archive.ts";
import type { CorpusMessage } from "../../../../test/search-corpus.ts";
import { SQLITE } from "../../../../test/stores.ts";
import { Searcher } from "../../../search/searcher.ts";
import { openForReading } from "../database/database.ts";
import { sqliteDriver } from "../driver/sqlite-driver.ts";
import { readFacts } from "./message-facts.ts";
import { openSearchSource } from "./search-source.ts";

const archives = new CorpusArchives(SQLITE);
afterAll(() => archives.remove());

const MESSAGES: readonly CorpusMessage[] = [
  { subject: "Re: Plan", body: "a", from: "Ann", domain: "Example.org", language: "en", labels: ["seen", "flagged"] },
  { subject: "Fwd: Re: Plan", body: "b", from: "Ann", domain: "lists.example.org", sizeBytes: 5_000_000_000 },
  { subject: "Plan", body: "c", labels: ["label:Work", "label:Unread"], language: "de" },
  { subject: "Plan", body: "d", labels: ["label:Work", "label:Old Work"], sizeBytes: 2048 },
  { subject: "Plan", body: "e", labels: ["label:Inbox", "label:Opened"], sizeBytes: 4096 },
];

describe("facts of messages", () => {
  it.each([
    ["is:reply", [1]],
    ["is:forward", [2]],
    ["is:unread", [2, 3, 4]],
    ["is:flagged", [1]],
    ["domain:example.org", [1]],
    ["lang:de", [3]],
    ["label:Work", [3, 4]],
    ['label:"old work"', [4]],
    ["label:seen", [1]],
    ["larger:4G", []],
    ["larger:3G", [2]],
    ["smaller:2k", [1, 3]],
    ["-label:work is:unread", [2]],
  ])("%s", async (query, expected) => {
    const { file } = await archives.write([MESSAGES.slice(0, 3), MESSAGES.slice(3)], 2);
    const database = openForReading(file);
    expect(await new Searcher(openSearchSource(database)).matching(query)).toEqual(expected);
    database.close();
  });

  it("are the same as stored, and read from an archive that does not store them", async () => {
    const { file } = await archives.write([MESSAGES], 2);
    const changed = sqliteDriver()(file, {});
    const stored = readFacts(changed);
    expect(stored.threads).toHaveLength(MESSAGES.length + 1);
    changed.prepare("DELETE FROM ix_column WHERE name = 'labelNames'").run();
    expect(readFacts(changed)).toEqual(stored);
    changed.close();
  });
});
