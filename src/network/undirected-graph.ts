import { groupByKey } from "../columns/grouping.ts";
import { arcsInto, type ContactGraph } from "./contact-graph.ts";

/** A weighted undirected graph in compressed sparse rows; each edge is in the rows of both ends. */
export interface UndirectedGraph {
  readonly nodeCount: number;
  readonly offsets: Uint32Array;
  readonly neighbors: Uint32Array;
  readonly weights: Float64Array;
  /** Weight inside a node that stands for several, each inner edge counted twice; 0 for single contacts. */
  readonly innerWeights: Float64Array;
}

/** Merges both directions between two contacts into one edge with the sum of their weights. Neighbors ascend. */
export function undirectedGraph(graph: ContactGraph): UndirectedGraph {
  const reversed = arcsInto(graph);
  const offsets = new Uint32Array(graph.nodeCount + 1);
  const neighbors = new Uint32Array(graph.targets.length * 2);
  const weights = new Float64Array(neighbors.length);
  let size = 0;
  for (let node = 0; node < graph.nodeCount; node++) {
    let out = graph.offsets[node]!;
    let back = reversed.offsets[node]!;
    const outEnd = graph.offsets[node + 1]!;
    const backEnd = reversed.offsets[node + 1]!;
    while (out < outEnd || back < backEnd) {
      const target = nodeAt(graph.targets, out, outEnd);
      const source = nodeAt(reversed.sources, back, backEnd);
      neighbors[size] = Math.min(target, source);
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
    neighbors: neighbors.slice(0, size),
    weights: weights.slice(0, size),
    innerWeights: new Float64Array(graph.nodeCount),
  };
}

/** Above every node index. */
const NO_NODE = 0xffff_ffff;

function nodeAt(nodes: ArrayLike<number>, at: number, end: number): number {
  return at < end ? nodes[at]! : NO_NODE;
}

/**
 * The graph whose nodes are communities; edges between two of them are added up.
 * @param communities community of each node, 0 … communityCount - 1.
 */
export function aggregatedGraph(
  graph: UndirectedGraph,
  communities: Int32Array,
  communityCount: number,
): UndirectedGraph {
  const { starts, members } = groupByKey(communities, communityCount);
  const offsets = new Uint32Array(communityCount + 1);
  const neighbors: number[] = [];
  const weights: number[] = [];
  const innerWeights = new Float64Array(communityCount);
  const sums = new CommunitySums(communityCount);
  for (let community = 0; community < communityCount; community++) {
    for (let member = starts[community]!; member < starts[community + 1]!; member++) {
      const node = members[member]!;
      innerWeights[community]! += graph.innerWeights[node]!;
      for (let at = graph.offsets[node]!; at < graph.offsets[node + 1]!; at++)
        sums.add(communities[graph.neighbors[at]!]!, graph.weights[at]!);
    }
    sums.drain((other, sum) => {
      if (other === community) innerWeights[community]! += sum;
      else {
        neighbors.push(other);
        weights.push(sum);
      }
    });
    offsets[community + 1] = neighbors.length;
  }
  return {
    nodeCount: communityCount,
    offsets,
    neighbors: Uint32Array.from(neighbors),
    weights: Float64Array.from(weights),
    innerWeights,
  };
}

/** Sums weights by community, for one community at a time. */
class CommunitySums {
  private readonly sums: Float64Array;
  private readonly isTouched: Uint8Array;
  private touched: number[] = [];

  constructor(communityCount: number) {
    this.sums = new Float64Array(communityCount);
    this.isTouched = new Uint8Array(communityCount);
  }

  add(community: number, weight: number): void {
    if (this.isTouched[community] === 0) {
      this.isTouched[community] = 1;
      this.touched.push(community);
    }
    this.sums[community]! += weight;
  }

  /** Visits the sums in the order of the communities, then resets them. */
  drain(visit: (community: number, sum: number) => void): void {
    for (const community of this.touched.sort((a, b) => a - b)) {
      visit(community, this.sums[community]!);
      this.sums[community] = 0;
      this.isTouched[community] = 0;
    }
    this.touched = [];
  }
}
