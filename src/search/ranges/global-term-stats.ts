import type { GlobalFrequencies, GlobalPattern } from "../indexing/indexed-term.ts";
import type { FrequencyRequest } from "../indexing/search-source.ts";
import { MAX_PATTERN_TERMS } from "../indexing/term-pattern.ts";
import type { GlobalTermStats, SearchedRange } from "./searched-range.ts";

/**
 * Sums the frequencies of the query terms over all ranges of an archive, because ranking by the statistics of one range
 * would differ from ranking by the whole. A pattern is expanded to its most frequent terms.
 */
export async function globalTermStats(
  ranges: readonly SearchedRange[],
  { terms, patterns }: FrequencyRequest,
): Promise<GlobalTermStats> {
  const asked = { terms, patterns };
  const parts = await Promise.all(ranges.map((range) => range.frequencies(asked)));
  const counts = new Map(terms.map((term, at) => [term, parts.reduce((sum, part) => sum + part.terms[at]!, 0)]));
  const chosen = patterns.map((_, at) => mostFrequent(parts.map((part) => part.patterns[at]!)));
  for (const held of chosen) for (const [term, messages] of held) counts.set(term, messages);
  const names = chosen.map((held) => held.map(([term]) => term));
  const unions = names.length === 0 ? [] : await Promise.all(ranges.map((range) => range.unions(names)));
  return {
    terms: [...counts],
    patterns: patterns.map((pattern, at) => ({
      pattern,
      terms: names[at]!,
      documentFrequency: unions.reduce((sum, union) => sum + union[at]!, 0),
    })),
  };
}

type Counted = readonly [term: string, messages: number];

function mostFrequent(parts: readonly (readonly Counted[])[]): readonly Counted[] {
  const counts = new Map<string, number>();
  for (const [term, messages] of parts.flat()) counts.set(term, (counts.get(term) ?? 0) + messages);
  const ranked = [...counts].sort((left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1));
  return ranked.slice(0, MAX_PATTERN_TERMS);
}

/** The same statistics, as a range looks them up. */
export function frequenciesOf({ terms, patterns }: GlobalTermStats): GlobalFrequencies {
  const ofTerms = new Map(terms);
  const ofPatterns = new Map(patterns.map((figures): [string, GlobalPattern] => [figures.pattern, figures]));
  return {
    ofTerm: (term) => ofTerms.get(term) ?? 0,
    ofPattern: (pattern) => ofPatterns.get(pattern)!,
  };
}
