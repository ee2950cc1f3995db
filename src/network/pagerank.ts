import type { ContactGraph } from "./contact-graph.ts";

/** Probability of following an arc rather than starting anew (Page et al. 1999). */
const DAMPING = 0.85;
/** Power iterations at most; with this damping the error is below the tolerance after 150. */
const MAX_ITERATIONS = 200;
/** Largest sum of changes at which the iteration has converged. */
const TOLERANCE = 1e-11;

/** Weighted PageRank; scores add up to 1. Contacts who write to no one pass their score to all alike. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the iteration as in the paper, over arcs in columns
export function rankPages(graph: ContactGraph): Float64Array {
  const { nodeCount, offsets, targets, weights } = graph;
  const outWeights = new Float64Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) {
    for (let at = offsets[node]!, end = offsets[node + 1]!; at < end; at++) outWeights[node]! += weights[at]!;
  }
  let rank = new Float64Array(nodeCount).fill(1 / (nodeCount || 1));
  let next = new Float64Array(nodeCount);
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    let dangling = 0;
    for (let node = 0; node < nodeCount; node++) if (outWeights[node] === 0) dangling += rank[node]!;
    next.fill((1 - DAMPING + DAMPING * dangling) / nodeCount);
    for (let node = 0; node < nodeCount; node++) {
      const score = (DAMPING * rank[node]!) / outWeights[node]!;
      for (let at = offsets[node]!, end = offsets[node + 1]!; at < end; at++)
        next[targets[at]!]! += score * weights[at]!;
    }
    let change = 0;
    for (let node = 0; node < nodeCount; node++) change += Math.abs(next[node]! - rank[node]!);
    [rank, next] = [next, rank];
    if (change < TOLERANCE) break;
  }
  return rank;
}
