import type { Facet, FacetName, FacetRequest, FacetValue } from "../../mail/exploration.ts";
import { foldKey } from "../../mail/words/fold-key.ts";
import type { SearchSource } from "../indexing/search-source.ts";
import { FACET_KINDS, type FacetCounts } from "./facet-counts.ts";

/** Number of values named at a time, and maximum number searched by label: the most frequent ones. */
const NAMED_AT_ONCE = 500;
const MAX_SEARCHED = 20_000;

/** Builds a facet from counted values. @param total messages that were counted */
export async function facetOfValues(
  source: SearchSource,
  name: FacetName,
  { total, ...counted }: FacetCounts & { readonly total: number },
  { limit, search = "" }: Pick<FacetRequest, "limit" | "search">,
): Promise<Facet> {
  const kind = FACET_KINDS[name];
  const { counts, none } = counted;
  const values: FacetValue[] = [];
  const wanted = foldKey(search);
  const step = wanted === "" ? limit : NAMED_AT_ONCE;
  const ranked = counts.most(wanted === "" ? limit : MAX_SEARCHED);
  for (let from = 0; from < ranked.length && values.length < limit; from += step) {
    const next = ranked.slice(from, from + step);
    const named = await kind.name(
      source,
      next.map(([value]) => value),
      counted,
    );
    for (const [at, [, count]] of next.entries())
      if (values.length < limit && foldKey(named[at]!.label).includes(wanted)) values.push({ ...named[at]!, count });
  }
  return {
    of: name,
    total,
    isMultiple: kind.isMultiple,
    values,
    other: counts.total - values.reduce((sum, { count }) => sum + count, 0),
    none,
  };
}
