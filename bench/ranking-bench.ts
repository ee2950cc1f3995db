import { Searcher } from "../src/search/searcher.ts";
import {
  bestPossible,
  confidence,
  discountedGains,
  drawDistinct,
  drawKnownItems,
  mean,
  QUERY_TOKENS,
  readMessages,
  reciprocalRanks,
  TOP,
  threadMates,
  threadSearches,
} from "../test/known-items.ts";
import { miniSearchRivals, type Rival } from "../test/mini-search-rivals.ts";
import { type CorpusMessage, corpusSource } from "../test/search-corpus.ts";

const QUERIES = 400;
const OWN = "archivetool";
const BEST = "best possible";
/** Seeds of the samples, because a single one may be lucky. Ranking was tuned on others (11 to 16). */
const SEEDS = [1, 2, 3] as const;
/** Numbers of query words to compare; every selected message has at least the maximum. */
const QUERY_LENGTHS = [1, 3, 5, 10, 20, 40] as const;
/** Messages of a sample from which queries are drawn. */
const LONG_SAMPLE = 7093;

interface Corpus {
  readonly name: string;
  readonly messages: (seed: number) => readonly CorpusMessage[];
  /** MiniSearch takes seconds per query on all messages. */
  readonly withRivals: boolean;
}

/** Results of each search by program and table column, over all seeds. */
type Measured = Map<string, Map<string, number[]>>;

/** Two tasks on plain-text messages: find a message by three of its words, and a thread by the words of its subject. */
export async function benchRanking(directory: string): Promise<void> {
  const all = readMessages(directory);
  const samples = (size: number, withRivals: boolean): Corpus => ({
    name: `${size.toLocaleString("en-US")} different bodies`,
    messages: (seed) => drawDistinct(all, size, seed),
    withRivals,
  });
  // An archive stores duplicates once.
  const different = drawDistinct(all, all.length, 0);
  const everyDifferent = `all ${different.length.toLocaleString("en-US")} different bodies`;
  const known = [
    samples(5000, true),
    samples(7093, false),
    { name: everyDifferent, messages: () => different, withRivals: false },
  ];
  await printLengths(all);
  await printTable("mean reciprocal rank at 10 of a message by three of its words", known, measureKnownItems);
  const threads = [samples(7093, true), { name: everyDifferent, messages: () => different, withRivals: false }];
  await printTable(
    "nDCG at 10 of the messages of a thread by its subject, which is not indexed",
    threads,
    measureThreads,
  );
}

/** The message from which the query was drawn, and the others of its thread, by number of words. */
async function printLengths(all: readonly CorpusMessage[]): Promise<void> {
  console.log(
    "\nmean reciprocal rank at 10 by words of the query\n\n| Words | the message | another of its thread |\n|---|---|---|",
  );
  const samples = SEEDS.map((seed) => {
    const messages = drawDistinct(all, LONG_SAMPLE, seed);
    return { seed, messages, searcher: new Searcher(corpusSource(messages)) };
  });
  for (const words of QUERY_LENGTHS) {
    const own: number[] = [];
    const mates: number[] = [];
    for (const { seed, messages, searcher } of samples) {
      const draw = { count: QUERIES, seed: 7000 + seed, words, wordsOfMessage: Math.max(...QUERY_LENGTHS) };
      const items = drawKnownItems(messages, QUERY_TOKENS["words of 3 and more letters"]!, draw);
      const search = async (query: string): Promise<readonly number[]> =>
        (await searcher.search(query, 2 * TOP, {}, "any")).found.map(({ document }) => document);
      own.push(...(await reciprocalRanks(items, search)));
      for (const mate of threadMates(items, messages)) {
        const others = async (query: string): Promise<readonly number[]> =>
          (await search(query)).filter((document) => !mate.own.has(document));
        mates.push(...(await reciprocalRanks([mate], others)));
      }
    }
    console.log(`| ${words} | ${cellOf(own, null)} | ${cellOf(mates, null)} |`);
  }
}

async function printTable(
  title: string,
  corpora: readonly Corpus[],
  measure: (corpus: Corpus) => Promise<Measured>,
): Promise<void> {
  for (const [index, corpus] of corpora.entries()) {
    const measured = await measure(corpus);
    const own = measured.get(OWN)!;
    const columns = Array.from(own.keys());
    if (index === 0)
      console.log(
        `\n${title}\n\n| Messages | Program | ${columns.join(" | ")} |\n|---|---|${"---|".repeat(columns.length)}`,
      );
    for (const [who, values] of measured) {
      const cells = columns.map((column) => cellOf(values.get(column)!, who === OWN ? null : own.get(column)!));
      console.log(`| ${corpus.name} | ${who} | ${cells.join(" | ")} |`);
    }
  }
}

/** Mean and 95 % interval; for other programs also our lead per query. */
function cellOf(values: readonly number[], own: readonly number[] | null): string {
  const value = `${mean(values).toFixed(3)} ± ${confidence(values).toFixed(3)}`;
  if (own === null) return value;
  const lead = values.map((rival, i) => own[i]! - rival);
  return `${value} (${mean(lead).toFixed(3)} ± ${confidence(lead).toFixed(3)})`;
}

/** Reciprocal ranks by kind of token. A duplicate with another Message-ID counts as the message. */
async function measureKnownItems(corpus: Corpus): Promise<Measured> {
  const measured: Measured = new Map();
  for (const seed of SEEDS) {
    const messages = corpus.messages(seed);
    const programs = programsFor(messages, corpus.withRivals);
    for (const [tokens, pattern] of Object.entries(QUERY_TOKENS)) {
      const items = drawKnownItems(messages, pattern, { count: QUERIES, seed: 7000 + seed });
      const best: Rival = { name: BEST, search: bestPossible(messages, pattern) };
      for (const { name, search } of [...programs, best])
        collect(measured, [name, tokens], await reciprocalRanks(items, search));
    }
  }
  return measured;
}

async function measureThreads({ messages, withRivals }: Corpus): Promise<Measured> {
  const measured: Measured = new Map();
  const samples = new Set(SEEDS.map(messages));
  for (const sample of samples) {
    const items = threadSearches(sample);
    const programs = programsFor(
      sample.map(({ body }) => ({ body })),
      withRivals,
    );
    for (const { name, search } of programs) collect(measured, [name, "nDCG@10"], await discountedGains(items, search));
  }
  return measured;
}

function programsFor(messages: readonly CorpusMessage[], withRivals: boolean): readonly Rival[] {
  const searcher = new Searcher(corpusSource(messages));
  const own: Rival = {
    name: OWN,
    search: async (query) => (await searcher.search(query, TOP, {}, "any")).found.map(({ document }) => document),
  };
  return withRivals ? [own, ...miniSearchRivals(messages)] : [own];
}

function collect(measured: Measured, [program, column]: readonly [string, string], values: readonly number[]): void {
  const byColumn = measured.get(program) ?? new Map<string, number[]>();
  measured.set(program, byColumn);
  byColumn.set(column, [...(byColumn.get(column) ?? []), ...values]);
}
