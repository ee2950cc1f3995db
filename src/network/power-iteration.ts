import type { ContactGraph } from "./contact-graph.ts";

/** Adds the score of each contact, times the weight of the arc, to all whom the contact writes to. */
export function spreadAlongArcs(graph: ContactGraph, scores: Float64Array, sums: Float64Array): void {
  const { nodeCount, offsets, targets, weights } = graph;
  for (let node = 0; node < nodeCount; node++) {
    const score = scores[node]!;
    for (let at = offsets[node]!, end = offsets[node + 1]!; at < end; at++) sums[targets[at]!]! += score * weights[at]!;
  }
}

/** Writes for each contact the scores of all whom the contact writes to, times the weights of the arcs. */
export function gatherAlongArcs(graph: ContactGraph, scores: Float64Array, sums: Float64Array): void {
  const { nodeCount, offsets, targets, weights } = graph;
  for (let node = 0; node < nodeCount; node++) {
    let sum = 0;
    for (let at = offsets[node]!, end = offsets[node + 1]!; at < end; at++) sum += scores[targets[at]!]! * weights[at]!;
    sums[node] = sum;
  }
}

/** Sum of the changes from one iteration to the next. */
export function changeBetween(earlier: Float64Array, later: Float64Array): number {
  let change = 0;
  for (let node = 0; node < later.length; node++) change += Math.abs(later[node]! - earlier[node]!);
  return change;
}
