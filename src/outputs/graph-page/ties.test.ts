import fc from "fast-check";
import { expect, it } from "vitest";
import { selectTies } from "./ties.ts";

const NODES = 30;
const graphs = fc.uniqueArray(
  fc.record({
    from: fc.nat(NODES - 1),
    to: fc.nat(NODES - 1),
    count: fc.integer({ min: 1, max: 9 }),
    weight: fc.double({ min: 0.1, max: 9, noNaN: true }),
  }),
  { selector: ({ from, to }) => `${from} ${to}`, maxLength: 400 },
);

it("contains every message of a small graph once", () => {
  fc.assert(
    fc.property(graphs, (edges) => {
      const { ties, edges: counted } = selectTies(edges, NODES);
      const drawn = edges.filter(({ from, to }) => from !== to);
      expect(counted).toBe(drawn.length);
      expect(ties.reduce((sum, { there, back }) => sum + there + back, 0)).toBe(
        drawn.reduce((sum, { count }) => sum + count, 0),
      );
      expect(ties.every(({ a, b }) => a < b)).toBe(true);
    }),
  );
});

it("puts the three strongest ties of every node first", () => {
  fc.assert(
    fc.property(graphs, (edges) => {
      const { ties, skeleton } = selectTies(edges, NODES);
      for (let node = 0; node < NODES; node++) {
        const own = ties.map((tie, at) => ({ ...tie, at })).filter(({ a, b }) => a === node || b === node);
        const strongest = own.map(({ weight }) => weight).sort((a, b) => b - a)[Math.min(2, own.length - 1)] ?? 0;
        for (const { at, weight } of own) if (weight > strongest) expect(at).toBeLessThan(skeleton);
        expect(own.filter(({ at }) => at < skeleton).length).toBeGreaterThanOrEqual(Math.min(3, own.length));
      }
    }),
  );
});

it("omits the weakest ties of a dense graph", () => {
  const edges = Array.from({ length: 300 * 299 }, (_, at) => ({
    from: Math.floor(at / 299),
    to: at % 299,
    count: 1,
    weight: 1 + (at % 97),
  }));
  const { ties } = selectTies(edges, 300);
  expect(ties.length).toBe(15_000);
});
