import { expect, it } from "vitest";
import { corpusSource } from "../../../test/search-corpus.ts";
import { Explorer } from "../explorer.ts";
import { SearchTurns } from "../indexing/search-turns.ts";
import { Searcher } from "../searcher.ts";

const CORPUS = corpusSource(
  Array.from({ length: 5000 }, (_, at) => ({ body: `word${at % 50} of the sea and the land${at % 7}` })),
);

/** Runs work on a clock that advances by a time slice with every read. */
function run<T>(work: () => Promise<T>, signal: AbortSignal, budget: number): Promise<T> {
  return slowTurns().run(work, signal, budget);
}

function slowTurns(): SearchTurns {
  let time = 0;
  const clock = (): number => (time += 10);
  return new SearchTurns({ processor: clock, elapsed: clock });
}

const WAYS = {
  search: (query: string) => new Searcher(CORPUS).search(query, 10),
  matching: (query: string) => new Searcher(CORPUS).matching(query),
  page: (query: string) =>
    new Explorer(new Searcher(CORPUS)).page({
      query,
      match: "all",
      repeats: "listed",
      sort: "relevance",
      offset: 0,
      limit: 10,
    }),
  hits: (query: string) => new Explorer(new Searcher(CORPUS)).hits([{ query, match: "all" }]),
};

const QUERIES = ["of the sea", "word*", '"the sea" OR "and the"', "sea after:2001", '"of the"~2 -(word1 OR word2)'];
const CASES = Object.keys(WAYS).flatMap((way) => QUERIES.map((query) => [way as keyof typeof WAYS, query] as const));

it.each(CASES)("%s %s counts its work, and stops at its budget or without a client", async (way, query) => {
  const caller = new AbortController();
  await expect(run<unknown>(() => WAYS[way](query), caller.signal, 20)).rejects.toMatchObject({
    code: "QUERY_TOO_EXPENSIVE",
  });
  const running = run<unknown>(() => WAYS[way](query), caller.signal, 1e9);
  setImmediate(() => caller.abort());
  await expect(running).rejects.toMatchObject({ name: "AbortError" });
});

it("ranks the same while other queries run", async () => {
  const searcher = new Searcher(CORPUS);
  const alone = await searcher.search("the sea word7 land3", 20);
  const turns = slowTurns();
  const { signal } = new AbortController();
  const queries = ["the sea word7 land3", "word* sea", "the sea word7 land3", "land*"];
  const found = await Promise.all(queries.map((query) => turns.run(() => searcher.search(query, 20), signal)));
  expect(found[0]).toEqual(alone);
  expect(found[2]).toEqual(alone);
});
