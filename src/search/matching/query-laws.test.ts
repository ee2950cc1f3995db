import fc from "fast-check";
import { expect, it } from "vitest";
import { corpusSource } from "../../../test/search-corpus.ts";
import { Explorer } from "../explorer.ts";
import { Searcher } from "../searcher.ts";

/** Invariants of the query language over generated queries: listed, counted and exported messages are the same set. */

const WORDS = [
  "rope",
  "pier",
  "10:30",
  "1:23-cv",
  "AT&T",
  "http://x.example/a",
  "tide",
  "C++",
  "3月",
  "社",
  "p?er",
  "*ide",
  "r*e",
];
const MESSAGES = [
  { subject: "rope", body: "pier at 10:30", from: "Ann Lee", textKey: 7 },
  { subject: "pier", body: "30 10 tide 1 23 cv", from: "Ben", textKey: 7 },
  { subject: "AT&T", body: "t at rope, http://x.example/a", from: "Ann" },
  { subject: "", body: "1:23-cv x example a http" },
  { subject: "tide", body: "" },
  { subject: "C++", body: "rope at the pier 3月15日 A社", from: "王小明" },
  { subject: "vitamin C", body: "ropes, piers and tides", from: "O’Connor" },
];

const word = fc.constantFrom(...WORDS);
const leaf = fc.oneof(
  word,
  word.map((text) => `"${text} tide"`),
  fc.constantFrom(
    "ro*",
    "from:ann",
    "fro:x",
    "subject:pier",
    "+rope",
    '"AT&T"',
    "from:(ann OR ben)",
    "from:o*",
    "from:王",
    '"rope pier"~1',
    "rope w/2 pier",
  ),
);
const signed = fc.tuple(fc.constantFrom("", "-", "NOT ", "+"), leaf).map(([sign, text]) => `${sign}${text}`);
const query = fc
  .array(fc.tuple(fc.constantFrom(" ", " OR ", " AND "), signed), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([joint, text], at) => (at === 0 ? text : joint + text)).join(""));

it("for every query: the negation is the complement, conditions narrow, alternatives widen", async () => {
  const source = corpusSource(MESSAGES);
  const searcher = new Searcher(source);
  const explorer = new Explorer(searcher);
  const all = await searcher.matching("");
  await fc.assert(
    fc.asyncProperty(query, query, async (one, other) => {
      const found = await searcher.matching(one);
      const opposite = await searcher.matching(`-(${one})`);
      expect([...found, ...opposite].sort(), one).toEqual(all);
      expect(await searcher.matching(`NOT (${one})`), one).toEqual(opposite);
      const both = await searcher.matching(`(${one}) (${other})`);
      expect(found, `${one} and ${other}`).toEqual(expect.arrayContaining([...both]));
      expect(await searcher.matching(`(${one}) OR (${other})`), `${one} or ${other}`).toEqual(
        expect.arrayContaining([...found]),
      );
      const ranked = await searcher.search(one, 20, {}, "all");
      const listed = ranked.found.flatMap(({ document, repeats }) => [document, ...repeats]);
      expect(listed.sort(), one).toEqual(found);
      const [hits] = await explorer.hits([{ query: one, match: "all" }]);
      expect(hits!.messages, one).toBe(found.length);
    }),
    { numRuns: 300 },
  );
});
