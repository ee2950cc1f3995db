import fc from "fast-check";
import { expect, it } from "vitest";
import { CountedTexts } from "./counted-texts.ts";

it("counts like a map of maps", () => {
  const addition = fc.tuple(fc.nat(5_000), fc.constantFrom("a", "b", "ü", "\ud800"), fc.nat(3));
  fc.assert(
    fc.property(fc.array(addition, { maxLength: 200 }), (additions) => {
      const texts = new CountedTexts(8);
      const model = new Map<number, Map<string, number>>();
      for (const [owner, text, times] of additions) {
        texts.add(owner, text, times);
        const counts = model.get(owner) ?? new Map<string, number>();
        model.set(owner, counts.set(text, (counts.get(text) ?? 0) + times));
      }
      for (const [owner, counts] of model) {
        expect(texts.of(owner)).toEqual([...counts].map(([text, count]) => ({ text, count })));
      }
    }),
  );
});

it("keeps the first texts of an owner and grows beyond its first capacity", () => {
  const texts = new CountedTexts(2);
  for (let owner = 0; owner < 3_000; owner++) for (const text of ["a", "b", "c", "a"]) texts.add(owner, text, 1);
  expect(texts.of(2_999)).toEqual([
    { text: "a", count: 2 },
    { text: "b", count: 1 },
  ]);
  expect(texts.of(3_000_000)).toEqual([]);
});
