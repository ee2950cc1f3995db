import { groupByKey } from "../columns/grouping.ts";
import { arcsInto, type ContactGraph } from "./contact-graph.ts";

/** A weighted graph without direction, in compressed sparse rows; each edge stands in the rows of both its ends. */
export interface UndirectedGraph {
  readonly nodeCount: number;
  readonly offsets: Uint32Array;
  readonly neighbours: Uint32Array;
  readonly weights: Float64Array;
  /** Weight inside a node that stands for several, each inner edge counted twice; 0 for single contacts. */
  readonly innerWeights: Float64Array;
}

/** Both directions between two contacts as one edge that weighs their sum. Neighbours ascend. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: sorted arcs are merged in step, over columns
export function undirectedGraph(graph: ContactGraph): UndirectedGraph {
  const reversed = arcsInto(graph);
  const offsets = new Uint32Array(graph.nodeCount + 1);
  const neighbours = new Uint32Array(graph.targets.length * 2);
  const weights = new Float64Array(neighbours.length);
  let size = 0;
  for (let node = 0; node < graph.nodeCount; node++) {
    let out = graph.offsets[node]!;
    let back = reversed.offsets[node]!;
    const outEnd = graph.offsets[node + 1]!;
    const backEnd = reversed.offsets[node + 1]!;
    while (out < outEnd || back < backEnd) {
      const target = out < outEnd ? graph.targets[out]! : NO_NODE;
      const source = back < backEnd ? reversed.sources[back]! : NO_NODE;
      neighbours[size] = Math.min(target, source);
      let weight = 0;
      if (target <= source) weight += graph.weights[out++]!;
      if (source <= target) weight += graph.weights[reversed.arcs[back++]!]!;
      weights[size++] = weight;
    }
    offsets[node + 1] = size;
  }
  return {
    nodeCount: graph.nodeCount,
    offsets,
    neighbours: neighbours.slice(0, size),
    weights: weights.slice(0, size),
    innerWeights: new Float64Array(graph.nodeCount),
  };
}

/** Above every node index. */
const NO_NODE = 0xffff_ffff;

/**
 * The graph whose nodes are communities; edges between two of them are added up.
 * @param communities community of each node, 0 … communityCount - 1.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: sorted arcs are merged in step, over columns
export function aggregatedGraph(
  graph: UndirectedGraph,
  communities: Int32Array,
  communityCount: number,
): UndirectedGraph {
  const { starts, members } = groupByKey(communities, communityCount);
  const offsets = new Uint32Array(communityCount + 1);
  const neighbours: number[] = [];
  const weights: number[] = [];
  const innerWeights = new Float64Array(communityCount);
  const sums = new Float64Array(communityCount);
  const isTouched = new Uint8Array(communityCount);
  for (let community = 0; community < communityCount; community++) {
    const touched: number[] = [];
    for (let member = starts[community]!; member < starts[community + 1]!; member++) {
      const node = members[member]!;
      innerWeights[community]! += graph.innerWeights[node]!;
      for (let at = graph.offsets[node]!; at < graph.offsets[node + 1]!; at++) {
        const other = communities[graph.neighbours[at]!]!;
        if (isTouched[other] === 0) {
          isTouched[other] = 1;
          touched.push(other);
        }
        sums[other]! += graph.weights[at]!;
      }
    }
    touched.sort((a, b) => a - b);
    for (const other of touched) {
      if (other === community) innerWeights[community]! += sums[other]!;
      else {
        neighbours.push(other);
        weights.push(sums[other]!);
      }
      sums[other] = 0;
      isTouched[other] = 0;
    }
    offsets[community + 1] = neighbours.length;
  }
  return {
    nodeCount: communityCount,
    offsets,
    neighbours: Uint32Array.from(neighbours),
    weights: Float64Array.from(weights),
    innerWeights,
  };
}
