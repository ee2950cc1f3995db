import type { ContactGraph } from "./contact-graph.ts";
import { countDegrees, type Degrees } from "./degree.ts";
import { type HitsScores, rankHubsAndAuthorities } from "./hits.ts";
import { findCommunities } from "./louvain.ts";
import { rankPages } from "./pagerank.ts";

/** All metrics of the contact graph, one column each, by contact index. */
export interface NetworkMetrics extends HitsScores, Degrees {
  readonly pagerank: Float64Array;
  /** 0 is the largest community; its public ordinal is one more. */
  readonly community: Int32Array;
  readonly communityCount: number;
  readonly modularity: number;
}

/** About 28 bytes per contact, plus 40 bytes per arc during computation. */
export function measureNetwork(graph: ContactGraph): NetworkMetrics {
  const { communityOf, count, modularity } = findCommunities(graph);
  return {
    ...rankHubsAndAuthorities(graph),
    ...countDegrees(graph),
    pagerank: rankPages(graph),
    community: communityOf,
    communityCount: count,
    modularity,
  };
}
