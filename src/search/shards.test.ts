import fc from "fast-check";
import { expect, it } from "vitest";
import { farSource } from "../../test/far-source.ts";
import { madeNumbers, madeWords, nextWord } from "../../test/made-words.ts";
import { type CorpusMessage, corpusShards, corpusSource } from "../../test/search-corpus.ts";
import { CONVERSATION_SORTS, EXPLORED_SORTS, FACETS, REPEAT_MODES } from "../mail/exploration.ts";
import { Explorer } from "./explorer.ts";
import { documentsOf } from "./indexing/document-set.ts";
import type { SearchSource } from "./indexing/search-source.ts";
import { LoadedRange } from "./ranges/loaded-range.ts";
import { Searcher } from "./searcher.ts";

const WORDS = madeWords(300);

function madeCorpus(count: number): CorpusMessage[] {
  const next = madeNumbers(7);
  const word = (): string => nextWord(WORDS, next);
  const text = (words: number): string => Array.from({ length: words }, word).join(" ");
  return Array.from({ length: count }, (_, at) => ({
    subject: text(1 + next(4)),
    body: text(next(10) === 0 ? 400 : 3 + next(40)),
    from: `Person ${next(9)} <p${next(9)}@harbour.example>`,
    author: next(9),
    sentAt: next(6) === 0 ? null : next(50),
    topic: next(3),
    thread: next(40),
    mailbox: ["Inbox", "Sent"][next(2)]!,
    messageId: `${at}@harbour.example`,
    ...(next(8) === 0 ? { textKey: next(12), author: 1 } : {}),
    ...(next(5) === 0 ? { filename: "a.txt", attachment: text(20) } : {}),
  }));
}

const inRanges = (shards: readonly SearchSource[]): readonly LoadedRange[] =>
  shards.map((shard) => new LoadedRange(shard));

const QUERIES = 150;

/** Every kind of query over the words of a corpus. */
function madeQueries(): readonly string[] {
  const next = madeNumbers(11);
  return Array.from({ length: QUERIES }, (_, at) => {
    const [x, y, z] = Array.from({ length: 3 }, () => nextWord(WORDS, next));
    const kinds = [
      ...[
        x,
        `${x} ${y} ${z}`,
        `${x!.slice(0, 2)}*`,
        `${x!.slice(0, 1)}* ${y}`,
        `"${x} ${y}"`,
        `"${WORDS[0]} ${x}" ${z}`,
      ],
      ...[`+${x} -${y} ${z}`, `+${x!.slice(0, 2)}* ${y}`, `(${x} OR ${y}) ${z}`, `subject:${x} ${y}`, `from:p3 ${x}`],
      ...[`topic:budget ${x}`, `-"${x} ${y}" ${z}`, `in:inbox ${x}`, `id:msg-000123 ${x}`, `attachment:${x} ${y}`],
      ...[
        `similar:msg-0002${10 + (at % 80)}`,
        `thread:thread-00000${1 + (at % 9)}`,
        `has:attachment -${x!.slice(0, 2)}*`,
      ],
    ];
    return kinds[at % kinds.length]!;
  });
}

it(`returns for ${QUERIES} queries the same ids, score bits and snippets with 1, 4 or 7 shards`, async () => {
  const corpus = madeCorpus(400);
  const dead = [5, 200, 399];
  const whole = new Searcher(corpusSource(corpus, dead));
  const sharded = [1, 4, 7].map((count) => {
    const shards = corpusShards(corpus, count, dead);
    return new Searcher(corpusSource(corpus, dead), inRanges(count === 4 ? shards.map(farSource) : shards));
  });
  let hits = 0;
  for (const query of madeQueries()) {
    const expected = await whole.search(query, 15);
    hits += expected.found.length;
    for (const searcher of sharded) expect([query, await searcher.search(query, 15)]).toEqual([query, expected]);
  }
  expect(hits).toBeGreaterThan(QUERIES * 5);
});

it("explores like one index: pages in every order, counts, timelines and conversations", async () => {
  const corpus = madeCorpus(400);
  const dead = [5, 200, 399];
  const whole = new Explorer(new Searcher(corpusSource(corpus, dead)));
  const ranged = [2, 7].map((count) => {
    const source = corpusSource(corpus, dead);
    return new Explorer(new Searcher(source, inRanges(corpusShards(corpus, count, dead))));
  });
  const queries = ["", "?!", "in:inbox", "after:1970 -topic:budget", "similar:msg-000210", ...madeQueries()];
  let [rows, counted] = [0, 0];
  for (const [at, query] of queries.filter((_, number) => number < 5 || number % 6 === 0).entries()) {
    const asked = { query, match: at % 3 === 0 ? ("any" as const) : ("all" as const) };
    const sort = EXPLORED_SORTS[at % EXPLORED_SORTS.length]!;
    const page = { ...asked, repeats: REPEAT_MODES[at % 2]!, sort, offset: (at % 4) * 7, limit: 20 };
    const facets = { ...asked, of: FACETS, limit: 5, ...(at % 5 === 0 ? { search: "o" } : {}) };
    const timeline = { ...asked, by: "auto" as const, ...(at % 4 === 0 ? { stack: "topic" as const } : {}) };
    const conversations = { ...asked, sort: CONVERSATION_SORTS[at % 4]!, offset: at % 3, limit: 9 };
    const answers = async (explorer: Explorer) => ({
      query,
      page: await explorer.page(page),
      facets: await explorer.facets(facets),
      timeline: await explorer.timeline(timeline),
      conversations: await explorer.conversations(conversations),
      hits: await explorer.hits([asked]),
      found: documentsOf(await explorer.found(asked)),
    });
    const expected = await answers(whole);
    rows += expected.page.documents.length;
    counted += expected.facets.reduce((sum, { values }) => sum + values.length, 0);
    for (const explorer of ranged) expect(await answers(explorer)).toEqual(expected);
  }
  expect(rows).toBeGreaterThan(queries.length);
  expect(counted).toBeGreaterThan(queries.length);
});

it("agrees in the order of messages without words and with repeated texts", async () => {
  const message = fc.record({
    body: fc.constantFrom("a b", "a", "b a b", "c"),
    sentAt: fc.nat(3),
    textKey: fc.nat(2),
    thread: fc.nat(1),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { minLength: 7, maxLength: 40 }),
      fc.constantFrom("is:reply OR a", "-c", "a b", "b*", '"a b"', "NOT c", "after:1960-01-01"),
      fc.integer({ min: 1, max: 9 }),
      async (messages, query, limit) => {
        const expected = await new Searcher(corpusSource(messages)).search(query, limit);
        for (const count of [2, 7]) {
          const sharded = new Searcher(corpusSource(messages), inRanges(corpusShards(messages, count)));
          expect(await sharded.search(query, limit)).toEqual(expected);
        }
      },
    ),
    { numRuns: 50 },
  );
});
