import fc from "fast-check";
import { expect, it } from "vitest";
import { CountedTexts } from "./counted-texts.ts";

it("counts like a map of maps", () => {
  const addition = fc.tuple(fc.nat(5_000), fc.constantFrom("a", "b", "ü", "\ud800"), fc.nat(3), fc.nat(2));
  fc.assert(
    fc.property(fc.array(addition, { maxLength: 200 }), (additions) => {
      const texts = new CountedTexts(8);
      const model = new Map<number, Map<string, readonly [count: number, own: number]>>();
      for (const [owner, text, times, own] of additions) {
        texts.add(owner, text, times, own);
        const counts = model.get(owner) ?? new Map<string, readonly [number, number]>();
        const [count, owned] = counts.get(text) ?? [0, 0];
        model.set(owner, counts.set(text, [count + times, owned + own]));
      }
      for (const [owner, counts] of model) {
        expect(texts.of(owner)).toEqual([...counts].map(([text, [count, own]]) => ({ text, count, own })));
      }
    }),
  );
});

it("keeps the first texts of an owner and grows beyond its first capacity", () => {
  const texts = new CountedTexts(2);
  for (let owner = 0; owner < 3_000; owner++) for (const text of ["a", "b", "c", "a"]) texts.add(owner, text, 1);
  expect(texts.of(2_999)).toEqual([
    { text: "a", count: 2, own: 0 },
    { text: "b", count: 1, own: 0 },
  ]);
  expect(texts.of(3_000_000)).toEqual([]);
});
