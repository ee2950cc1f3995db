import fc from "fast-check";
import { expect, it } from "vitest";
import { fewPages } from "../../test/pages-in-memory.ts";
import { NO_ENTRY } from "./hash-index.ts";
import { NumberedTexts } from "./numbered-texts.ts";

it("numbers texts like a map, in memory and in pages", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "é", "Ā", "\ud800"), maxLength: 5 });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 80 }), fc.array(text), fc.nat(6), (texts, others, held) => {
      const numbers = new NumberedTexts(fewPages(2, held));
      const model = new Map<string, number>();
      for (const one of texts) {
        if (!model.has(one)) model.set(one, model.size);
        expect(numbers.numberOf(one)).toBe(model.get(one));
      }
      expect(numbers.size).toBe(model.size);
      for (const one of others) expect(numbers.find(one)).toBe(model.get(one) ?? NO_ENTRY);
      for (const [one, number] of model) expect(numbers.at(number)).toBe(one);
      numbers.clear();
      expect([numbers.size, numbers.numberOf("a")]).toEqual([0, 0]);
    }),
  );
});
