import fc from "fast-check";
import { expect, it } from "vitest";
import { type CountedTexts, withText } from "./text-counts.ts";

it("counts like a map, and ignores new texts when full", () => {
  const addition = fc.tuple(fc.constantFrom("a", "b", "ü", "\ud800"), fc.nat(3), fc.nat(2));
  fc.assert(
    fc.property(fc.array(addition, { maxLength: 200 }), fc.nat(5), (additions, capacity) => {
      let texts: CountedTexts = [];
      const model = new Map<string, readonly [count: number, own: number]>();
      for (const [text, times, own] of additions) {
        texts = withText(texts, text, { times, own }, capacity);
        if (!model.has(text) && model.size === capacity) continue;
        const [count, owned] = model.get(text) ?? [0, 0];
        model.set(text, [count + times, owned + own]);
      }
      expect(texts).toEqual([...model].map(([text, [count, own]]) => ({ text, count, own })));
    }),
  );
});
