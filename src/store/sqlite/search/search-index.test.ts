import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { CorpusArchives } from "../../../../test/corpus-archive.ts";
import { farSource } from "../../../../test/far-source.ts";
import { type CorpusMessage, corpusSegments, corpusSource } from "../../../../test/search-corpus.ts";
import { SQLITE } from "../../../../test/stores.ts";
import { lastDocument } from "../../../search/indexing/posting-codec.ts";
import type { SearchSource, TermPostings } from "../../../search/indexing/search-source.ts";
import { segmentInMemory } from "../../../search/indexing/segment.ts";
import { findInBlock } from "../../../search/indexing/term-block.ts";
import { lookupsForMatch } from "../../../search/matching/lookups.ts";
import { Searcher } from "../../../search/searcher.ts";
import { tokensOf } from "../../../text/tokens/tokens.ts";
import { openWholeSource } from "../../reading/whole-source.ts";
import { openForReading, type SqliteDatabase } from "../database/database.ts";
import { createSearchTables } from "../database/search-schema.ts";
import { IN_MEMORY } from "../driver/sqlite-database.ts";
import { sqliteDriver } from "../driver/sqlite-driver.ts";
import { addSearchSegments, removeFromSearch } from "./search-index.ts";
import { rangedIndex, searcherOf, sqliteSearchReader } from "./search-reader.ts";

const archives = new CorpusArchives(SQLITE);
afterAll(() => archives.remove());

async function writeArchive(parts: readonly (readonly CorpusMessage[])[], chunk: number): Promise<SqliteDatabase> {
  return openForReading((await archives.write(parts, chunk)).file);
}

const TEXT = fc
  .array(fc.constantFrom("the", "of", "budget", "Müller", "東京都", "plan", "planet", "x1", "x2", "x3", "x4"), {
    maxLength: 12,
  })
  .map((words) => words.join(" "));
const MESSAGE: fc.Arbitrary<CorpusMessage> = fc.record(
  {
    subject: TEXT,
    body: TEXT,
    from: TEXT,
    mailbox: TEXT,
    author: fc.nat(3),
    sentAt: fc.option(fc.nat(9)),
    topic: fc.nat(2),
  },
  { requiredKeys: ["body"] },
);
const MESSAGES = fc.array(MESSAGE, { minLength: 1, maxLength: 30 });

const wordsOf = (messages: readonly CorpusMessage[]): Set<string> =>
  new Set(messages.flatMap(({ subject = "", body }) => tokensOf(`${subject} ${body}`)));

/** Lists may be Buffers. */
const asNumbers = (postings: TermPostings | null): unknown =>
  postings === null ? null : { ...postings, lists: postings.lists.map((list) => Array.from(list)) };

const sourceOf = (database: SqliteDatabase): Promise<SearchSource> =>
  openWholeSource(rangedIndex(database, () => null));

async function listsOf(database: SqliteDatabase, term: string): Promise<readonly Uint8Array[]> {
  const { postings } = await (await sourceOf(database)).lookUp({ ...lookupsForMatch([]), terms: [term] });
  return postings(term)!.lists;
}

function indexRows(database: SqliteDatabase): unknown {
  return ["ix_block", "ix_post", "ix_doc", "ix_column"].map((table) =>
    database.prepare(`SELECT * FROM ${table}`).raw().all(),
  );
}

