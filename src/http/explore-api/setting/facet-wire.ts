import { publishedDate } from "../../../document/published-values.ts";
import type { Facet, Timeline, TimelineStack } from "../../../mail/exploration.ts";
import { clauseOfNone } from "../../../search/indexing/valued-messages.ts";
import type { FacetWire, TimelineWire } from "../wire/wire.ts";

/** Counts as records of the explore API. */

export function facetWire({ isMultiple, values, ...facet }: Facet): FacetWire {
  return { ...facet, is_multiple: isMultiple, values: [...values], none_clause: clauseOfNone(facet.of) };
}

export function timelineWire({ bins, stacks, strays, first, last, ...figures }: Timeline): TimelineWire {
  return {
    ...figures,
    first: publishedDate(first),
    last: publishedDate(last),
    bins: [...bins],
    strays: [...strays],
    stacks: stacks.map(stackWire),
  };
}

function stackWire({ counts, ...value }: TimelineStack): TimelineWire["stacks"][number] {
  return { ...value, counts: [...counts] };
}
