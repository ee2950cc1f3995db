import type { ContactGraph } from "./contact-graph.ts";

/** Number of different contacts written to (out), heard from (in), and their sum. */
export interface Degrees {
  readonly degree: Uint32Array;
  readonly inDegree: Uint32Array;
  readonly outDegree: Uint32Array;
}

export function countDegrees(graph: ContactGraph): Degrees {
  const inDegree = new Uint32Array(graph.nodeCount);
  const outDegree = new Uint32Array(graph.nodeCount);
  for (const target of graph.targets) inDegree[target]!++;
  for (let node = 0; node < graph.nodeCount; node++) outDegree[node] = graph.offsets[node + 1]! - graph.offsets[node]!;
  return { degree: inDegree.map((count, node) => count + outDegree[node]!), inDegree, outDegree };
}
