import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { DirectedGraph, UndirectedGraph } from "graphology";
import { describe, expect, it } from "vitest";
import { edgesOf } from "../../test/graph-edges.ts";
import { realData } from "../../test/real-data.ts";
import { seededRandom } from "../columns/seeded-random.ts";
import { type ContactGraph, GraphBuilder } from "./contact-graph.ts";
import { findCommunities } from "./louvain.ts";
import { measureNetwork } from "./network-metrics.ts";

type Oracle = (graph: DirectedGraph | UndirectedGraph, settings: Readonly<Record<string, unknown>>) => never;
const require = createRequire(import.meta.url);
const hitsOracle: Oracle = require("graphology-metrics/centrality/hits");
const pagerankOracle: Oracle = require("graphology-metrics/centrality/pagerank");
const modularityOracle: Oracle = require("graphology-metrics/graph/modularity");
const louvainOracle: Oracle = require("graphology-communities-louvain");

/** Departments that write mostly among themselves. */
function departments(nodeCount: number, departmentCount: number, messages: number): ContactGraph {
  const random = seededRandom(42);
  const builder = new GraphBuilder();
  const pick = () => Math.floor(random() ** 2 * nodeCount);
  for (let message = 0; message < messages; message++) {
    const from = pick();
    const colleague = () =>
      (Math.floor((pick() - from) / departmentCount) * departmentCount + from + nodeCount * departmentCount) %
      nodeCount;
    const to = Array.from({ length: 1 + Math.floor(random() * 3) }, () => (random() < 0.8 ? colleague() : pick()));
    builder.addMessage(from, to, random() < 0.3 ? [pick()] : [], []);
  }
  return builder.build(nodeCount);
}

/** New contacts write to those who already receive mail (preferential attachment). */
function hubsAndSpokes(nodeCount: number): ContactGraph {
  const random = seededRandom(7);
  const builder = new GraphBuilder();
  const heard = [0, 1, 2];
  for (let node = 3; node < nodeCount; node++) {
    const to = Array.from({ length: 2 }, () => heard[Math.floor(random() * heard.length)]!);
    builder.addMessage(node, to, [], []);
    if (random() < 0.5) builder.addMessage(to[0]!, [node], [], []);
    heard.push(...to, node);
  }
  return builder.build(nodeCount);
}

/** Sender and recipient addresses of real mail, as written. */
function realHeaders(root: string): ContactGraph {
  const indices = new Map<string, number>();
  const indexOf = (address: string) => {
    const index = indices.get(address) ?? indices.size;
    indices.set(address, index);
    return index;
  };
  const builder = new GraphBuilder();
  for (const custodian of readdirSync(root).sort()) {
    for (const folder of ["inbox", "sent", "sent_items"]) {
      const path = join(root, custodian, folder);
      const files = readdirSync(join(root, custodian)).includes(folder) ? readdirSync(path).sort().slice(0, 120) : [];
      for (const file of files.filter((name) => name.endsWith("."))) {
        const head = readFileSync(join(path, file), "latin1")
          .split("\n\n", 1)[0]!
          .replaceAll(/\n[ \t]+/g, " ");
        const field = (name: string) =>
          (new RegExp(`^${name}: (.*)$`, "m").exec(head)?.[1] ?? "").split(/,\s*/).filter((text) => text.includes("@"));
        const [from] = field("From").map(indexOf);
        builder.addMessage(from ?? -1, field("To").map(indexOf), field("Cc").map(indexOf), field("Bcc").map(indexOf));
      }
    }
  }
  return builder.build(indices.size);
}

function directedOracle(graph: ContactGraph): DirectedGraph {
  const oracle = new DirectedGraph();
  for (let node = 0; node < graph.nodeCount; node++) oracle.addNode(String(node));
  let at = 0;
  for (const { from, to } of edgesOf(graph)) oracle.addEdge(String(from), String(to), { weight: graph.weights[at++] });
  return oracle;
}

function undirectedOracle(graph: ContactGraph): UndirectedGraph {
  const oracle = new UndirectedGraph();
  for (let node = 0; node < graph.nodeCount; node++) oracle.addNode(String(node));
  let at = 0;
  for (const { from, to } of edgesOf(graph)) {
    const weight = graph.weights[at++]!;
    oracle.updateEdge(String(from), String(to), (known) => ({
      weight: ((known["weight"] as number | undefined) ?? 0) + weight,
    }));
  }
  return oracle;
}

