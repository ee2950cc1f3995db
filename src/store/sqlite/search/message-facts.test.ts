import { afterAll, describe, expect, it } from "vitest";
import { CorpusArchives } from "../../../../test/corpus-archive.ts";
import type { CorpusMessage } from "../../../../test/search-corpus.ts";
import { SQLITE } from "../../../../test/stores.ts";
import { Searcher } from "../../../search/searcher.ts";
import { openWholeSource } from "../../reading/whole-source.ts";
import { openForReading } from "../database/database.ts";
import { rangedIndex } from "./search-reader.ts";

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
    expect(await new Searcher(await openWholeSource(rangedIndex(database, () => null))).matching(query)).toEqual(
      expected,
    );
    database.close();
  });
});
