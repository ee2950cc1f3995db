import { type Random, seededRandom, shuffledIndexes } from "../columns/seeded-random.ts";
import type { ContactGraph } from "./contact-graph.ts";
import { aggregatedGraph, type UndirectedGraph, undirectedGraph } from "./undirected-graph.ts";

export interface Communities {
  /** Community of each contact: 0 is the largest; equal sizes by their smallest contact. */
  readonly communityOf: Int32Array;
  readonly count: number;
  /** Newman's modularity of the partition; 0 without edges. */
  readonly modularity: number;
}

/** Number of runs, of which the best counts: runs differ by up to .016 of modularity. */
const SEEDS = [1, 2, 3] as const;
/** Minimum gain for which a node moves; smaller ones are rounding errors, which could cycle. */
const LEAST_GAIN = 1e-12;
/** Maximum average visits of a node, in spite of rounding. */
const MAX_VISITS_PER_NODE = 100;
/** Number of times that a finished partition is reopened, so that single contacts can move between communities. */
const MAX_ROUNDS = 3;
/** Minimum modularity gained by another round. */
const LEAST_ROUND_GAIN = 1e-6;

/**
 * Communities of the graph without directions: Louvain (Blondel et al. 2008, doi:10.1088/1742-5468/2008/10/P10008) with
 * the queue of Leiden's fast local moving (Traag et al. 2019, doi:10.1038/s41598-019-41695-z), best of three seeded
 * runs. The same graph gives the same communities, bit for bit.
 */
export function findCommunities(graph: ContactGraph): Communities {
  const undirected = undirectedGraph(graph);
  let best: Int32Array | null = null;
  let bestModularity = Number.NEGATIVE_INFINITY;
  for (const seed of SEEDS) {
    const communities = runLouvain(undirected, seededRandom(seed));
    const modularity = modularityOf(undirected, communities);
    if (modularity <= bestModularity) continue;
    best = communities;
    bestModularity = modularity;
  }
  return { ...numberedBySize(best!), modularity: bestModularity };
}

function runLouvain(graph: UndirectedGraph, random: Random): Int32Array {
  let communities = new Int32Array(graph.nodeCount).map((_, node) => node);
  let modularity = Number.NEGATIVE_INFINITY;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = optimizeLevels(graph, communities, random);
    const reached = modularityOf(graph, next);
    if (reached < modularity + LEAST_ROUND_GAIN) break;
    communities = next;
    modularity = reached;
  }
  return communities;
}

/** Moves nodes, then whole communities, then communities of communities, until nothing gains. */
function optimizeLevels(graph: UndirectedGraph, start: Int32Array, random: Random): Int32Array<ArrayBuffer> {
  let level = graph;
  let { communityOf: membership, count } = renumbered(moveNodes(graph, start, random));
  while (count < level.nodeCount) {
    level = aggregatedGraph(graph, membership, count);
    const moved = renumbered(
      moveNodes(
        level,
        new Int32Array(count).map((_, node) => node),
        random,
      ),
    );
    if (moved.count === count) break;
    membership = membership.map((community) => moved.communityOf[community]!);
    count = moved.count;
  }
  return membership;
}

