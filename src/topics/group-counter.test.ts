import fc from "fast-check";
import { expect, it } from "vitest";
import { GroupCounter } from "./group-counter.ts";

it("counts groups with a key once each", () => {
  const groups = fc.array(fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }).map((key) => key % 50)), { maxLength: 20 });
  fc.assert(
    fc.property(groups, (keysOf) => {
      const counter = new GroupCounter(4);
      // Group -1 contains everything that belongs to no group.
      for (const [group, keys] of keysOf.entries()) for (const key of keys) counter.add(key, group - 1);
      const expected = new Map<number, number>();
      for (const keys of keysOf) for (const key of new Set(keys)) expected.set(key, (expected.get(key) ?? 0) + 1);
      expect(new Map(counter.entries())).toEqual(expected);
    }),
  );
});

it("distinguishes keys that differ in their highest bit", () => {
  const counter = new GroupCounter();
  counter.add(0x8000_0001, 0);
  counter.add(1, 0);
  expect([...counter.entries()]).toEqual([
    [0x8000_0001, 1],
    [1, 1],
  ]);
});
