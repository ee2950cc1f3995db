import { beforeAll, describe, expect, it } from "vitest";
import {
  drawDistinct,
  drawKnownItems,
  mean,
  QUERY_TOKENS,
  readMessages,
  reciprocalRanks,
  type Search,
  TOP,
} from "../../../test/known-items.ts";
import { miniSearchRivals, type Rival } from "../../../test/mini-search-rivals.ts";
import { realData } from "../../../test/real-data.ts";
import { type CorpusMessage, corpusSource } from "../../../test/search-corpus.ts";
import { Searcher } from "../searcher.ts";

const enron = realData("enron-14-custodians");
const SAMPLE = 3000;
/** Messages to read, enough for a sample of different ones. */
const READ = 5000;
const QUERIES = { count: 100, seed: 20_011_203 };

function ownSearch(messages: readonly CorpusMessage[]): Search {
  const searcher = new Searcher(corpusSource(messages));
  return async (query) => (await searcher.search(query, TOP, {}, "any")).found.map(({ document }) => document);
}

describe.skipIf(enron === null)("known-item search in a real archive", () => {
  let sample: CorpusMessage[] = [];
  let own: Search = () => [];
  let rivals: readonly Rival[] = [];
  beforeAll(() => {
    sample = drawDistinct(readMessages(enron!, READ), SAMPLE, 2001);
    own = ownSearch(sample);
    rivals = miniSearchRivals(sample);
  });

  it("are found by three of their words", async () => {
    expect(sample).toHaveLength(SAMPLE);
    const items = drawKnownItems(sample, QUERY_TOKENS["words of 3 and more letters"]!, QUERIES);
    expect(mean(await reciprocalRanks(items, own))).toBeGreaterThanOrEqual(0.7);
  });

  it.each(Object.keys(QUERY_TOKENS))("is at least as good as in MiniSearch: %s", async (tokens) => {
    const items = drawKnownItems(sample, QUERY_TOKENS[tokens]!, QUERIES);
    const ours = await reciprocalRanks(items, own);
    for (const { name, search } of rivals) {
      expect(mean(ours), name).toBeGreaterThanOrEqual(mean(await reciprocalRanks(items, search)));
    }
  });
});
