import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { farSource } from "../../../test/far-source.ts";
import { type CorpusMessage, corpusSource } from "../../../test/search-corpus.ts";
import type { WordMatch } from "../../mail/exploration.ts";
import { documentsOf } from "../indexing/document-set.ts";
import { parseQuery } from "../query/query-syntax.ts";
import { Searcher } from "../searcher.ts";
import { allDocuments } from "./clause-sets.ts";
import { lookupsForMatch } from "./lookups.ts";

const WORDS = ["budget", "plan", "annual", "lunch"] as const;

/** Every combination of four words, with authors, recipients, threads and years that change at other rates. */
const CORPUS: readonly CorpusMessage[] = Array.from({ length: 48 }, (_, i) => ({
  body:
    WORDS.filter((_word, bit) => (i & (1 << bit)) !== 0).join(" and ") + ["", " [REDACTED:email]", " redacted"][i % 3]!,
  tags: i % 4 === 1 ? (["Press", "to do"] as const) : i % 4 === 2 ? (["to do"] as const) : [],
  ...(i % 6 === 2 ? { note: "look again" } : {}),
  ...(i % 5 === 2 ? ({ review: "not_relevant" } as const) : {}),
  subject: ["annual plan", "", "", "", i % 2 === 0 ? "Plan: annual" : ""][i % 5]!,
  from: i % 3 === 0 ? "Ann <ann@example.org>" : "Ben <ben@example.org>",
  author: i % 3 === 0 ? 1 : 2,
  to: i % 4 === 0 ? "Ann <ann.lee@example.net>" : "Cleo <cleo@example.org>",
  receivers: i % 4 === 0 ? [1] : [3],
  thread: i % 7,
  topic: i % 2,
  mailbox: i % 6 === 0 ? "Sent Items" : "Sent",
  source: i % 2,
  language: ["en", "de", ""][i % 3]!,
  domain: i % 5 === 1 ? "example.org" : "lists.example.org",
  labels: [["seen"], ["Work", "seen"], ["Work/2001"], []][i % 4]!,
  sizeBytes: i * 1024,
  traits: i % 8 < 3 ? (["reply", "findings"] as const) : [],
  attachmentTypes: i % 9 === 0 ? (["pdf", "image"] as const) : [],
  sentAt: i % 11 === 0 ? null : Date.UTC(2000 + (i % 4), 5, 1),
}));
const searcher = new Searcher(farSource(corpusSource(CORPUS, [9, 20])));
const LIVE = CORPUS.map((_, i) => i + 1).filter((document) => document !== 9 && document !== 20);

const holds = (message: CorpusMessage, word: string): boolean =>
  `${message.body} ${message.subject}`.toLowerCase().split(/[ :]+/).includes(word);

/** A condition as written, and its expected meaning for a message, computed without the index. */
interface Condition {
  readonly text: string;
  fits(message: CorpusMessage): boolean;
}

const LEAVES: readonly Condition[] = [
  ...WORDS.map((word) => ({ text: `+${word}`, fits: (message: CorpusMessage) => holds(message, word) })),
  { text: '"budget and plan"', fits: ({ body }) => body.includes("budget and plan") },
  { text: "from:ann@example.org", fits: ({ author }) => author === 1 },
  { text: "from:contact-000002", fits: ({ author }) => author === 2 },
  { text: "to:ann@example.org", fits: ({ receivers }) => receivers!.includes(1) },
  { text: "to:cleo", fits: ({ receivers }) => receivers!.includes(3) },
  { text: "person:contact-000001", fits: ({ author, receivers }) => author === 1 || receivers!.includes(1) },
  { text: "thread:thread-000003", fits: ({ thread }) => thread === 3 },
  { text: "topic:topic-001", fits: ({ topic }) => topic === 1 },
  { text: "in:sent", fits: () => true },
  { text: "mailbox:Sent", fits: ({ mailbox }) => mailbox === "Sent" },
  { text: "on:2001-06", fits: ({ sentAt }) => sentAt === Date.UTC(2001, 5, 1) },
  { text: "after:2002", fits: ({ sentAt }) => sentAt !== null && sentAt! >= Date.UTC(2002, 0, 1) },
  { text: "source:1", fits: ({ source }) => source === 1 },
  { text: "source:old.mbox", fits: ({ source }) => source === 0 },
  { text: "lang:DE", fits: ({ language }) => language === "de" },
  { text: "domain:@Example.org", fits: ({ domain }) => domain === "example.org" },
  { text: "domain:nowhere.example", fits: () => false },
  { text: "domain:*.example.org", fits: ({ domain }) => domain === "lists.example.org" },
  { text: "domain:*", fits: () => true },
  { text: "domain:a~*", fits: () => false },
  { text: "label:Work", fits: ({ labels }) => labels!.includes("Work") },
  { text: "label:work", fits: ({ labels }) => labels!.some((label) => label.startsWith("Work")) },
  { text: "larger:10k", fits: ({ sizeBytes }) => sizeBytes! > 10_240 },
  { text: "smaller:0.02MB", fits: ({ sizeBytes }) => sizeBytes! < 20_972 },
  { text: "is:reply", fits: ({ traits }) => traits!.includes("reply") },
  { text: "has:findings", fits: ({ traits }) => traits!.includes("findings") },
  { text: "tag:press", fits: ({ tags }) => tags!.includes("Press") },
  { text: 'tag:"TO DO"', fits: ({ tags }) => tags!.includes("to do") },
  { text: "tag:to", fits: () => false },
  { text: "id:(msg-000003 OR MSG-000009)", fits: (message) => message === CORPUS[2] },
  { text: "has:note", fits: ({ note }) => note !== undefined },
  { text: "review:not-relevant", fits: ({ review }) => review === "not_relevant" },
  { text: "review:open", fits: ({ review }) => review === undefined },
  { text: "is:redacted", fits: ({ body }) => body.includes("[REDACTED:") },
  { text: "has:copies", fits: () => false },
  { text: "is:undated", fits: ({ sentAt }) => sentAt === null },
  { text: "type:pdf", fits: ({ attachmentTypes }) => attachmentTypes!.includes("pdf") },
  { text: "subject:annual", fits: ({ subject }) => subject !== "" },
  { text: 'subject:"annual plan"', fits: ({ subject }) => subject === "annual plan" },
  { text: "subject:plan-annual", fits: ({ subject }) => subject === "Plan: annual" },
  { text: "subject:(plan annual)", fits: ({ subject }) => subject !== "" },
];

