import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinedAcrossLines } from "../../text/tokens/hyphenated-words.ts";
import { MAX_TOKEN_BYTES, tokensOf } from "../../text/tokens/tokens.ts";
import { type Phrase, PhraseMatcher } from "./phrase.ts";

const occurs = (phrase: string, text: string): boolean =>
  new PhraseMatcher({ tokens: tokensOf(phrase), signs: [], distance: null }).occursIn(Buffer.from(text));

const holdsPhrase = (phrase: Partial<Phrase> & { readonly tokens: readonly string[] }, text: string): boolean =>
  new PhraseMatcher({ signs: [], distance: null, ...phrase }).occursIn(Buffer.from(text));

describe("phrases with wildcards, signs or a distance", () => {
  it.each([
    [{ tokens: ["3", "月*"] }, "am 3月15日", true],
    [{ tokens: ["3", "月*"] }, "3月の予定", true],
    [{ tokens: ["3", "月*"] }, "13月", false],
    [{ tokens: ["an*", "le?"] }, "say Anna Lee", true],
    [{ tokens: ["at", "t"], signs: ["", "&", ""] }, "at AT&T now", true],
    [{ tokens: ["at", "t"], signs: ["", "&", ""] }, "at T now", false],
    [{ tokens: ["c"], signs: ["", "++"] }, "a C++ developer", true],
    [{ tokens: ["c"], signs: ["", "++"] }, "vitamin C", false],
    [{ tokens: ["net"], signs: [".", ""] }, "ASP.NET", true],
    [{ tokens: ["net"], signs: [".", ""] }, "net", false],
    [{ tokens: ["a", "a", "b"], signs: ["", "", "", "+"] }, "a a a b+", true],
    [{ tokens: ["moor*", "agree*t"] }, "mooring agree-\nment", true],
    [{ tokens: ["mooring", "agreement"], distance: 1 }, "agree-\nment on mooring", true],
    [{ tokens: ["mooring", "line"], distance: 3 }, "a line of the old mooring", true],
    [{ tokens: ["mooring", "line"], distance: 2 }, "a line of the old mooring", false],
    [{ tokens: ["a", "b", "c"], distance: 1 }, "c x b y y a z b c", true],
    [{ tokens: ["a", "b", "c"], distance: 0 }, "c x b y a z b c", false],
    [{ tokens: ["a", "b", "c"], members: [2, 1], distance: 1 }, "c x a b", true],
    [{ tokens: ["a", "b", "c"], members: [2, 1], distance: 1 }, "c b a x", false],
    [{ tokens: ["a", "b", "c"], members: [1, 2], distance: 0 }, "b c x b c a", true],
    [{ tokens: ["a", "a"], distance: 1 }, "a x y a", false],
    [{ tokens: ["a", "a"], distance: 1 }, "a x y a z a", true],
  ])("%j in %j: %s", (phrase, text, holds) => {
    expect(holdsPhrase(phrase, text)).toBe(holds);
  });
});

describe("phrases", () => {
  it.each([
    ["price of gas", "The PRICE\nof (gas) rises", true],
    ["price of gas", "price of gasoline", false],
    ["price of gas", "reprice of gas; the price, of GAS", true],
    ["price of gas", "gas of price", false],
    ["price of gas", "price of", false],
    ["of the", "of the", true],
    ["the the", "the\tThe", true],
    ["the the", "the thethe", false],
    ["a a b", "a a a b", true],
    ["a b", `a ${"x".repeat(MAX_TOKEN_BYTES + 1)} b`, false],
    [`${"x".repeat(MAX_TOKEN_BYTES + 2)} b`, `a ${"x".repeat(MAX_TOKEN_BYTES + 1)} b`, true],
    ["b a b", `b ${"x".repeat(MAX_TOKEN_BYTES)} a b`, false],
    ["ab cd", `${"x".repeat(MAX_TOKEN_BYTES + 1)}ab cd`, false],
    ["café au lait", "cafe au lait", true],
    ["cafe au lait", "un café au lait", true],
    ["東京都", "東京都", true],
    ["purchase agreement", "a purchase agree-\nment", true],
    ["purchase agreement", "> a purchase agree-\r\n> ment", true],
    ["purchase agree", "a purchase agree-\nment", true],
    ["état agréments", "l'état agré-\nments", true],
    ["purchase agreement", "a purchase agree-\n\nment", false],
    ["東京都", "ascii", false],
  ])("%s in %j: %s", (phrase, text, expected) => {
    expect(occurs(phrase, text)).toBe(expected);
  });

  it("match across words hyphenated at the ends of lines", () => {
    const piece = fc.constantFrom("ab", "c", "É", "e\u0301", "5", "-\n", "-\n", "-\r\n> ", " ", "x".repeat(62), "東");
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, fc.nat(9), fc.integer({ min: 1, max: 3 }), (body, first, count) => {
        const utf8 = Buffer.from(body);
        const joined = Buffer.from(joinedAcrossLines(utf8) ?? utf8).toString();
        const tokens = tokensOf(joined).slice(first, first + count);
        if (tokens.length > 0) expect(holdsPhrase({ tokens }, body)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("match where the tokens of the text match", () => {
    const piece = fc.constantFrom("a", "b", "ab", "A", "Ab", " ", "-", "\n", "0", "é", "x".repeat(60), "東");
    const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(
        text,
        fc.array(fc.constantFrom("a", "b", "ab", "0", "aba"), { minLength: 1, maxLength: 3 }),
        (body, phrase) => {
          const tokens = ["", ...tokensOf(body), ""].join(" ");
          expect(occurs(phrase.join(" "), body)).toBe(tokens.includes(` ${phrase.join(" ")} `));
        },
      ),
      { numRuns: 2000 },
    );
  });
});
