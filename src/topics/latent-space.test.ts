import { describe, expect, it } from "vitest";
import { seededRandom } from "../columns/seeded-random.ts";
import { latentVectors } from "./latent-space.ts";
import type { VectorTable } from "./thread-vectors.ts";

/** Unit vectors of equal weights over the given terms. */
function tableOf(rows: readonly (readonly number[])[]): VectorTable {
  const starts = new Uint32Array(rows.length + 1);
  rows.forEach((terms, row) => {
    starts[row + 1] = starts[row]! + terms.length;
  });
  return {
    rows: rows.length,
    starts,
    terms: Int32Array.from(rows.flat()),
    weights: Float32Array.from(rows.flatMap((terms) => terms.map(() => 1 / Math.sqrt(terms.length)))),
  };
}

function cosine({ starts, weights }: VectorTable, a: number, b: number): number {
  const [own, other] = [a, b].map((row) => weights.subarray(starts[row], starts[row + 1]));
  return own!.reduce((sum, weight, at) => sum + weight * other![at]!, 0);
}

describe("latentVectors", () => {
  it("preserves cosines of low-dimensional vectors", () => {
    const latent = latentVectors(tableOf([[0, 1], [1, 2], [3]]), 4, seededRandom(1));
    expect(cosine(latent, 0, 1)).toBeCloseTo(0.5, 5);
    expect(cosine(latent, 0, 2)).toBeCloseTo(0, 5);
    for (const row of [0, 1, 2]) expect(cosine(latent, row, row)).toBeCloseTo(1, 5);
  });

  it("brings together texts that share only neighboring words", () => {
    const random = seededRandom(2);
    const pick = (from: number): readonly number[] =>
      Array.from({ length: 4 }, (_, at) => from + 25 * at + Math.floor(random() * 25));
    const rows = Array.from({ length: 600 }, (_, row) => pick(row % 2 === 0 ? 0 : 100));
    const latent = latentVectors(tableOf(rows), 200, seededRandom(3));
    // Mean cosine of the first vector with vectors that share no word with it, of its own subject and of the other.
    const mean = (subject: number): number => {
      const strangers = rows.flatMap((terms, row) =>
        row % 2 === subject && !terms.some((term) => rows[0]!.includes(term)) ? [row] : [],
      );
      return strangers.reduce((sum, row) => sum + cosine(latent, 0, row), 0) / strangers.length;
    };
    expect(mean(0)).toBeGreaterThan(0.015);
    expect(Math.abs(mean(1))).toBeLessThan(0.01);
  });

  it("is deterministic, and returns zeros for empty or equal vectors", () => {
    const table = tableOf([[], [1], [1], [1]]);
    const latent = latentVectors(table, 3, seededRandom(4));
    expect(latentVectors(table, 3, seededRandom(4))).toEqual(latent);
    expect(cosine(latent, 0, 0)).toBe(0);
    expect(cosine(latent, 1, 3)).toBeCloseTo(1, 5);
  });
});