/** Conditions with any nesting. */
const { condition: CONDITION } = fc.letrec<{ condition: Condition }>((tie) => {
  const several = fc.array(tie("condition"), { minLength: 2, maxLength: 3 });
  return {
    condition: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(...LEAVES),
      tie("condition").map(({ text, fits }) => ({
        text: `-(${text})`,
        fits: (message: CorpusMessage) => !fits(message),
      })),
      several.map((all) => ({
        text: `(${all.map(({ text }) => text).join(" ")})`,
        fits: (message: CorpusMessage) => all.every(({ fits }) => fits(message)),
      })),
      several.map((any) => ({
        text: `(${any.map(({ text }) => text).join(" OR ")})`,
        fits: (message: CorpusMessage) => any.some(({ fits }) => fits(message)),
      })),
    ),
  };
});

async function found(query: string, match: WordMatch = "any"): Promise<number[]> {
  const { clauses } = parseQuery(query, match);
  const { sets } = await searcher.whole.lookUp(lookupsForMatch(clauses));
  return Array.from(documentsOf(await sets.matching(clauses, allDocuments(searcher.source))));
}

const naively = ({ fits }: Condition): number[] => LIVE.filter((document) => fits(CORPUS[document - 1]!));

describe("conditions", () => {
  it.each(LEAVES.map((leaf) => [leaf.text, leaf] as const))("%s", async (_, leaf) => {
    expect(await found(leaf.text)).toEqual(naively(leaf));
  });

  it("match the same messages in ranked results and in complete results, nested at any depth", async () => {
    await fc.assert(
      fc.asyncProperty(CONDITION, async (condition) => {
        const expected = naively(condition);
        expect(await found(condition.text)).toEqual(expected);
        expect(await searcher.matching(condition.text)).toEqual(expected);
        const hits = (await searcher.search(condition.text, 100)).found.map(({ document }) => document);
        expect(hits.sort((left, right) => left - right)).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  it("keep the laws of sets", async () => {
    await fc.assert(
      fc.asyncProperty(CONDITION, CONDITION, CONDITION, async ({ text: a }, { text: b }, { text: c }) => {
        expect(await found(`(${a})`)).toEqual(await found(a));
        expect([...(await found(a)), ...(await found(`-(${a})`))].sort((left, right) => left - right)).toEqual(LIVE);
        expect(await found(`${a} ${b}`)).toEqual(await found(`-(-(${a}) OR -(${b}))`));
        expect(await found(`${a} OR ${b} ${c}`)).toEqual(await found(`(${a} ${c}) OR (${b} ${c})`));
      }),
      { numRuns: 100 },
    );
  });
});

describe("plain words", () => {
  const both = LIVE.filter((document) => WORDS.slice(0, 2).every((word) => holds(CORPUS[document - 1]!, word)));
  const either = LIVE.filter((document) => WORDS.slice(0, 2).some((word) => holds(CORPUS[document - 1]!, word)));

  it("combine as requested", async () => {
    expect(await found("budget plan", "all")).toEqual(both);
    expect(await found("budget plan", "any")).toEqual(either);
    expect(await found("budget OR plan", "all")).toEqual(either);
    expect(await found("-(budget plan)", "all")).toEqual(LIVE.filter((document) => !both.includes(document)));
    expect(await found("-(budget plan)", "any")).toEqual(LIVE.filter((document) => !either.includes(document)));
  });

  it("rank messages of a group; other messages follow, newest first", async () => {
    const { found: hits } = await searcher.search("budget OR thread:thread-000003", 100);
    const [ranked, unranked] = [hits.filter(({ score }) => score > 0), hits.filter(({ score }) => score === 0)];
    expect(hits).toEqual([...ranked, ...unranked]);
    expect(ranked.map(({ document }) => document).sort((left, right) => left - right)).toEqual(await found("+budget"));
    const dates = unranked.map(({ document }) => CORPUS[document - 1]!.sentAt ?? Number.NEGATIVE_INFINITY);
    expect(dates.length).toBeGreaterThan(1);
    expect(dates).toEqual([...dates].sort((left, right) => right - left));
    expect((await searcher.search("budget OR thread:thread-000003", 3)).found).toEqual(hits.slice(0, 3));
  });
});
