import { describe, expect, it } from "vitest";
import { coherentCentroids } from "./coherent-clusters.ts";
import type { VectorTable } from "./thread-vectors.ts";

/** Vectors of threads, from the words of each; all words have the same weight. */
function tableOf(rows: readonly (readonly number[])[]): VectorTable {
  const starts = new Uint32Array(rows.length + 1);
  rows.forEach((row, at) => {
    starts[at + 1] = starts[at]! + row.length;
  });
  const terms = Int32Array.from(rows.flat());
  return { rows: rows.length, starts, terms, weights: new Float32Array(terms.length).fill(0.3) };
}

const WORDS = 10;
const wordsOf = (cluster: number): readonly number[] =>
  Array.from({ length: WORDS }, (_, word) => cluster * WORDS + word);
const times = <Value>(count: number, make: (at: number) => Value): readonly Value[] =>
  Array.from({ length: count }, (_, at) => make(at));

describe("coherentCentroids", () => {
  /** Number of clusters that remain of three: the given one, and two distinct ones. */
  function remainingOf(rows: readonly (readonly number[])[]): number {
    const clear = (cluster: number): readonly (readonly number[])[] => times(40, () => wordsOf(cluster));
    const table = tableOf([...clear(0), ...rows, ...clear(2)]);
    const clusterOf = Int32Array.from([...times(40, () => 0), ...rows.map(() => 1), ...times(40, () => 2)]);
    const weights = new Float32Array(3 * WORDS * 3);
    for (let term = 0; term < 3 * WORDS; term++) weights[term * 3 + Math.floor(term / WORDS)] = 0.3;
    return coherentCentroids({ clusterOf, centroids: { clusters: 3, weights } }, table).clusters;
  }
  /** Threads with one word of the second cluster. */
  const strays = (count: number): readonly (readonly number[])[] => times(count, (at) => [WORDS + (at % WORDS)]);
  const alike = (count: number): readonly (readonly number[])[] => times(count, () => wordsOf(1));

  it("keeps a cluster whose words occur in many of its threads", () => {
    expect(remainingOf(alike(40))).toBe(3);
    expect(remainingOf([...alike(16), ...strays(84)])).toBe(3);
  });

  it("dissolves a group of a few similar threads, and one of many with a common word", () => {
    expect(remainingOf([...alike(14), ...strays(86)])).toBe(2);
  });

  it("dissolves a cluster whose words do not occur together", () => {
    expect(remainingOf(times(100, (at) => [WORDS + (at % WORDS), WORDS + ((at + 1) % WORDS)]))).toBe(2);
  });
});
