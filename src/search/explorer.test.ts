import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { farSource } from "../../test/far-source.ts";
import { type CorpusMessage, corpusSource } from "../../test/search-corpus.ts";
import { EXPLORED_SORTS, type ExploredQuery, FACETS } from "../mail/exploration.ts";
import { Explorer } from "./explorer.ts";
import { clauseOfNone } from "./indexing/valued-messages.ts";
import { Searcher } from "./searcher.ts";

const WORDS = ["budget", "plan", "annual", "lunch"] as const;
const CORPUS: readonly CorpusMessage[] = Array.from({ length: 60 }, (_, i) => ({
  body: WORDS.filter((_word, bit) => (i & (1 << bit)) !== 0).join(" and "),
  from: i % 3 === 0 ? "Ann" : "Ben",
  author: [1, 2, -1, 3][i % 4]!,
  thread: i % 7,
  receivers: [[1], [2, 3], []][i % 3]!,
  copied: [[1], [2], [], []][i % 4]!,
  topic: i % 3,
  mailbox: i % 6 === 0 ? "Sent Items" : "Sent",
  source: i % 2,
  language: ["en", "de", ""][i % 3]!,
  domain: i % 5 === 1 ? "example.org" : "",
  labels: [["seen"], ["Work", "seen"], ["Old Work"], []][i % 4]!,
  ...(i % 9 === 0 ? { filename: "plan.pdf", attachmentTypes: ["pdf", "image"] as const } : {}),
  sizeBytes: i * 10,
  mentions: {
    mentions: [["Ann Reed", "Bo Lund"], []][i % 2]!,
    others: [["Eva Quist"], []][i % 2]!,
    org: [["Kai & Sons, Inc."], ["Kai Lines"], []][i % 3]!,
    phone: [["+14155552671"], []][i % 2]!,
    iban: [["DE89370400440532013000"], []][i % 2]!,
    amount: [["USD 500"], ["EUR 2000.5", "USD 500"], []][i % 3]!,
    site: [["kai.example"], []][i % 2]!,
    reference: [["invoice 77-1"], []][i % 2]!,
  },
  tags: [["press"], ["press", "to do"], [], ["to do"], []][i % 5]!,
  sentAt: i % 11 === 0 ? null : i === 13 ? Date.UTC(1980, 0, 1) : Date.UTC(2000 + (i % 3), i % 12, 1 + i),
}));
const searcher = new Searcher(farSource(corpusSource(CORPUS, [9, 20])));
const explorer = new Explorer(searcher);

const LEAF = fc.constantFrom(
  ...WORDS,
  ...["from:contact-000001", "lang:en", "on:2001", "-is:undated", "label:seen", "mailbox:Sent", "topic:topic-001"],
  ...["type:pdf", "source:1", "domain:example.org", '"budget and plan"', "bud*", "-lunch", "thread:thread-000002"],
  "to:contact-000002",
  "(to:contact-000001 OR cc:contact-000001)",
  "tag:press",
);
const QUERY: fc.Arbitrary<ExploredQuery> = fc
  .tuple(fc.array(fc.tuple(LEAF, fc.constantFrom(" ", " OR ")), { maxLength: 4 }), fc.constantFrom("any", "all"))
  .map(([leaves, match]) => ({
    query: leaves.map(([leaf, join], i) => (i === 0 ? leaf : join + leaf)).join(""),
    match: match as ExploredQuery["match"],
  }));

const pageOf = (query: ExploredQuery, offset = 0, limit = 100, sort: (typeof EXPLORED_SORTS)[number] = "newest") =>
  explorer.page({ ...query, sort, repeats: "folded", offset, limit });
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