function unitLength(scores: Readonly<Record<string, number>>, nodeCount: number): number[] {
  const vector = Array.from({ length: nodeCount }, (_, node) => scores[String(node)]!);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function largestDifference(ones: ArrayLike<number>, others: ArrayLike<number>): number {
  expect(ones.length).toBe(others.length);
  let largest = 0;
  for (let at = 0; at < ones.length; at++) largest = Math.max(largest, Math.abs(ones[at]! - others[at]!));
  return largest;
}

/** Required agreement; the power iterations of both implementations stop below it. */
const AGREEMENT = 1e-9;

function expectAgreement(graph: ContactGraph): void {
  const metrics = measureNetwork(graph);
  const directed = directedOracle(graph);
  const hits: { hubs: Record<string, number>; authorities: Record<string, number> } = hitsOracle(directed, {
    tolerance: 1e-12,
    maxIterations: 2_000,
  });
  expect(largestDifference(metrics.hub, unitLength(hits.hubs, graph.nodeCount))).toBeLessThan(AGREEMENT);
  expect(largestDifference(metrics.authority, unitLength(hits.authorities, graph.nodeCount))).toBeLessThan(AGREEMENT);
  const ranks: Record<string, number> = pagerankOracle(directed, { tolerance: 1e-15, maxIterations: 1_000 });
  expect(
    largestDifference(
      metrics.pagerank,
      Array.from({ length: graph.nodeCount }, (_, node) => ranks[String(node)]!),
    ),
  ).toBeLessThan(AGREEMENT);
  for (let node = 0; node < graph.nodeCount; node++) {
    expect(metrics.inDegree[node]).toBe(directed.inDegree(String(node)));
    expect(metrics.outDegree[node]).toBe(directed.outDegree(String(node)));
    expect(metrics.degree[node]).toBe(directed.degree(String(node)));
  }
  const undirected = undirectedOracle(graph);
  const modularity: number = modularityOracle(undirected, {
    getNodeCommunity: (node: string) => metrics.community[Number(node)],
  });
  expect(metrics.modularity).toBeCloseTo(modularity, 9);
  for (const seed of [1, 2, 3]) {
    const communities: Record<string, number> = louvainOracle(undirected, { rng: seededRandom(seed) });
    const theirs: number = modularityOracle(undirected, { getNodeCommunity: (node: string) => communities[node] });
    expect(metrics.modularity).toBeGreaterThanOrEqual(theirs - 1e-9);
  }
}

describe("measureNetwork", () => {
  it("agrees with graphology on departments", () => expectAgreement(departments(600, 12, 6_000)));

  it("agrees with graphology on hubs and spokes", () => expectAgreement(hubsAndSpokes(800)));

  const enron = realData("enron-14-custodians");
  it.skipIf(enron === null)("agrees with graphology on real headers", () => {
    const graph = realHeaders(enron!);
    expect(graph.nodeCount).toBeGreaterThan(1_000);
    expectAgreement(graph);
  });

  it("is deterministic", () => {
    expect(measureNetwork(departments(300, 6, 2_000))).toEqual(measureNetwork(departments(300, 6, 2_000)));
  });

  it("has unit vectors, and ranks that add up to 1", () => {
    const { authority, hub, pagerank } = measureNetwork(departments(300, 6, 2_000));
    expect(Math.hypot(...authority)).toBeCloseTo(1, 12);
    expect(Math.hypot(...hub)).toBeCloseTo(1, 12);
    expect(pagerank.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 12);
  });

  it("is finite without contacts, without arcs and with one arc", () => {
    const empty = measureNetwork(new GraphBuilder().build(0));
    expect(empty).toMatchObject({ communityCount: 0, modularity: 0 });
    const silent = measureNetwork(new GraphBuilder().build(3));
    expect([...silent.authority, ...silent.hub]).toEqual([0, 0, 0, 0, 0, 0]);
    expect([...silent.pagerank]).toEqual([1 / 3, 1 / 3, 1 / 3]);
    expect([...silent.community]).toEqual([0, 1, 2]);
    const builder = new GraphBuilder();
    builder.addMessage(2, [0], [], []);
    const single = measureNetwork(builder.build(3));
    expect([...single.authority]).toEqual([1, 0, 0]);
    expect([...single.hub]).toEqual([0, 0, 1]);
    expect([...single.community]).toEqual([0, 1, 0]);
  });
});

describe("findCommunities", () => {
  it("finds two cliques joined by one message, the larger first, and counts contacts without mail", () => {
    const builder = new GraphBuilder();
    const join = (clique: readonly number[]) => {
      for (const from of clique)
        builder.addMessage(
          from,
          clique.filter((to) => to !== from),
          [],
          [],
        );
    };
    join([0, 1, 2]);
    join([3, 4, 5, 6]);
    builder.addMessage(0, [3], [], []);
    const { communityOf, count } = findCommunities(builder.build(8));
    expect([...communityOf]).toEqual([1, 1, 1, 0, 0, 0, 0, 2]);
    expect(count).toBe(3);
  });
});
