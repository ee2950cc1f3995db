import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { edgesOf } from "../../test/graph-edges.ts";
import { GraphBuilder } from "./contact-graph.ts";

function graphOf(
  nodeCount: number,
  ...messages: readonly (readonly [from: number, to: number[], cc?: number[], bcc?: number[]])[]
) {
  const builder = new GraphBuilder();
  for (const [from, to, cc = [], bcc = []] of messages) builder.addMessage(from, to, cc, bcc);
  return builder.build(nodeCount);
}

describe("GraphBuilder", () => {
  it("weighs To 1, Cc and Bcc a half, damped by log2(1 + w)", () => {
    const graph = graphOf(4, [0, [1], [2], [3]], [0, [1], [2]]);
    expect([...edgesOf(graph)]).toEqual([
      { from: 0, to: 1, count: 2 },
      { from: 0, to: 2, count: 2 },
      { from: 0, to: 3, count: 1 },
    ]);
    expect([...graph.weights]).toEqual([Math.log2(3), Math.log2(2), Math.log2(1.5)]);
  });

  it("counts a recipient once per message, by the first field, and ignores mail to oneself", () => {
    const graph = graphOf(3, [0, [1, 1, 0], [1, 2], [2]]);
    expect([...edgesOf(graph)]).toEqual([
      { from: 0, to: 1, count: 1 },
      { from: 0, to: 2, count: 1 },
    ]);
    expect([...graph.weights]).toEqual([1, Math.log2(1.5)]);
  });

  it("divides mail to more than 50 recipients by their number", () => {
    const crowd = Array.from({ length: 51 }, (_, at) => at + 1);
    // Multiples of 2^-23, which add up exactly.
    const share = Math.round(2 ** 23 / 51) / 2 ** 23;
    expect(share).toBeCloseTo(1 / 51, 6);
    expect(graphOf(60, [0, crowd]).weights[0]).toBe(Math.log2(1 + share));
    expect(graphOf(60, [0, crowd.slice(1)]).weights[0]).toBe(1);
    expect(graphOf(60, [0, crowd.slice(1), [1]]).weights[0]).toBe(Math.log2(1 + share / 2));
  });

  it("returns bit-identical weights in any order of messages", () => {
    const crowds = fc.array(
      fc
        .integer({ min: 51, max: 400 })
        .map((size): [number, number[], number[]] => [0, Array.from({ length: size }, (_, at) => at + 2), [1]]),
      { minLength: 2, maxLength: 40 },
    );
    fc.assert(
      fc.property(crowds, (messages) => {
        const backwards = graphOf(500, ...[...messages].reverse());
        expect([...graphOf(500, ...messages).weights]).toEqual([...backwards.weights]);
      }),
      { numRuns: 30 },
    );
  });

  it("ignores mail without a sender or recipient", () => {
    expect([...edgesOf(graphOf(3, [-1, [1]], [0, []]))]).toEqual([]);
  });

  it("equals a map of pairs in any order of messages", () => {
    const contact = fc.nat(40);
    const message = fc.tuple(contact, fc.array(contact, { maxLength: 8 }));
    fc.assert(
      fc.property(fc.array(message, { maxLength: 60 }), (messages) => {
        const counts = new Map<string, number>();
        for (const [from, to] of messages) {
          for (const recipient of new Set(to))
            if (recipient !== from) counts.set(`${from} ${recipient}`, (counts.get(`${from} ${recipient}`) ?? 0) + 1);
        }
        const edges = [...edgesOf(graphOf(41, ...messages))];
        expect(new Map(edges.map(({ from, to, count }) => [`${from} ${to}`, count]))).toEqual(counts);
        expect(edges).toEqual([...edges].sort((a, b) => a.from - b.from || a.to - b.to));
        expect(edges).toEqual([...edgesOf(graphOf(41, ...[...messages].reverse()))]);
      }),
    );
  });

  it("grows beyond its first columns", () => {
    const messages = Array.from({ length: 10_000 }, (_, at) => [at, [(at * 7 + 1) % 10_000]] as const);
    const graph = graphOf(10_000, ...messages.map(([from, to]) => [from, [...to]] as [number, number[]]), [0, [1]]);
    const selfMail = messages.filter(([from, [to]]) => from === to).length;
    expect(graph.targets).toHaveLength(10_000 - selfMail);
    expect(graph.counts[0]).toBe(2);
  });
});
