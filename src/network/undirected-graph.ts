import type { ContactGraph } from "./contact-graph.ts";

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
export function undirectedGraph(graph: ContactGraph): UndirectedGraph {
  const reversed = reversedArcs(graph);
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
      if (source <= target) weight += reversed.weights[back++]!;
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

interface ReversedArcs {
  readonly offsets: Uint32Array;
  readonly sources: Uint32Array;
  readonly weights: Float64Array;
}

function reversedArcs(graph: ContactGraph): ReversedArcs {
  const offsets = new Uint32Array(graph.nodeCount + 1);
  for (const target of graph.targets) offsets[target + 1]! += 1;
  for (let node = 0; node < graph.nodeCount; node++) offsets[node + 1]! += offsets[node]!;
  const ends = offsets.slice();
  const sources = new Uint32Array(graph.targets.length);
  const weights = new Float64Array(graph.targets.length);
  for (let node = 0; node < graph.nodeCount; node++) {
    for (let at = graph.offsets[node]!; at < graph.offsets[node + 1]!; at++) {
      const target = graph.targets[at]!;
      const place = ends[target]!;
      ends[target] = place + 1;
      sources[place] = node;
      weights[place] = graph.weights[at]!;
    }
  }
  return { offsets, sources, weights };
}

/**
 * The graph whose nodes are communities; edges between two of them are added up.
 * @param communities community of each node, 0 … communityCount - 1.
 */
export function aggregatedGraph(graph: UndirectedGraph, communities: Int32Array, communityCount: number): UndirectedGraph {
  const members = membersOf(communities, communityCount);
  const offsets = new Uint32Array(communityCount + 1);
  const neighbours: number[] = [];
  const weights: number[] = [];
  const innerWeights = new Float64Array(communityCount);
  const sums = new Float64Array(communityCount);
  const isTouched = new Uint8Array(communityCount);
  for (let community = 0; community < communityCount; community++) {
    const touched: number[] = [];
    for (let member = members.offsets[community]!; member < members.offsets[community + 1]!; member++) {
      const node = members.nodes[member]!;
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

/** Nodes of each community, ascending. */
export interface Members {
  readonly offsets: Uint32Array;
  readonly nodes: Uint32Array;
}

export function membersOf(communities: Int32Array, communityCount: number): Members {
  const offsets = new Uint32Array(communityCount + 1);
  for (const community of communities) offsets[community + 1]! += 1;
  for (let community = 0; community < communityCount; community++) offsets[community + 1]! += offsets[community]!;
  const ends = offsets.slice();
  const nodes = new Uint32Array(communities.length);
  for (const [node, community] of communities.entries()) {
    nodes[ends[community]!] = node;
    ends[community]! += 1;
  }
  return { offsets, nodes };
}