describe("numbers of a result agree", () => {
  it("total, pages in any order, facets, timeline, and the result of a value", async () => {
    await fc.assert(
      fc.asyncProperty(QUERY, async (query) => {
        const { total, documents, conversations } = await pageOf(query);
        expect(documents).toHaveLength(total);
        expect(new Set(documents.map(({ document }) => CORPUS[document - 1]!.thread)).size).toBe(conversations);
        const numbers = documents.map(({ document }) => document).sort((left, right) => left - right);
        for (const sort of EXPLORED_SORTS) {
          const paged = [await pageOf(query, 0, 7, sort), await pageOf(query, 7, 100, sort)].flatMap(
            (page) => page.documents,
          );
          expect(paged.map(({ document }) => document).sort((left, right) => left - right)).toEqual(numbers);
        }
        const timeline = await explorer.timeline({ ...query, by: "auto" });
        expect(timeline.total).toBe(total);
        expect(sum(timeline.bins.map(({ count }) => count)) + timeline.stray + timeline.undated).toBe(total);
        for (const facet of await explorer.facets({ ...query, of: FACETS, limit: 2 })) {
          const counted = sum(facet.values.map(({ count }) => count)) + facet.other + facet.none;
          if (facet.isMultiple) expect(counted).toBeGreaterThanOrEqual(facet.total);
          else expect(counted).toBe(facet.total);
          expect(facet.total).toBeGreaterThanOrEqual(total);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("facet values are found by a part of their label, and the rest is counted", async () => {
    const query = { query: "", match: "all" } as const;
    const [all] = await explorer.facets({ ...query, of: ["from"], limit: 1000 });
    const { label } = all!.values.at(-1)!;
    const search = label.slice(1, 5).toUpperCase();
    const [found] = await explorer.facets({ ...query, of: ["from"], limit: 2, search });
    const fitting = all!.values.filter((value) => value.label.toUpperCase().includes(search));
    expect(found!.values).toEqual(fitting.slice(0, 2));
    expect(sum(found!.values.map(({ count }) => count)) + found!.other + found!.none).toBe(found!.total);
    expect((await explorer.facets({ ...query, of: ["from"], limit: 5, search: "no such name" }))[0]!.values).toEqual(
      [],
    );
  });

  it("a facet value finds exactly the displayed number of messages", async () => {
    const query: ExploredQuery = { query: "budget OR -lunch", match: "all" };
    for (const facet of await explorer.facets({ ...query, of: FACETS, limit: 50 })) {
      expect(facet.values.length).toBeGreaterThan(0);
      for (const { clause, count } of facet.values)
        expect([clause, (await pageOf({ ...query, query: `(${query.query}) ${clause}` })).total]).toEqual([
          clause,
          count,
        ]);
    }
  });
});

it("messages with and without a value of a facet are found", async () => {
  let found = 0;
  for (const facet of await explorer.facets({ query: "", match: "all", of: FACETS, limit: 50 })) {
    const clause = clauseOfNone(facet.of);
    if (clause === "") expect([facet.of, facet.none]).toEqual([facet.of, 0]);
    else {
      expect([clause, (await pageOf({ query: clause, match: "all" })).total]).toEqual([clause, facet.none]);
      const others = clause.startsWith("-") ? clause.slice(1) : `-${clause}`;
      expect((await pageOf({ query: others, match: "all" })).total).toBe(facet.total - facet.none);
      if (facet.none > 0) found++;
    }
  }
  expect(found).toBeGreaterThan(7);
});

describe("a result", () => {
  it("reports how each clause was parsed, and how many messages it finds alone", async () => {
    const query = "budget -lang:en color:red http://x.example (plan OR from:ben)";
    const { understood } = await pageOf({ query, match: "all" });
    expect(understood.map(({ start, end, kind }) => [query.slice(start, end), kind])).toEqual([
      ["budget", "words"],
      ["-lang:en", "lang"],
      ["color:red", "phrase"],
      ["http://x.example", "phrase"],
      ["plan OR from:ben", "group"],
    ]);
    expect(understood.map(({ isNoOperator }) => isNoOperator)).toEqual([false, false, true, false, false]);
    const count = async (text: string): Promise<number> => (await searcher.matching(text)).length;
    expect(understood[0]!.count).toBe(await count("budget"));
    expect(understood[1]).toMatchObject({ isExcluded: true, count: await count("lang:en") });
  });

  it("is everything for an empty query, and nothing if no word is understood", async () => {
    expect((await pageOf({ query: " ", match: "all" })).total).toBe(58);
    expect((await pageOf({ query: "!!!", match: "all" })).total).toBe(0);
  });

  it("is sorted as requested, undated messages last in both directions", async () => {
    const everything: ExploredQuery = { query: "", match: "all" };
    const dates = async (sort: "newest" | "oldest") =>
      (await pageOf(everything, 0, 100, sort)).documents.map(({ document }) => CORPUS[document - 1]!.sentAt);
    const [newest, oldest] = [await dates("newest"), await dates("oldest")];
    const undated = newest.filter((date) => date === null).length;
    expect(newest.slice(-undated).every((date) => date === null)).toBe(true);
    expect(oldest.slice(-undated).every((date) => date === null)).toBe(true);
    expect(newest.slice(0, -undated)).toEqual(newest.slice(0, -undated).sort((left, right) => right! - left!));
    expect(oldest.slice(0, -undated)).toEqual(newest.slice(0, -undated).reverse());
    const sizes = (await pageOf(everything, 0, 100, "size")).documents.map(
      ({ document }) => CORPUS[document - 1]!.sizeBytes!,
    );
    expect(sizes).toEqual([...sizes].sort((left, right) => right - left));
  });

  it("shows the author's own text before quotations", async () => {
    const body = "On 1 May 2001, Ben wrote:\n> the budget is late\n\nI know the budget.";
    const own = new Explorer(new Searcher(corpusSource([{ body }, { body: "> the budget is late\n\nYes." }])));
    const page = await own.page({
      query: "budget",
      match: "all",
      sort: "oldest",
      repeats: "folded",
      offset: 0,
      limit: 5,
    });
    expect(page.documents.map(({ snippet }) => snippet).sort()).toEqual([
      "> the **budget** is late Yes.",
      "I know the **budget**.",
    ]);
  });

  it("lists conversations by the best message of each", async () => {
    const query = { query: "budget plan", match: "any" } as const;
    const { threads } = await searcher.source.facts();
    const { documents } = await pageOf(query, 0, 100, "relevance");
    const best = Array.from(new Set(documents.map(({ document }) => threads[document])));
    const asked = (offset: number, limit: number) =>
      explorer.conversations({ ...query, sort: "relevance", offset, limit });
    const { total, threads: found } = await asked(0, 100);
    expect([total, found.map(({ thread }) => thread)]).toEqual([best.length, best]);
    expect((await asked(2, 3)).threads).toEqual(found.slice(2, 5));
  });

  it("lists conversations by their best messages beyond the first thousand, each once", async () => {
    // Two thirds of the messages are in conversations of two: more messages are ranked than there are conversations.
    const deep = Array.from({ length: 2_400 }, (_, n) => ({
      body: `${"barge ".repeat(1 + (n % 7))}${"quay ".repeat(n % 11)}`,
      thread: n - (n % 3 === 1 ? 1 : 0),
      sentAt: n,
    }));
    const own = new Searcher(corpusSource(deep));
    const far = new Explorer(own);
    const query = { query: "barge", match: "all" } as const;
    const { threads } = await own.source.facts();
    const page = await far.page({ ...query, sort: "relevance", repeats: "listed", offset: 0, limit: 2_400 });
    const best = Array.from(new Set(page.documents.map(({ document }) => threads[document])));
    expect(best).toHaveLength(1_600);
    for (const offset of [0, 950, 1_000, 1_550, 1_600]) {
      const { total, threads: found } = await far.conversations({ ...query, sort: "relevance", offset, limit: 100 });
      expect([offset, total, found.map(({ thread }) => thread)]).toEqual([
        offset,
        best.length,
        best.slice(offset, offset + 100),
      ]);
    }
  });

  it.each(["newest", "oldest", "largest"] as const)(
    "lists conversations %s first, those without a date last",
    async (sort) => {
      const query = { query: "budget", match: "any" } as const;
      const { threads } = await searcher.source.facts();
      const dates = new Map<number, (number | null)[]>();
      for (const { document } of (await pageOf(query)).documents)
        dates.set(threads[document]!, [...(dates.get(threads[document]!) ?? []), CORPUS[document - 1]!.sentAt ?? null]);
      const rows = Array.from(dates, ([thread, sent]) => {
        const known = sent.filter((date) => date !== null);
        const [first, last] = known.length === 0 ? [null, null] : [Math.min(...known), Math.max(...known)];
        return { thread, hits: sent.length, first, last };
      });
      const keyOf = (row: (typeof rows)[number]): number =>
        sort === "largest"
          ? row.hits
          : sort === "newest"
            ? (row.last ?? -Infinity)
            : row.first === null
              ? -Infinity
              : -row.first;
      const expected = rows.sort((one, other) => keyOf(other) - keyOf(one) || one.thread - other.thread);
      const asked = (offset: number, limit: number) => explorer.conversations({ ...query, sort, offset, limit });
      expect(await asked(0, 100)).toEqual({ total: expected.length, threads: expected });
      expect((await asked(3, 2)).threads).toEqual(expected.slice(3, 5));
    },
  );

  it("excludes stray dates from the axis, and counts them", async () => {
    const { bins, stray, strays, undated, by } = await explorer.timeline({ query: "", match: "all", by: "year" });
    expect({ by, spans: bins.map(({ span }) => span) }).toEqual({
      by: "year",
      spans: ["2000", "2001", "2002", "2003"],
    });
    expect({ stray, undated }).toEqual({ stray: 1, undated: 6 });
    expect(strays).toEqual([{ side: "before", year: 2000, clause: "before:1999", count: 1 }]);
    for (const { clause, count } of strays)
      expect(await pageOf({ query: clause, match: "all" })).toMatchObject({ total: count });
  });
});

describe("messages with the same text", () => {
  const memo = { body: "barge late", textKey: 1, author: 1 };
  const many = Array.from({ length: 1_500 }, (_, n) => ({ ...memo, thread: n, sentAt: n, labels: [String(n % 2)] }));
  const others = Array.from({ length: 60 }, (_, n) => ({ body: `barge ${n}`, author: 2, sentAt: 2_000 + n }));
  const folding = new Explorer(new Searcher(farSource(corpusSource([...many, ...others]))));
  const request = { query: "barge", match: "all", offset: 0, limit: 100 } as const;

  it.each(EXPLORED_SORTS)("are one row of a list sorted by %s, on every page", async (sort) => {
    const pages = [0, 50, 100].map((offset) =>
      folding.page({ ...request, sort, repeats: "folded", offset, limit: 50 }),
    );
    const [first, second, third] = await Promise.all(pages);
    expect([first!.total, first!.rows, first!.conversations]).toEqual([1_560, 61, 1_500]);
    expect([first, second, third].map((page) => page!.documents.length)).toEqual([50, 11, 0]);
    const rows = [...first!.documents, ...second!.documents];
    expect(new Set(rows.map(({ document }) => document)).size).toBe(61);
    expect(rows.filter(({ repeats }) => repeats.length > 0).map(({ repeats }) => repeats.length)).toEqual([1_499]);
  });

  it("are counted by matching messages", async () => {
    const { rows, total, documents } = await folding.page({
      ...request,
      query: "barge label:1",
      sort: "newest",
      repeats: "folded",
    });
    expect([rows, total, documents[0]!.repeats.length]).toEqual([1, 750, 749]);
  });

  it("have separate rows on request", async () => {
    const { rows, documents } = await folding.page({ ...request, sort: "newest", repeats: "listed" });
    expect([rows, documents.length, documents.every(({ repeats }) => repeats.length === 0)]).toEqual([
      1_560,
      100,
      true,
    ]);
  });
});
