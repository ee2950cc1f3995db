import type { WholeFrequencies, WholePrefix } from "./indexed-term.ts";
import type { Lookups, TermPrefix } from "./search-source.ts";
import type { SearchedRange, WholeFigures } from "./searched-range.ts";

/**
 * Adds up over all ranges of an archive how often the terms of a query stand in them: ranks by the figures of one range
 * would be others than those of the whole. A prefix stands for the terms that are in most messages of all.
 */
export async function wholeFigures(
  ranges: readonly SearchedRange[],
  { terms, prefixes }: Pick<Lookups, "terms" | "prefixes">,
): Promise<WholeFigures> {
  const asked = { terms, prefixes: prefixes.map(({ prefix }) => prefix) };
  const parts = await Promise.all(ranges.map((range) => range.frequencies(asked)));
  const counts = new Map(terms.map((term, at) => [term, parts.reduce((sum, part) => sum + part.terms[at]!, 0)]));
  const chosen = prefixes.map(({ limit }, at) =>
    mostFrequent(
      parts.map((part) => part.prefixes[at]!),
      limit,
    ),
  );
  for (const held of chosen) for (const [term, messages] of held) counts.set(term, messages);
  const names = chosen.map((held) => held.map(([term]) => term));
  const unions = names.length === 0 ? [] : await Promise.all(ranges.map((range) => range.unions(names)));
  return {
    terms: [...counts],
    prefixes: prefixes.map(({ prefix, limit }, at) => ({
      prefix,
      limit,
      terms: names[at]!,
      documentFrequency: unions.reduce((sum, union) => sum + union[at]!, 0),
    })),
  };
}

type Counted = readonly [term: string, messages: number];

function mostFrequent(parts: readonly (readonly Counted[])[], limit: number): readonly Counted[] {
  const counts = new Map<string, number>();
  for (const [term, messages] of parts.flat()) counts.set(term, (counts.get(term) ?? 0) + messages);
  const ranked = [...counts].sort((left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1));
  return ranked.slice(0, limit);
}

/** The same figures as a range looks them up. */
export function frequenciesOf({ terms, prefixes }: WholeFigures): WholeFrequencies {
  const ofTerms = new Map(terms);
  const ofPrefixes = new Map(prefixes.map((figures): [string, WholePrefix] => [keyOf(figures), figures]));
  return {
    ofTerm: (term) => ofTerms.get(term) ?? 0,
    ofPrefix: (prefix) => ofPrefixes.get(keyOf(prefix))!,
  };
}

const keyOf = ({ prefix, limit }: TermPrefix): string => `${prefix}*${limit}`;
