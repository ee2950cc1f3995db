import { Searcher } from "../src/search/searcher.ts";
import { confidence, drawDistinct, drawKnownItems, mean, QUERY_TOKENS, readMessages, reciprocalRanks, TOP } from "../test/known-items.ts";
import { miniSearchRivals, type Rival } from "../test/mini-search-rivals.ts";
import { type CorpusMessage, corpusSource } from "../test/search-corpus.ts";

const QUERIES = 400;
const OWN = "archivetool";
/** Samples of each size: one alone may be lucky. */
const SEEDS = [1, 2, 3] as const;

interface Corpus {
  readonly name: string;
  readonly messages: (seed: number) => readonly CorpusMessage[];
  /** MiniSearch takes seconds for each query on all messages. */
  readonly withRivals: boolean;
}

/**
 * Known-item search on a tree of plain-text messages: mean reciprocal rank at 10 of three random tokens of a message. A copy of the
 * text under another Message-ID is the message too.
 */
export function benchRanking(directory: string): void {
  const all = readMessages(directory);
  const corpora: readonly Corpus[] = [
    { name: "5,000 different bodies", messages: (seed) => drawDistinct(all, 5000, seed), withRivals: true },
    { name: "7,093 different bodies", messages: (seed) => drawDistinct(all, 7093, seed), withRivals: false },
    { name: `all ${all.length.toLocaleString("en-US")}, copies count as found`, messages: () => all, withRivals: false },
  ];
  console.log(
    `| Messages | Program | ${Object.keys(QUERY_TOKENS).join(" | ")} |\n|---|---|${"---|".repeat(Object.keys(QUERY_TOKENS).length)}`,
  );
  for (const corpus of corpora) {
    const measured = measure(corpus);
    const own = measured.get(OWN)!;
    for (const [who, ranks] of measured) {
      const cells = Object.keys(QUERY_TOKENS).map((tokens) => cellOf(ranks.get(tokens)!, who === OWN ? null : own.get(tokens)!));
      console.log(`| ${corpus.name} | ${who} | ${cells.join(" | ")} |`);
    }
  }
}

/** Mean and 95 % interval; of a rival also our lead, query by query. */
function cellOf(ranks: readonly number[], own: readonly number[] | null): string {
  const value = `${mean(ranks).toFixed(3)} ± ${confidence(ranks).toFixed(3)}`;
  if (own === null) return value;
  const lead = ranks.map((rank, i) => own[i]! - rank);
  return `${value} (${mean(lead).toFixed(3)} ± ${confidence(lead).toFixed(3)})`;
}

/** Reciprocal ranks by program and kind of token, over all seeds. */
function measure({ messages, withRivals }: Corpus): ReadonlyMap<string, ReadonlyMap<string, readonly number[]>> {
  const ranks = new Map<string, Map<string, number[]>>();
  for (const seed of SEEDS) {
    const sample = messages(seed);
    const searcher = new Searcher(corpusSource(sample));
    const own: Rival = { name: OWN, search: (query) => searcher.search(query, TOP).found.map(({ document }) => document) };
    for (const { name, search } of withRivals ? [own, ...miniSearchRivals(sample)] : [own]) {
      const byTokens = ranks.get(name) ?? new Map<string, number[]>();
      ranks.set(name, byTokens);
      for (const [tokens, pattern] of Object.entries(QUERY_TOKENS)) {
        const items = drawKnownItems(sample, pattern, { count: QUERIES, seed: 7000 + seed });
        byTokens.set(tokens, [...(byTokens.get(tokens) ?? []), ...reciprocalRanks(items, search)]);
      }
    }
  }
  return ranks;
}
