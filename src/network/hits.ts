import type { ContactGraph } from "./contact-graph.ts";
import { changeBetween, gatherAlongArcs, spreadAlongArcs } from "./power-iteration.ts";

/** Authority: receives from active senders. Hub: writes to frequent recipients. Both vectors have unit length. */
export interface HitsScores {
  readonly authority: Float64Array;
  readonly hub: Float64Array;
}

/**
 * Maximum power iterations. Real mail needs about 30; a graph with two equal leading eigenvalues never converges
 * further.
 */
const MAX_ITERATIONS = 300;
/** Largest sum of changes of the hub vector at which the iteration has converged. */
const TOLERANCE = 1e-11;

/**
 * Hyperlink-induced topic search on the damped weights (Kleinberg 1999, doi:10.1145/324133.324140), from equal hubs.
 * A graph without arcs has all scores 0.
 */
export function rankHubsAndAuthorities(graph: ContactGraph): HitsScores {
  const { nodeCount } = graph;
  const authority = new Float64Array(nodeCount);
  let hub = new Float64Array(nodeCount).fill(1 / Math.sqrt(nodeCount || 1));
  let next = new Float64Array(nodeCount);
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    authority.fill(0);
    spreadAlongArcs(graph, hub, authority);
    scaleToUnitLength(authority);
    gatherAlongArcs(graph, authority, next);
    scaleToUnitLength(next);
    const change = changeBetween(hub, next);
    [hub, next] = [next, hub];
    if (change < TOLERANCE) break;
  }
  return { authority, hub };
}

function scaleToUnitLength(vector: Float64Array): void {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) return;
  const scale = 1 / Math.sqrt(squares);
  for (let at = 0; at < vector.length; at++) vector[at]! *= scale;
}
