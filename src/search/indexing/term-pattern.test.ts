import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPattern, literalStart, matchesToken, patternMatcher } from "./term-pattern.ts";

const asExpression = (pattern: string): RegExp => new RegExp(`^${pattern.replaceAll("*", ".*")}$`, "u");

describe("a pattern of terms", () => {
  it.each([
    ["con*", "contract", true],
    ["*tract", "contract", true],
    ["con?ract", "contract", true],
    ["con?ract", "conract", false],
    ["price?", "price", true],
    ["price?", "prices", true],
    ["price?", "pricey2", false],
    ["a*b*c", "aXbYbc", true],
    ["a*", ":fann", false],
    [":fa*", ":fann", true],
    ["?x", "𝒳x", true],
  ])("%s matches %s: %s", (pattern, term, fits) => {
    expect(patternMatcher(pattern)(term)).toBe(fits);
  });

  it("agrees with a regular expression", () => {
    const text = fc.string({ unit: fc.constantFrom(..."ab"), maxLength: 8 });
    const pattern = fc.string({ unit: fc.constantFrom(..."ab*"), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(pattern, text, (glob, term) => {
        expect(patternMatcher(glob)(term)).toBe(asExpression(glob).test(term));
      }),
    );
  });

  it("returns the common prefix of its terms", () => {
    expect([literalStart("con*ct"), literalStart("*x"), isPattern("con"), isPattern("c?n")]).toEqual([
      "con",
      "",
      false,
      true,
    ]);
  });

  it("is looked for among words", () => {
    expect([matchesToken(["inbox", "sent"], "in*"), matchesToken(["inbox"], "in"), matchesToken(["in"], "in")]).toEqual(
      [true, false, true],
    );
  });
});
