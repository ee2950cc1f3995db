import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Phrase, PhraseMatcher } from "../query/phrase.ts";
import { isPlainPhrase, PhraseSet } from "./phrase-set.ts";

const TOKENS = ["a", "b", "ab", "e", "mooring", "東京", "京"];
const PHRASES: fc.Arbitrary<Phrase> = fc.record({
  tokens: fc.array(fc.constantFrom(...TOKENS), { minLength: 2, maxLength: 4 }),
  signs: fc.constant([]),
  distance: fc.option(fc.nat(3), { nil: null, freq: 4 }),
});
const TEXTS = fc
  .array(
    fc.constantFrom("a", "b", "ab", "A", "é", "Mooring", "moorings", "moo-\nring", " ", " ", "-", "\n", "東京", "x"),
    {
      maxLength: 40,
    },
  )
  .map((pieces) => Buffer.from(pieces.join("")));

describe("several phrases at a time", () => {
  it("find the same as one phrase at a time", () => {
    const texts = fc.array(TEXTS, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(PHRASES, { maxLength: 6 }), texts, fc.array(fc.nat(9)), (phrases, several, frequencies) => {
        const set = new PhraseSet(phrases, (token) => frequencies[TOKENS.indexOf(token)] ?? 0);
        for (const text of several) {
          const held = new Uint8Array(phrases.length);
          set.mark(text, held);
          const alone = phrases.map((phrase) => (new PhraseMatcher(phrase).occursIn(text) ? 1 : 0));
          expect(Array.from(held)).toEqual(alone);
        }
      }),
    );
  });

  it("are tested in texts of many tokens", () => {
    const held = new Uint8Array(1);
    const phrase = { tokens: ["mooring", "line"], signs: [], distance: null };
    new PhraseSet([phrase], () => 1).mark(Buffer.from(`${"x ".repeat(5000)}mooring line`), held);
    expect(held[0]).toBe(1);
  });

  it.each([
    [{ tokens: ["at", "t"], signs: ["", "&", ""], distance: null }, false],
    [{ tokens: ["moor*", "line"], signs: [], distance: null }, false],
    [{ tokens: ["mooring", "line"], signs: [], distance: 4 }, true],
  ])("%j: %s", (phrase, expected) => expect(isPlainPhrase(phrase)).toBe(expected));
});
