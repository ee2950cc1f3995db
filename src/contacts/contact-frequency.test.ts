import fc from "fast-check";
import { expect, it } from "vitest";
import { frequencyClasses } from "./contact-frequency.ts";

const frequencyOf = (counts: readonly number[]) => counts.map(frequencyClasses(counts));

it("classifies the top tenth and the top four tenths, with enough messages", () => {
  expect(frequencyOf([100, 50, 9, 8, 7, 2, 2, 1, 1, 1])).toEqual([
    "high",
    "medium",
    "medium",
    "medium",
    ...Array(6).fill("low"),
  ]);
  expect(frequencyOf([9, 8, 2, 2, 2])).toEqual(["medium", "medium", "low", "low", "low"]);
  expect(frequencyOf([2, 1])).toEqual(["low", "low"]);
  expect(frequencyOf([10])).toEqual(["high"]);
  expect(frequencyOf([])).toEqual([]);
});

it("gives equal counts the same class, and more messages never a lower one", () => {
  const order = { low: 0, medium: 1, high: 2 };
  fc.assert(
    fc.property(fc.array(fc.nat(30)), (counts) => {
      const classes = frequencyOf(counts).map((frequency) => order[frequency]);
      for (const [a, one] of counts.entries()) {
        for (const [b, other] of counts.entries())
          if (one <= other) expect(classes[a]).toBeLessThanOrEqual(classes[b]!);
      }
    }),
  );
});
