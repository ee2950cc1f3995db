import { describe, expect, it } from "vitest";
import { farSource } from "../../../test/far-source.ts";
import { type CorpusMessage, corpusShards, corpusSource } from "../../../test/search-corpus.ts";
import { LoadedRange } from "../ranges/loaded-range.ts";
import { Searcher } from "../searcher.ts";

const MESSAGES: readonly CorpusMessage[] = [
  { body: "", to: "Dana Lee <dana@x.example>\nBob Smith <bob@x.example>", filename: "annual plan.pdf\nbudget.xls" },
  { body: "", to: "Bob Lee <bob@x.example>\nDana Smith <dsmith@x.example>", filename: "annual budget.pdf" },
  { body: "", to: "Smith, Dana <dana.smith@y.example>", from: "Lee, Ann <ann@y.example>", filename: "c++ notes" },
  { body: "", to: "Smith Dana <smith@y.example>", from: "Sean O’Connor <sean@y.example>", filename: "vitamin c" },
  { body: "", from: "Ann B. Lee <ann.lee@y.example>", attachment: "the annual\nplan and the budget for C++" },
  { body: "", to: "Dana <d@x.example>\nmissing", attachment: "annual budget, vitamin c", author: 7 },
  { body: "", from: "王小明 <wang@z.example>", to: "ann@y.example <y@dana.example>" },
  { body: "", from: "Shop <no-reply@shop.example>" },
];

const CASES: readonly (readonly [query: string, expected: readonly number[]])[] = [
  ['to:"dana smith"', [2, 3]],
  ["to:dana-smith", [2, 3]],
  ['to:"smith dana"', [3, 4]],
  ['-to:"dana smith"', [1, 4, 5, 6, 7, 8]],
  ['to:"smith, dana"', [3, 4]],
  ['to:"dana smi*"', [2, 3]],
  ['person:"dana lee"', [1]],
  ['person:"ann lee"', [3, 5]],
  ['from:"ann lee"', [3, 5]],
  ['from:"lee ann"', [3]],
  ['from:"sean oconnor"', [4]],
  ['from:"sean o\'connor"', [4]],
  ['from:"Sean O’Connor <sean@y.example>"', [4]],
  ["from:王小明", [7]],
  ["from:no-reply@shop.example", [8]],
  ["from:noreply@shop.example", []],
  ["from:noreply", [8]],
  ["from:(ann lee)", [3, 5]],
  ["to:bob@x.example", [1, 2]],
  ["to:d@x.example", [6]],
  ["to:y.example", [3, 4, 7]],
  ['filename:"annual budget"', [2]],
  ["filename:budget.pdf", [2]],
  ["filename:(annual budget)", [1, 2]],
  ["filename:c++", [3]],
  ['attachment:"annual plan"', [5]],
  ["attachment:c++", [5]],
  ['attachment:"annual budget"', [6]],
];

describe("a phrase in a field", () => {
  const ranges = corpusShards(MESSAGES, 2).map((shard) => new LoadedRange(farSource(shard)));
  const source = corpusSource(MESSAGES);
  const searchers = [new Searcher(farSource(source)), new Searcher(source, ranges)];

  it.each(CASES)("matches inside one value: %s", async (query, expected) => {
    for (const searcher of searchers) {
      expect(await searcher.matching(query)).toEqual(expected);
      // Again from the cache.
      expect(await searcher.matching(query)).toEqual(expected);
      const { found } = await searcher.search(query, 10);
      expect(found.map(({ document }) => document).sort()).toEqual(expected);
    }
  });

  it("reads only the values of messages with all its words", async () => {
    const far = farSource(source);
    await new Searcher(far).matching('to:"dana smith"');
    expect(far.roundTrips).toEqual(["lookUp", "values 4"]);
  });
});
