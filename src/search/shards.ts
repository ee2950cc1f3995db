import { ClauseSets } from "./clause-sets.ts";
import { TermReader, type WholeFrequencies, type WholePrefix } from "./indexed-term.ts";
import { NOTHING_ASKED } from "./lookups.ts";
import { PhraseMemory } from "./phrase-memory.ts";
import type { PlannedIndex } from "./query-plan.ts";
import { Ranking } from "./rank.ts";
import type { Lookups, SearchSource, TermPrefix } from "./search-source.ts";

/** Messages of a shard at most: 72 MB of columns, and a common word is a walk over 4 MB. */
export const SHARD_DOCUMENTS = 4_000_000;

/** Neighbours that are small enough are one shard; one that is too large is a shard of its own. */
export function inShards<T>(
  parts: readonly T[],
  documentsOf: (part: T) => number,
  shardDocuments = SHARD_DOCUMENTS,
): readonly (readonly T[])[] {
  const shards: T[][] = [];
  let documents = 0;
  for (const part of parts) {
    const count = documentsOf(part);
    const last = shards.at(-1);
    if (last === undefined || documents + count > shardDocuments) {
      shards.push([part]);
      documents = count;
    } else {
      last.push(part);
      documents += count;
    }
  }
  return shards;
}

/**
 * A range of the messages of an archive, with a dictionary, posting lists and columns of its own. Its messages have the
 * numbers that they have in the archive, and its source names the number and the average length of all messages of the
 * archive; how often a term stands in all of them it is told with each query. So a message has the same score in it, to
 * the last bit, whatever the ranges are.
 */
export class Shard {
  readonly source: SearchSource;
  readonly terms: TermReader;
  readonly ranking: Ranking;
  readonly phrases: PhraseMemory;

  constructor(source: SearchSource) {
    this.source = source;
    this.phrases = new PhraseMemory(source.columns.lengths.length);
    this.terms = new TermReader(source);
    this.ranking = new Ranking(source);
  }

  holds(document: number): boolean {
    return document >= this.source.firstDocument && document < this.source.columns.lengths.length;
  }
}

/** What a query is planned on in each shard. An archive that is one shard is asked once. */
export async function lookUpShards(shards: readonly Shard[], asked: Lookups): Promise<readonly PlannedIndex[]> {
  const whole = shards.length === 1 ? null : await wholeFrequencies(shards, asked);
  return Promise.all(
    shards.map(async ({ source, terms, phrases }) => {
      const index = await terms.lookUp(asked, whole);
      return { source, index, sets: new ClauseSets(source, index, phrases) };
    }),
  );
}

/** Adds up over all shards how often the terms of a query stand in them. */
async function wholeFrequencies(shards: readonly Shard[], asked: Lookups): Promise<WholeFrequencies> {
  const terms = new Map<string, number>();
  const prefixes = new Map<string, Map<string, number>>(asked.prefixes.map((prefix) => [keyOf(prefix), new Map()]));
  // Any term may be rare here and frequent elsewhere.
  const all = asked.prefixes.map(({ prefix }) => ({ prefix, limit: Number.MAX_SAFE_INTEGER }));
  for (const { source } of shards) {
    const looked = await source.lookUp({ ...NOTHING_ASKED, terms: asked.terms, prefixes: all });
    for (const term of asked.terms) add(terms, term, looked.postings(term)?.documentFrequency ?? 0);
    for (const [at, prefix] of asked.prefixes.entries())
      for (const { term, documentFrequency } of looked.withPrefix(all[at]!))
        add(prefixes.get(keyOf(prefix))!, term, documentFrequency);
  }
  const chosen = new Map<string, WholePrefix>();
  for (const prefix of asked.prefixes) {
    const found = [...prefixes.get(keyOf(prefix))!].sort(
      (left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1),
    );
    const held = found.slice(0, prefix.limit);
    for (const [term, documentFrequency] of held) terms.set(term, documentFrequency);
    const names = held.map(([term]) => term);
    const counts = await Promise.all(shards.map((shard) => shard.terms.countUnion(names)));
    chosen.set(keyOf(prefix), { terms: names, documentFrequency: counts.reduce((sum, count) => sum + count, 0) });
  }
  return {
    ofTerm: (term) => terms.get(term) ?? 0,
    ofPrefix: (prefix) => chosen.get(keyOf(prefix))!,
  };
}

function add(counts: Map<string, number>, term: string, count: number): void {
  counts.set(term, (counts.get(term) ?? 0) + count);
}

const keyOf = ({ prefix, limit }: TermPrefix): string => `${prefix}*${limit}`;
