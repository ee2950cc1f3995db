import type { ContactGraph } from "./contact-graph.ts";
import { changeBetween, spreadAlongArcs } from "./power-iteration.ts";

/** Probability of following an arc instead of restarting (Page et al. 1999). */
const DAMPING = 0.85;
/** Maximum power iterations; with this damping the error is below the tolerance after 150. */
const MAX_ITERATIONS = 200;
/** Largest sum of changes at which the iteration has converged. */
const TOLERANCE = 1e-11;

/** Weighted PageRank; scores add up to 1. Contacts who write to no one distribute their score equally to all. */
export function rankPages(graph: ContactGraph): Float64Array {
  const { nodeCount } = graph;
  const outWeights = outWeightsOf(graph);
  let rank = new Float64Array(nodeCount).fill(1 / (nodeCount || 1));
  let next = new Float64Array(nodeCount);
  const given = new Float64Array(nodeCount);
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    let dangling = 0;
    for (let node = 0; node < nodeCount; node++) if (outWeights[node] === 0) dangling += rank[node]!;
    next.fill((1 - DAMPING + DAMPING * dangling) / nodeCount);
    for (let node = 0; node < nodeCount; node++) given[node] = (DAMPING * rank[node]!) / outWeights[node]!;
    spreadAlongArcs(graph, given, next);
    const change = changeBetween(rank, next);
    [rank, next] = [next, rank];
    if (change < TOLERANCE) break;
  }
  return rank;
}

/** Total weight of each contact's outgoing links. */
function outWeightsOf({ nodeCount, offsets, weights }: ContactGraph): Float64Array {
  const outWeights = new Float64Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) {
    for (let at = offsets[node]!, end = offsets[node + 1]!; at < end; at++) outWeights[node]! += weights[at]!;
  }
  return outWeights;
}
