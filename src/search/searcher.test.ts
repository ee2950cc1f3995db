import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { farSource } from "../../test/far-source.ts";
import { type CorpusMessage, corpusSource, naiveScores } from "../../test/search-corpus.ts";
import type { SearchFilter } from "../mail/archive.ts";
import { parseInstant } from "../mail/dates/instant.ts";
import type { TextParts } from "./indexing/search-source.ts";
import { FIRST_VERIFIED, Searcher } from "./searcher.ts";

const day = (text: string): number => parseInstant(`${text}T12:00:00Z`)!;

/** Messages 1 to 10. */
const CORPUS: readonly CorpusMessage[] = [
  {
    subject: "Annual budget",
    body: "The annual budget of the Dublin office is ready for review.",
    from: "Ann Lee <ann@example.org>",
    author: 1,
    sentAt: day("2001-05-01"),
    topic: 1,
    mailbox: "Inbox",
    messageId: "one@example.org",
  },
  {
    subject: "Lunch",
    body: "Shall we have lunch on Friday? The office budget pays.",
    from: "Ben Roe <ben@example.org>",
    author: 2,
    sentAt: day("2001-05-02"),
    mailbox: "Inbox",
  },
  {
    subject: "Re: Annual budget",
    body: "Budget for the annual report, and a report of the budget, annual.",
    from: "Ann Lee <ann.lee@example.net>",
    author: 1,
    sentAt: day("2001-05-03"),
    topic: 1,
    mailbox: "Sent Items",
  },
  {
    subject: "Reporting line",
    body: "The reporter reported what reporters report.",
    from: "Cleo <cleo@example.org>",
    author: 3,
    sentAt: null,
    filename: "minutes of May.pdf",
    mailbox: "Projects/Dublin",
  },
  { subject: "", body: "東京都の予算について。 budget", author: 3, sentAt: day("2002-01-01") },
  {
    subject: "Café Müller",
    body: "Straße und CAFÉ, résumé.",
    to: "Ann Lee <ann@example.org>",
    author: 2,
    sentAt: day("2002-01-02"),
    topic: 2,
  },
  { subject: "", body: "", author: 2, sentAt: day("2002-01-03") },
  { subject: "the the the", body: "the the of of and", author: 4, sentAt: day("2002-01-04") },
  { subject: "A plan", body: "a plan, a man, a canal", author: 4, sentAt: day("2002-01-05") },
  { subject: "A plan", body: "a plan, a man, a canal", author: 4, sentAt: day("2002-01-06") },
];
const searcher = new Searcher(farSource(corpusSource(CORPUS)));
const find = (query: string): Promise<number[]> => found(searcher, query);

async function found(of: Searcher, query: string, limit = 20, filter: SearchFilter = {}): Promise<number[]> {
  return (await of.search(query, limit, filter, "any")).found.map(({ document }) => document);
}

