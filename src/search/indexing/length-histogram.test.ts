import fc from "fast-check";
import { expect, it } from "vitest";
import { LengthHistogram } from "./length-histogram.ts";

/** Lengths of all magnitudes, mostly small. */
const LENGTHS = fc.array(fc.oneof(fc.nat(200), fc.nat(40_000)), { maxLength: 300 });

function histogramOf(lengths: readonly number[]): LengthHistogram {
  const histogram = new LengthHistogram();
  for (const length of lengths) histogram.add(length);
  return histogram;
}

it("averages lengths by the harmonic mean", () => {
  expect(new LengthHistogram().average()).toBe(0);
  expect(histogramOf([7]).average()).toBe(7);
  expect(histogramOf([0, 1, 3, 20_000]).average()).toBeCloseTo(4 / (1 + 1 / 2 + 1 / 4 + 1 / 20_001) - 1, 12);
});

it("returns bit-identical sums in any order", () => {
  fc.assert(
    fc.property(LENGTHS, (lengths) => {
      expect(histogramOf(lengths.toReversed()).average()).toBe(histogramOf(lengths).average());
    }),
  );
});
