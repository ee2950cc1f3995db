import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldKey } from "./fold-key.ts";

describe("foldKey", () => {
  it.each([
    ["Re: Budget", "re: budget"],
    ["Élodie Größe", "elodie große"],
    ["ELODIE", "elodie"],
    ["İstanbul", "istanbul"],
    ["ΟΔΟΣ", "οδοσ"],
    ["ﬁle ①", "file 1"],
    ["回复", "回复"],
    ["", ""],
  ])("folds %j to %j", (text, key) => {
    expect(foldKey(text)).toBe(key);
  });

  it("is equal for composed and decomposed text, and idempotent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const key = foldKey(text);
        expect(foldKey(text.normalize("NFD"))).toBe(key);
        expect(foldKey(key)).toBe(key);
      }),
    );
  });
});