describe("ranking", () => {
  const WORD = fc.constantFrom("the", "of", "budget", "plan", "annual", "lunch", "office", "rare", "x1", "x2", "x3");
  const TEXT = fc.array(WORD, { maxLength: 25 }).map((words) => words.join(" "));
  const MESSAGES = fc.array(fc.record({ subject: TEXT, body: TEXT, sentAt: fc.option(fc.nat(5)) }), {
    minLength: 1,
    maxLength: 60,
  });

  it("returns the scores and order of the formula", async () => {
    await fc.assert(
      fc.asyncProperty(MESSAGES, TEXT, fc.integer({ min: 1, max: 20 }), async (messages, query, limit) => {
        const expected = naiveScores(messages, query);
        const { found } = await new Searcher(corpusSource(messages)).search(query, limit, {}, "any");
        expect(found).toHaveLength(Math.min(limit, expected.size));
        for (const { document, score } of found) expect(score).toBeCloseTo(expected.get(document)!, 9);
        const least = found.at(-1)?.score ?? 0;
        const listed = new Set(found.map(({ document }) => document));
        for (const [document, score] of expected) if (!listed.has(document)) expect(score).toBeLessThan(least + 1e-9);
        for (let i = 1; i < found.length; i++) {
          const [better, worse] = [found[i - 1]!, found[i]!];
          const [newer, older] = [better, worse].map(
            ({ document }) => messages[document - 1]!.sentAt ?? Number.NEGATIVE_INFINITY,
          );
          const isOrdered =
            better.score > worse.score ||
            (better.score === worse.score &&
              (newer! > older! || (newer === older && better.document < worse.document)));
          expect(isOrdered).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("ranks words of attachments after those of messages, rare and common ones alike", async () => {
    const filler = Array.from({ length: 40 }, (_, at) => ({
      body: at % 2 === 0 ? "tide" : "pier",
      attachment: "tide berth",
      filename: "a.txt",
    }));
    const messages = [
      { body: "the rope of the pier", attachment: "hawser", filename: "plan*.docx" },
      { body: "a hawser" },
      { body: "pier", attachment: "hawser hawser rope of the berth", filename: "b.txt" },
      ...filler,
    ];
    const searcher = new Searcher(corpusSource(messages));
    for (const query of [
      "hawser",
      "hawser rope",
      "tide",
      "tide berth",
      "ber*",
      "berth tide pier the",
      "pier -hawser",
    ]) {
      const { found } = await searcher.search(query, 100, {}, "any");
      const matching = await searcher.matching(query, {}, "any");
      expect(
        found.map(({ document }) => document).sort((a, b) => a - b),
        query,
      ).toEqual(matching);
      if (/[-*]/.test(query)) continue;
      const scores = naiveScores(messages, query);
      expect(new Map(found.map(({ document, score }) => [document, Number(score.toFixed(9))])), query).toEqual(
        new Map(Array.from(scores, ([document, score]) => [document, Number(score.toFixed(9))])),
      );
    }
    const { found } = await searcher.search("hawser", 3, {}, "any");
    expect(found.map(({ document, snippet }) => [document, snippet])).toEqual([
      [2, "a **hawser**"],
      [3, "[b.txt] **hawser** **hawser** rope of the berth"],
      [1, "[plan∗.docx] **hawser**"],
    ]);
    const [only] = (await searcher.search("attachment:rope", 3, {}, "any")).found;
    expect(only?.snippet).toBe("[b.txt] hawser hawser **rope** of the berth");
  });

  it("finds phrases in attachments, one at a time and several", async () => {
    const messages = [
      { body: "see the file", attachment: "Invoice INV-2023/0045 of the pier", filename: "a.txt" },
      { body: "see the file", attachment: "2023 INV and 0045 pier the", filename: "b.txt" },
      { body: "INV-2023/0045", attachment: "the old pier", filename: "c.txt" },
      { subject: "The pier", body: "INV 2023", attachment: "0045" },
    ];
    const searcher = new Searcher(corpusSource(messages));
    const nine = Array.from({ length: 9 }, (_, at) => `"see the${at % 2 === 0 ? "" : " file"}"`).join(" ");
    for (const [query, found] of [
      ["INV-2023/0045", [1, 3]],
      ["-INV-2023/0045", [2, 4]],
      ['"inv 2023 0045" -"old pier"', [1]],
      ['"inv 2023 0045" OR "the pier"', [1, 3, 4]],
      ['"pier the" OR "old pier"', [2, 3]],
      ['"old pier" OR inv w/2 pier', [2, 3]],
      [`${nine} "invoice inv"`, [1]],
    ] as const) {
      expect(await searcher.matching(query, {}, "all"), query).toEqual(found);
      const ranked = (await new Searcher(corpusSource(messages)).search(query, 9, {}, "all")).found;
      expect(ranked.map(({ document }) => document).sort(), query).toEqual(found);
    }
  });

  it("requires fewer words the more there are", async () => {
    const words = Array.from({ length: 30 }, (_, n) => `word${n}`);
    const messages = [words.join(" "), words.slice(0, 15).join(" "), words.slice(15).join(" ")].map((body) => ({
      body,
    }));
    const searcher = new Searcher(corpusSource(messages));
    for (const count of [1, 5, 6, 10, 30]) {
      const query = words.slice(0, count).join(" ");
      const expected = naiveScores(messages, query);
      for (const { document, score } of (await searcher.search(query, 20, {}, "any")).found)
        expect(score).toBeCloseTo(expected.get(document)!, 9);
    }
  });

  it("counts words that occur hundreds of times among other common ones", async () => {
    const messages = [
      "a b c d e",
      `${"a ".repeat(300)}b c d e`,
      `a ${"b ".repeat(255)}c d ${"e ".repeat(254)}`,
      "c d e",
    ].map((body) => ({
      body,
    }));
    const { found } = await new Searcher(corpusSource(messages)).search("a b c d e", 20, {}, "any");
    const expected = naiveScores(messages, "a b c d e");
    expect(found).toHaveLength(4);
    for (const { document, score } of found) expect(score).toBeCloseTo(expected.get(document)!, 9);
  });

  it("leaves no state for the next query", async () => {
    const first = await searcher.search("budget office", 5, {}, "any");
    await searcher.search("the of annual plan", 5, {}, "any");
    expect(await searcher.search("budget office", 5, {}, "any")).toEqual(first);
  });

  it("reports a wildcard with too many matches", async () => {
    const words = Array.from({ length: 1001 }, (_, index) => `w${index}x`);
    const wide = new Searcher(corpusSource([{ subject: "w1y", body: words.join(" ") }]));
    const problemsOf = async (query: string): Promise<readonly string[]> => (await wide.search(query, 5)).problems;
    expect(await problemsOf("w*x a")).toEqual([
      '"w*x" matches more than 1,000 words: the most frequent ones are searched',
    ]);
    expect(await problemsOf("w1* subject:w*")).toEqual([]);
  });

  it("ranks a fixed corpus in a fixed order", async () => {
    const order = async (query: string): Promise<string[]> =>
      (await searcher.search(query, 20, {}, "any")).found.map(
        ({ document, score }) => `${document} ${score.toFixed(4)}`,
      );
    expect(await order("annual budget")).toMatchInlineSnapshot(`
      [
        "1 1.6920",
        "3 1.6694",
        "5 0.0316",
        "2 0.0306",
      ]
    `);
    expect(await order("budget budget lunch")).toMatchInlineSnapshot(`
      [
        "2 1.5193",
        "1 0.0662",
        "3 0.0653",
        "5 0.0431",
      ]
    `);
    expect(await order("the of and")).toMatchInlineSnapshot(`
      [
        "8 1.9644",
        "3 1.2347",
        "1 0.1747",
        "4 0.0056",
        "2 0.0053",
      ]
    `);
  });

  it("prefers the subject, then the newer, and ranks stop words like any other", async () => {
    const two = new Searcher(corpusSource([{ body: "plan x" }, { subject: "plan", body: "x" }]));
    expect((await found(two, "plan"))[0]).toBe(2);
    expect(await find("canal")).toEqual([10, 9]);
    expect((await find("the"))[0]).toBe(8);
  });

  it("ranks an archive of one message, and an empty one", async () => {
    expect(await found(new Searcher(corpusSource([{ body: "the" }])), "the")).toHaveLength(1);
    expect(await found(new Searcher(corpusSource([{ body: "" }])), "the")).toEqual([]);
    expect(await found(new Searcher(corpusSource([])), "the -x from:a after:2001")).toEqual([]);
  });
});

describe("query language", () => {
  it.each([
    ["lunch budget", "words combine with OR", [2, 1, 3, 5]],
    ["cafe", "accents and case fold", [6]],
    ["STRASSE", "as does the sharp s", [6]],
    ['"annual budget"', "a phrase, in body or subject", [1, 3]],
    ['"budget annual"', "in its order", [3]],
    ['"budget of the annual"', "and only as a whole", []],
    ['"annual', "an open quote is no phrase", [1, 3]],
    ["budget -lunch", "minus excludes", [1, 3, 5]],
    ['budget -"annual report"', "a phrase too", [1, 2, 5]],
    ["budget -office-budget", "a compound word is excluded as a phrase", [1, 3, 5]],
    ["+lunch budget", "plus requires", [2]],
    ["+lunch +annual", "each of them", []],
    ["+nowhere budget", "a required word that nobody wrote finds nothing", []],
    ["nowhere", "neither does an unknown one", []],
    ["report*", "a prefix", [3, 4]],
    ["+report* budget", "required", [3, 4]],
    ["budget -ann*", "or excluded", [2, 5]],
    ["東京都", "bigrams of scripts without spaces", [5]],
    ["予", "a lone character of them finds the pairs it begins", [5]],
    ["budget from:ann", "sender by name", [1, 3]],
    ["from:ANN@example.org", "sender by address, every alias included, newest first", [3, 1]],
    ["budget -from:ann@example.org", "or anybody else", [2, 5]],
    ['from:"ann lee" budget', "quoted values", [1, 3]],
    ["from:nobody budget", "unknown senders find nothing", []],
    ["to:ann", "receiver", [6]],
    ["cc:ann", "copy", []],
    ["subject:report", "subject: only what stands there", []],
    ["subject:budget", "subject", [3, 1]],
    ["has:attachment", "attachments", [4]],
    ["filename:minutes filename:pdf", "their names", [4]],
    ["in:dublin", "mailbox", [4]],
    ["in:sent budget", "part of its name", [3]],
    ["in:nowhere budget", "unknown mailboxes find nothing", []],
    ["-in:inbox budget", "not in a mailbox", [3, 5]],
    ["-in:nowhere budget", "an unknown mailbox leaves nothing out", [1, 2, 3, 5]],
    ["id:one@example.org", "Message-ID", [1]],
    ["id:<one@example.org> office", "with its brackets; words rank", [1]],
    ["id:ONE@example.org", "as it is written", []],
    ["-id:one@example.org annual", "not this one", [3]],
    ["topic:topic-002", "topic by id", [6]],
    ["topic:budget lunch", "topic by name, lunch only ranks", []],
    ["topic:budget budget", "topic by name", [1, 3]],
    ["topic:nonsense budget", "unknown topics find nothing", []],
    ["after:2002-01-06", "dates include their whole day", [10]],
    ["before:2001-05-01", "at both ends", [1]],
    ["after:2001-05 before:2001-05 budget", "months", [1, 3, 2]],
    ["after:2001-02-30 budget", "an impossible date is plain words", [1, 3, 2, 5]],
    ["has:wings budget", "an unknown value is plain words", [1, 3, 2, 5]],
    ["-budget -plan -the", "exclusions alone list the rest, newest first, undated last", [7, 6]],
    ["", "nothing", []],
    ["!!! ... ---", "no word", []],
    ['+ - " * from: :', "signs without words; a lone operator is a word", []],
  ])("%s: %s", async (query, _meaning, expected) => {
    expect((await find(query)).sort((a, b) => a - b)).toEqual([...expected].sort((a, b) => a - b));
  });

  it.each([
    ["from:ANN@example.org", [3, 1]],
    ["subject:budget", [3, 1]],
    ["-budget -plan -the", [7, 6]],
    ["in:inbox", [2, 1]],
  ])("%s: conditions alone list the newest first, undated last", async (query, expected) => {
    expect(await find(query)).toEqual(expected);
  });

  it("applies filters before it chooses the best", async () => {
    expect(await found(searcher, "budget", 1, { from: "ben@example.org" })).toEqual([2]);
    expect(await found(searcher, "budget", 9, { topicId: "topic-001" })).toHaveLength(2);
    expect(await found(searcher, "budget", 9, { topicId: "topic-1" })).toEqual([]);
    expect(await found(searcher, "budget", 9, { from: "nobody@example.org" })).toEqual([]);
    const may = { after: day("2001-05-02"), before: day("2001-05-03") };
    expect((await found(searcher, "budget", 9, may)).sort()).toEqual([2, 3]);
    expect(await found(searcher, "reporter", 9, { before: day("2020-01-01") })).toEqual([]);
    expect(await found(searcher, "...", 9, may)).toEqual([]);
  });

  it("selects by a filter alone, and ignores unknown syntax", async () => {
    expect(await searcher.matching("", { from: "ann@example.org" })).toEqual([1, 3]);
    expect(await searcher.matching("", { from: "nobody@example.org" })).toEqual([]);
    expect(await searcher.matching("budget", { before: day("2001-05-02") })).toEqual([1, 2]);
    expect(await searcher.matching("...", { from: "ann@example.org" })).toEqual([]);
  });

  it("never finds removed messages", async () => {
    const without = new Searcher(corpusSource(CORPUS, [1, 10]));
    expect(await found(without, "budget")).not.toContain(1);
    expect(await found(without, "canal")).toEqual([9]);
    expect(await found(without, "after:2002-01-05")).toEqual([9]);
  });

  it.each([
    ["budget report* +annual -lunch from:ann@example.org in:inbox topic:budget -subject:plan", ["lookUp", "texts 1"]],
    ['the plan "a plan" -"the the" person:ann@example.org OR a*', ["lookUp", "values 1", "texts 2", "texts 2"]],
    ["nowhere +to:nobody@example.org", ["lookUp"]],
  ])("queries a remote store for all terms at once, then values and texts: %s", async (query, expected) => {
    const source = farSource(corpusSource(CORPUS));
    await new Searcher(source).search(query, 20, {}, "any");
    expect(source.roundTrips).toEqual(expected);
  });

  it("requires all words, or any if no message has all", async () => {
    const searcher = new Searcher(corpusSource([{ body: "rope" }, { body: "rope pier" }, { body: "pier tide" }]));
    const ask = async (query: string, match?: "all" | "any") => {
      const outcome = await searcher.search(query, 10, {}, match);
      return [outcome.matched, ...outcome.found.map(({ document }) => document).sort()];
    };
    expect(await ask("rope pier")).toEqual(["all", 2]);
    expect(await ask("rope pier", "any")).toEqual(["any", 1, 2, 3]);
    expect(await ask("rope tide")).toEqual(["any", 1, 2, 3]);
    expect(await ask("rope tide", "all")).toEqual(["all"]);
    expect(await ask("no-where pier")).toEqual(["any", 2, 3]);
    expect(await ask("nowhere")).toEqual(["all"]);
    expect(await searcher.matching("rope tide")).toEqual([]);
    expect(await searcher.matching("rope tide", {}, "any")).toEqual([1, 2, 3]);
  });

  it("queries a source only once if any word is the same as all words", async () => {
    const source = farSource(corpusSource(CORPUS));
    await new Searcher(source).search("nowhere", 20);
    expect(source.roundTrips).toEqual(["lookUp"]);
  });

  it("reads a hundred texts for a phrase, then further ones as needed", async () => {
    const source = farSource(corpusSource(Array.from({ length: 350 }, (_, i) => ({ body: i < 120 ? "b a" : "a b" }))));
    expect(await found(new Searcher(source), '"a b"', 5)).toEqual([121, 122, 123, 124, 125]);
    expect(source.roundTrips).toEqual(["lookUp", "texts 100", "texts 250", "texts 5"]);
  });

  it("has one batch of texts fetched ahead for a phrase that is hard to find", async () => {
    const source = farSource(corpusSource(Array.from({ length: 700 }, (_, i) => ({ body: i < 420 ? "b a" : "a b" }))));
    expect(await found(new Searcher(source), '"a b"', 5)).toEqual([421, 422, 423, 424, 425]);
    expect(source.roundTrips).toEqual(["lookUp", "texts 100", "texts 450", "texts 150", "texts 5"]);
  });

  it("reads no text again for a phrase that was searched for before", async () => {
    const source = farSource(corpusSource(Array.from({ length: 120 }, (_, i) => ({ body: i < 90 ? "b a" : "a b" }))));
    const searcher = new Searcher(source);
    expect(await found(searcher, '"a b"', 5)).toEqual([91, 92, 93, 94, 95]);
    source.roundTrips.length = 0;
    expect(await found(searcher, '"a b"', 4)).toEqual([91, 92, 93, 94]);
    expect(source.roundTrips).toEqual(["lookUp", "texts 4"]);
    expect(await found(searcher, '"a b"', 30)).toEqual(Array.from({ length: 30 }, (_, i) => 91 + i));
    expect(source.roundTrips.slice(2)).toEqual(["lookUp", "texts 17", "texts 30"]);
    expect(await found(searcher, 'b -"a b"', 1)).toEqual([1]);
    expect(source.roundTrips.slice(5)).toEqual(["lookUp", "texts 1"]);
  });

  it("continues after the returned texts if a source does not return all at once", async () => {
    const source = corpusSource(Array.from({ length: 350 }, (_, i) => ({ body: i < 320 ? "b a" : "a b" })));
    const asked: number[] = [];
    const sparing = {
      ...source,
      async texts(documents: ArrayLike<number>, parts: TextParts) {
        asked.push(documents.length);
        return (await source.texts(documents, parts)).slice(0, 80);
      },
    };
    expect(await found(new Searcher(sparing), '"a b"', 5)).toEqual([321, 322, 323, 324, 325]);
    expect(asked).toEqual([100, 270, 190, 110, 30, 5]);
  });

  it("joins the terms of a prefix: a rare form does not outrank common ones", async () => {
    const messages = [
      { body: "plan plans planning" },
      { body: "planetoid" },
      ...Array.from({ length: 20 }, () => ({ body: "plan of x" })),
    ];
    const { found } = await new Searcher(corpusSource(messages)).search("plan*", 30);
    expect(found).toHaveLength(22);
    expect(found[0]!.document).toBe(1);
    expect(found[1]!.score).toBeGreaterThan(0);
  });

  it("searches phrases in subjects too, in any number", async () => {
    const messages = [
      { subject: "annual budget plan", body: "x" },
      { subject: "plan", body: "budget plan y" },
      { subject: "plan budget", body: "x" },
    ];
    const own = new Searcher(corpusSource(messages));
    const ask = async (query: string): Promise<number[]> => (await found(own, query)).sort();
    expect(await ask('"budget plan"')).toEqual([1, 2]);
    expect(await ask('"budget plan" '.repeat(20))).toEqual([1, 2]);
    expect(await ask('x -"budget plan"')).toEqual([3]);
    expect(await ask(`x ${'-"budget plan" '.repeat(20)}`)).toEqual([3]);
    expect(await ask('"plan budget"')).toEqual([3]);
    expect(await ask('"budget nowhere"')).toEqual([]);
  });

  it("finds phrases in messages beyond the best candidates", async () => {
    const others = Array.from({ length: FIRST_VERIFIED + 5 }, (_, i) => ({ body: `b a n${i}` }));
    const messages = [{ body: "a b first" }, ...others, { body: "a b last" }];
    const searcher = new Searcher(corpusSource(messages));
    expect(await found(searcher, '"a b"', 1)).toEqual([1]);
    expect(await found(searcher, '"a b"', 5)).toEqual([1, messages.length]);
    expect(await found(searcher, 'a -"b a"', 5)).toEqual([1, messages.length]);
    expect(await found(new Searcher(corpusSource(others)), '"a b"', 5)).toEqual([]);
  });

  it("stops reading candidates when enough of them have the phrase", async () => {
    const body = (at: number): string => `${at < FIRST_VERIFIED + 5 ? "b a" : "a b"} n${at}`;
    const messages = Array.from({ length: 3 * FIRST_VERIFIED }, (_, at) => ({ body: body(at) }));
    const source = farSource(corpusSource(messages));
    expect(await found(new Searcher(source), '"a b"', 5)).toEqual([1, 2, 3, 4, 5].map((at) => FIRST_VERIFIED + 5 + at));
    const texts = source.roundTrips.filter((trip) => trip.startsWith("texts"));
    const read = texts.reduce((sum, trip) => sum + Number(trip.split(" ")[1]), 0);
    expect(read).toBeLessThan(2 * FIRST_VERIFIED);
  });
});

describe("hostile queries", () => {
  it.each([
    ["a megabyte of one word", "a".repeat(1 << 20)],
    ["a megabyte of words", "the budget ".repeat(1 << 17)],
    ["a megabyte of quotes", '"'.repeat(1 << 20)],
    ["a megabyte of operators", "from:".repeat(1 << 18)],
    ["a thousand prefixes", Array.from({ length: 1000 }, (_, i) => `a${i % 7}*`).join(" ")],
    ["a thousand exclusions", Array.from({ length: 1000 }, (_, i) => `-w${i}`).join(" ")],
    ["NUL and control characters", "bud\0get \u0001\u001b[31m budget"],
    ["lone surrogates", "\ud800 budget \udfff"],
    ["names of the prototype", "constructor:x __proto__:y toString:z"],
    ["SQL", "'; DROP TABLE ix_post; -- %' OR 1=1"],
  ])("%s", async (_, query) => {
    expect((await searcher.search(query, 10, {}, "any")).found.length).toBeLessThanOrEqual(10);
  });

  it("any text", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom(...'ab"+-*: \0fromtopicbefore2001@<>東\ud800'), maxLength: 40 }),
        async (query) => {
          const { found } = await searcher.search(query, 3, {}, "any");
          expect(found.length).toBeLessThanOrEqual(3);
          for (const { score } of found) expect(Number.isFinite(score)).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("texts that messages repeat", () => {
  const [memo, other] = [
    { body: "barge late again", textKey: 2, author: 1 },
    { body: "barge early", textKey: 4, author: 1 },
  ];
  const messages: readonly CorpusMessage[] = [
    { ...memo, thread: 1, sentAt: 1, topic: 1 },
    { ...memo, thread: 2, sentAt: 2, topic: 2 },
    { ...other, thread: 3, sentAt: 3 },
    { ...memo, author: 2, thread: 4, sentAt: 4 },
    { ...memo, thread: 5, sentAt: 5, topic: 1 },
  ];
  const found = async (query: string, limit = 20, filter = {}): Promise<unknown[]> =>
    (await new Searcher(farSource(corpusSource(messages))).search(query, limit, filter, "any")).found.map(
      ({ document, repeats }) => [document, repeats] as const,
    );

  it("are grouped under the best hit, which lists the others", async () => {
    expect(await found("barge")).toEqual([
      [3, []],
      [5, [1, 2, 4]],
    ]);
    expect(await found('"barge late"')).toEqual([[5, [1, 2, 4]]]);
  });

  it("are folded in lists without words as well, the newest first", async () => {
    expect(await found("after:1970")).toEqual([
      [5, [1, 2, 4]],
      [3, []],
    ]);
  });

  it("count only if they match the query's conditions", async () => {
    expect(await found("barge", 20, { before: 2 })).toEqual([[2, [1]]]);
    expect(await found("late topic:topic-001")).toEqual([[5, [1]]]);
  });

  it("do not shorten the list of results", async () => {
    const many = Array.from({ length: 200 }, (_, n) => ({ ...memo, thread: n, sentAt: n }));
    const searcher = new Searcher(corpusSource([...many, other, { ...memo, author: 2, thread: 999 }]));
    const { found: hits } = await searcher.search("barge late", 3, {}, "any");
    expect(hits.map(({ document, repeats }) => [document, repeats.length])).toEqual([
      [200, 200],
      [201, 0],
    ]);
    expect((await searcher.search("barge late", 1, {}, "any")).found).toEqual(hits.slice(0, 1));
  });
});
