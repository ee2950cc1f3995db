import fc from "fast-check";
import { expect, it } from "vitest";
import { TextUnits } from "./text-units.ts";
import { WordNumbers, wordHash } from "./word-numbers.ts";

it("loads the code units of one text after another", () => {
  const text = new TextUnits();
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.integer({ min: 1, max: 200 }), (part, times) => {
      const whole = part.repeat(times);
      text.load(whole);
      expect(text.length).toBe(whole.length);
      expect(text.units.subarray(0, text.length).every((unit, at) => unit === whole.charCodeAt(at))).toBe(true);
    }),
  );
});

it("finds the position of each word, and no other", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "é", "天", "\ud83d\ude00"), maxLength: 5 });
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 60 }), fc.array(word), (listed, others) => {
      const numbers = new WordNumbers(listed);
      const text = new TextUnits();
      for (const sought of [...listed, ...others]) {
        text.load(`<${sought}>`);
        const found = numbers.find(text.units, 1, 1 + sought.length, wordHash(sought));
        expect(found).toBe(listed.indexOf(sought));
      }
    }),
  );
});
