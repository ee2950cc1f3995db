import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../columns/seeded-random.ts";
import { type LayoutEdge, type LayoutPoint, layoutGraph } from "./layout.ts";
import { Quadtree, WAITING_CELLS } from "./quadtree.ts";

function sampleGraph(nodeCount: number, communityCount: number) {
  const random = seededRandom(5);
  const nodes = Array.from({ length: nodeCount }, (_, at) => ({ community: at % communityCount }));
  const edges = Array.from({ length: nodeCount * 4 }, (): LayoutEdge => {
    const from = Math.floor(random() * nodeCount);
    const to =
      random() < 0.9
        ? (from + communityCount * Math.floor(random() * 9)) % nodeCount
        : Math.floor(random() * nodeCount);
    return { from, to, weight: 1 + random() };
  });
  return { nodes, edges };
}

const distance = (one: LayoutPoint, other: LayoutPoint) => Math.hypot(one.x - other.x, one.y - other.y);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("layoutGraph", () => {
  const { nodes, edges } = sampleGraph(250, 5);
  const points = layoutGraph(nodes, edges);

  it("is deterministic, with integers and no two nodes at one position", () => {
    expect(layoutGraph(nodes, edges)).toEqual(points);
    for (const { x, y } of points) expect(Number.isInteger(x) && Number.isInteger(y)).toBe(true);
    expect(new Set(points.map(({ x, y }) => `${x},${y}`)).size).toBe(nodes.length);
  });

  it("places neighbors and communities close together", () => {
    const near = mean(
      edges.filter(({ from, to }) => from !== to).map(({ from, to }) => distance(points[from]!, points[to]!)),
    );
    const far = mean(points.map((point, at) => distance(point, points[(at + 124) % points.length]!)));
    expect(near * 2).toBeLessThan(far);
    const inside = mean(points.map((point, at) => distance(point, points[(at + 125) % points.length]!)));
    expect(inside).toBeLessThan(far);
  });

  it("accepts an empty graph, one node, self loops, and nodes without edges", () => {
    expect(layoutGraph([], [])).toEqual([]);
    expect(layoutGraph([{ community: 7 }], [{ from: 0, to: 0, weight: 1 }])).toHaveLength(1);
    const apart = layoutGraph(
      Array.from({ length: 30 }, (_, community) => ({ community })),
      [],
    );
    expect(new Set(apart.map(({ x, y }) => `${x},${y}`)).size).toBe(30);
    for (const { x, y } of apart) expect(Math.abs(x) + Math.abs(y)).toBeLessThan(5_000);
  });

  it("is finite for any small graph", () => {
    const node = fc.record({ community: fc.nat(3) });
    const edge = fc.record({ from: fc.nat(9), to: fc.nat(9), weight: fc.double({ min: 0, max: 1e6, noNaN: true }) });
    fc.assert(
      fc.property(fc.array(node, { minLength: 10, maxLength: 10 }), fc.array(edge, { maxLength: 30 }), (some, ties) => {
        for (const { x, y } of layoutGraph(some, ties)) expect(Number.isFinite(x) && Number.isFinite(y)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

describe("Quadtree", () => {
  it("computes the exact repulsion if no cell represents several points", () => {
    const coordinate = fc.oneof(fc.integer({ min: -50, max: 50 }), fc.double({ min: -1e3, max: 1e3, noNaN: true }));
    fc.assert(
      fc.property(fc.array(fc.tuple(coordinate, coordinate), { minLength: 1, maxLength: 40 }), (places) => {
        const xs = Float64Array.from(places, ([x]) => x);
        const ys = Float64Array.from(places, ([, y]) => y);
        const tree = new Quadtree(places.length);
        tree.build(xs, ys);
        const push = {
          strength: 3,
          theta: 0,
          leastSquared: 1,
          fx: new Float64Array(xs.length),
          fy: new Float64Array(xs.length),
          sides: new Float64Array(WAITING_CELLS),
        };
        for (const [point] of places.entries()) {
          tree.addRepulsion(point, xs, ys, push);
          let fx = 0;
          let fy = 0;
          for (const [other] of places.entries()) {
            const dx = xs[point]! - xs[other]!;
            const dy = ys[point]! - ys[other]!;
            const scale = 3 / Math.max(dx * dx + dy * dy, 1);
            fx += dx * scale;
            fy += dy * scale;
          }
          expect(push.fx[point]).toBeCloseTo(fx, 3);
          expect(push.fy[point]).toBeCloseTo(fy, 3);
        }
      }),
    );
  });
});