describe("writeSearchIndex and openWholeSource", () => {
  it("return the contents of the segments", async () => {
    await fc.assert(
      fc.asyncProperty(MESSAGES, fc.integer({ min: 1, max: 10 }), async (messages, chunk) => {
        const database = await writeArchive([messages], chunk);
        const stored = await sourceOf(database);
        const expected = corpusSource(messages);
        expect(stored.columns.lengths).toEqual(expected.columns.lengths);
        expect(stored.columns.authors).toEqual(expected.columns.authors);
        expect(stored.columns.topics).toEqual(expected.columns.topics);
        expect(stored.columns.sentAt.subarray(1)).toEqual(expected.columns.sentAt.subarray(1));
        expect([stored.documentCount, stored.averageLength]).toEqual([expected.documentCount, expected.averageLength]);
        const patterns = ["p*", "plan*", "*x", "東*", ":f*", "?lan", "zz*"];
        const terms = [...wordsOf(messages), "absent", "~"];
        const asked = { ...lookupsForMatch([]), patterns, terms };
        const [found, wanted] = [await stored.lookUp(asked), await expected.lookUp(asked)];
        for (const term of terms) expect(asNumbers(found.postings(term))).toEqual(asNumbers(wanted.postings(term)));
        for (const pattern of patterns)
          expect((await found.withPattern(pattern)).map(asNumbers)).toEqual(
            (await wanted.withPattern(pattern)).map(asNumbers),
          );
        database.close();
      }),
      { numRuns: 12 },
    );
  });

  it("return the same rows for any division into segments", async () => {
    const messages = fc.sample(MESSAGE, { numRuns: 40, seed: 7 });
    const whole = await writeArchive([messages], 40);
    const cut = await writeArchive([messages], 3);
    expect(indexRows(cut)).toEqual(indexRows(whole));
    for (const database of [whole, cut]) database.close();
  });

  it("find the same when messages came in several runs", async () => {
    const messages = fc.sample(MESSAGE, { numRuns: 60, seed: 8 });
    const whole = await writeArchive([messages], 60);
    // Small additions are in separate segments.
    const grown = await writeArchive([messages.slice(0, 50), messages.slice(50, 54), [], messages.slice(54)], 7);
    expect(await listsOf(grown, "the")).toHaveLength(3);
    const [expected, found] = await Promise.all(
      [whole, grown].map(async (database) => new Searcher(farSource(await sourceOf(database)))),
    );
    for (const query of ["the budget", "plan* -x1", '"of the"', "from:muller x2", "x1 x2 x3 x4 the of", "after:1970"]) {
      expect(await found!.search(query, 20)).toEqual(await expected!.search(query, 20));
    }
    for (const database of [whole, grown]) database.close();
  });

  it("are merged into one segment after many additions, equal to a single run", async () => {
    const messages = fc.sample(MESSAGE, { numRuns: 300, seed: 9 });
    const whole = await writeArchive([messages], 100);
    const grown = await writeArchive([messages.slice(0, 200), messages.slice(200, 210), messages.slice(210)], 90);
    expect(indexRows(grown)).toEqual(indexRows(whole));
    expect((await listsOf(grown, "the")).map(lastDocument)).toHaveLength(1);
    for (const database of [whole, grown]) database.close();
  });

  it("also if they are small and numerous", async () => {
    const messages = fc.sample(MESSAGE, { numRuns: 120, seed: 10 });
    const grown = await writeArchive([messages.slice(0, 100), ...messages.slice(100).map((message) => [message])], 100);
    const segments = grown.prepare("SELECT count(*) FROM ix_doc").pluck().get() as number;
    expect(segments).toBeLessThanOrEqual(17);
    grown.close();
  });
});

it("never finds removed messages", async () => {
  const { file } = await archives.write([[{ body: "the budget" }, { body: "a budget" }]], 10);
  const changed = sqliteDriver()(file, {});
  removeFromSearch(changed, [1, 1]);
  changed.close();
  const database = openForReading(file);
  expect(
    (
      await sqliteSearchReader(
        database,
        searcherOf({ database, location: { file }, state: "" }, () => null),
      ).search("budget", 5)
    ).hits.map((hit) => hit.messageId),
  ).toEqual(["msg-000002"]);
  database.close();
});

it("stores no segment with more messages than a shard, and merges later runs into the last one", () => {
  const database = sqliteDriver()(IN_MEMORY, {});
  createSearchTables(database);
  const messages = Array.from({ length: 100 }, (_, at) => ({ body: `plan ${at % 7}` }));
  const add = (some: readonly CorpusMessage[], first: number): void =>
    addSearchSegments(database, corpusSegments(some, 10, first).map(segmentInMemory), 30);
  const stored = (): unknown =>
    database.prepare("SELECT seg, first, length(lengths) / 4, postings FROM ix_doc ORDER BY seg").raw().all();
  const frequencies = (): unknown => {
    const index = database.prepare("SELECT data FROM ix_block ORDER BY seg").pluck().all() as Uint8Array[];
    return index.map((block) => findInBlock(block, Buffer.from("plan"))?.documentFrequency);
  };
  add(messages, 1);
  expect(stored()).toEqual([
    [0, 1, 30, 60],
    [1, 31, 30, 60],
    [2, 61, 30, 60],
    [3, 91, 10, 20],
  ]);
  expect(frequencies()).toEqual([30, 30, 30, 10]);
  add(messages.slice(0, 2), 101);
  expect(stored()).toContainEqual([4, 101, 2, 4]);
  add(messages.slice(0, 2), 103);
  expect(stored()).toEqual([
    [0, 1, 30, 60],
    [1, 31, 30, 60],
    [2, 61, 30, 60],
    [3, 91, 14, 28],
  ]);
  expect(frequencies()).toEqual([30, 30, 30, 14]);
  database.close();
});