/** Moves single nodes to the neighboring community with the highest gain until none gains. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the inner loop of the method over columns; parts of it would share all its state
function moveNodes(graph: UndirectedGraph, start: Int32Array, random: Random): Int32Array {
  const { nodeCount, offsets, neighbors, weights } = graph;
  const communities = Int32Array.from(start);
  const degrees = weightedDegrees(graph);
  const total = sumOf(degrees);
  if (total === 0) return communities;
  const totals = new Float64Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) totals[communities[node]!]! += degrees[node]!;
  const queue = shuffledIndexes(nodeCount, random);
  const isQueued = new Uint8Array(nodeCount).fill(1);
  const linkTo = new Float64Array(nodeCount);
  const touched = new Int32Array(nodeCount);
  let waiting = nodeCount;
  const maxVisits = nodeCount * MAX_VISITS_PER_NODE;
  for (let visit = 0; waiting > 0 && visit < maxVisits; visit++) {
    const node = queue[visit % nodeCount]!;
    waiting--;
    isQueued[node] = 0;
    const home = communities[node]!;
    const share = degrees[node]! / total;
    let touchedCount = 0;
    for (let at = offsets[node]!, end = offsets[node + 1]!; at < end; at++) {
      const community = communities[neighbors[at]!]!;
      if (linkTo[community] === 0) touched[touchedCount++] = community;
      linkTo[community]! += weights[at]!;
    }
    totals[home]! -= degrees[node]!;
    let best = home;
    let bestGain = linkTo[home]! - share * totals[home]!;
    for (let at = 0; at < touchedCount; at++) {
      const community = touched[at]!;
      const gain = linkTo[community]! - share * totals[community]!;
      linkTo[community] = 0;
      if (gain <= bestGain + LEAST_GAIN) continue;
      best = community;
      bestGain = gain;
    }
    totals[best]! += degrees[node]!;
    if (best === home) continue;
    communities[node] = best;
    for (let at = offsets[node]!, end = offsets[node + 1]!; at < end; at++) {
      const neighbor = neighbors[at]!;
      if (isQueued[neighbor] !== 0 || communities[neighbor] === best) continue;
      isQueued[neighbor] = 1;
      queue[(visit + 1 + waiting) % nodeCount] = neighbor;
      waiting++;
    }
  }
  return communities;
}

function weightedDegrees(graph: UndirectedGraph): Float64Array {
  const degrees = graph.innerWeights.slice();
  for (let node = 0; node < graph.nodeCount; node++) {
    for (let at = graph.offsets[node]!; at < graph.offsets[node + 1]!; at++) degrees[node]! += graph.weights[at]!;
  }
  return degrees;
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/**
 * Newman's modularity (2004, doi:10.1103/PhysRevE.69.066133) of a partition; 0 without edges. @param communities ids
 * below the node count.
 */
function modularityOf(graph: UndirectedGraph, communities: Int32Array): number {
  const degrees = weightedDegrees(graph);
  const total = sumOf(degrees);
  if (total === 0) return 0;
  const totals = new Float64Array(graph.nodeCount);
  let inside = 0;
  for (let node = 0; node < graph.nodeCount; node++) {
    totals[communities[node]!]! += degrees[node]!;
    inside += graph.innerWeights[node]!;
    for (let at = graph.offsets[node]!; at < graph.offsets[node + 1]!; at++) {
      if (communities[graph.neighbors[at]!] === communities[node]) inside += graph.weights[at]!;
    }
  }
  let expected = 0;
  for (const weight of totals) expected += (weight / total) ** 2;
  return inside / total - expected;
}

interface Numbered {
  readonly communityOf: Int32Array<ArrayBuffer>;
  readonly count: number;
}

/** Communities numbered without gaps in the order of their smallest node. */
function renumbered(communities: Int32Array): Numbered {
  const numbers = new Int32Array(communities.length).fill(-1);
  const communityOf = new Int32Array(communities.length);
  let count = 0;
  for (let node = 0; node < communities.length; node++) {
    const community = communities[node]!;
    if (numbers[community] === -1) numbers[community] = count++;
    communityOf[node] = numbers[community]!;
  }
  return { communityOf, count };
}

function numberedBySize(communities: Int32Array): Numbered {
  const { communityOf, count } = renumbered(communities);
  const sizes = new Uint32Array(count);
  for (const community of communityOf) sizes[community]!++;
  const bySize = Array.from(sizes.keys()).sort((a, b) => sizes[b]! - sizes[a]! || a - b);
  const numbers = new Int32Array(count);
  for (const [number, community] of bySize.entries()) numbers[community] = number;
  return { communityOf: communityOf.map((community) => numbers[community]!), count };
}
