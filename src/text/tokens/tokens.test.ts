import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainLatin } from "../../mail/words/latin-letters.ts";
import { MAX_TOKEN_BYTES, TokenScanner, tokensOf } from "./tokens.ts";

/** A simple, slow reference tokenizer for scripts with spaces. */
function naiveTokens(text: string): string[] {
  const folded = [...text.normalize("NFKD").replace(/\p{M}/gu, "")]
    .map((c) => plainLatin(c.toUpperCase().toLowerCase()))
    .join("");
  const words = folded.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words;
}

const EUROPEAN = fc.string({
  unit: fc.constantFrom(..."abzAZ09 .-_@'\n\t\"àÉîõüßçñøÅŁœ²½ﬁΑάσςΣЙёЯ’…—\u0301\u00a0"),
  maxLength: 80,
});

describe("tokensOf", () => {
  it.each([
    ["Hello, World! don't", ["hello", "world", "don", "t"]],
    ["ann.lee@example.com", ["ann", "lee", "example", "com"]],
    ["Café ÉCOLE e\u0301cole straße STRASSE İstanbul", ["cafe", "ecole", "ecole", "strasse", "strasse", "istanbul"]],
    [
      "GROẞ O’Hara OʼHara Oʻahu об’єкт обʼєкт",
      ["gross", "o", "hara", "o", "hara", "o", "ahu", "об", "єкт", "об", "єкт"],
    ],
    ["m² ½ ﬁne", ["m2", "1", "2", "fine"]],
    ["so\u00adft zero\u200bwidth", ["soft", "zerowidth"]],
    ["東京都 日本 山", ["東京", "京都", "都", "日本", "本", "山"]],
    ["ABC株式会社xyz", ["abc", "株式", "式会", "会社", "社", "xyz"]],
    ["ｶﾞｷﾞ ガギ か\u3099き\u3099", ["ガギ", "ギ", "ガギ", "ギ", "がぎ", "ぎ"]],
    ["한국어", ["한국", "국어", "어"]],
    ["हिन्दी", ["हिन्दी"]],
    ["ไทย", ["ไท", "ทย", "ย"]],
    ["١٢٣ ۴۵۶ १२३ ๒๕ ௧௨ 𞥐𞥙", ["123", "456", "123", "25", "12", "09"]],
    ["محـــمد علی کتاب علي هدى", ["محمد", "علي", "كتاب", "علي", "هدي"]],
    ["क़लम कलम", ["कलम", "कलम"]],
    ["Łódź Øystein Ærø Đà œuvre Þór Ħal ŊŦƙȷ", ["lodz", "oystein", "aero", "da", "oeuvre", "thor", "hal", "ntkj"]],
    ["😀 … — ''", []],
    ["", []],
  ])("%j", (text, tokens) => {
    expect(tokensOf(text)).toEqual(tokens);
  });

  it("returns the first 64 bytes of long words, in complete characters", () => {
    const tokens = tokensOf(`${"x".repeat(65)} ok ${"y".repeat(64)} ${"ж".repeat(33)} a${"ж".repeat(40)}`);
    expect(tokens).toEqual(["x".repeat(64), "ok", "y".repeat(64), "ж".repeat(32), `a${"ж".repeat(31)}`]);
  });

  it("equals the obvious tokeniser on scripts with spaces", () => {
    fc.assert(
      fc.property(EUROPEAN, (text) => {
        expect(tokensOf(text)).toEqual(naiveTokens(text));
      }),
      { numRuns: 500 },
    );
  });

  it("does not depend on case or on how accents are composed", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."abz ÀéîßçñøÅΑάσςЙё한국漢がパ."), maxLength: 40 }), (text) => {
        const tokens = tokensOf(text);
        expect(tokensOf(text.toUpperCase())).toEqual(tokens);
        expect(tokensOf(text.toLowerCase())).toEqual(tokens);
        expect(tokensOf(text.normalize("NFD"))).toEqual(tokens);
        expect(tokensOf(text.normalize("NFC"))).toEqual(tokens);
      }),
      { numRuns: 500 },
    );
  });

  it("returns tokens that are stable", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        for (const token of tokensOf(text)) {
          expect(tokensOf(token)[0]).toBe(token);
          expect(Buffer.byteLength(token)).toBeLessThanOrEqual(MAX_TOKEN_BYTES);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("yields the tokens of two texts with a separator between them", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (left, right) => {
        expect(tokensOf(`${left}\n${right}`)).toEqual([...tokensOf(left), ...tokensOf(right)]);
      }),
    );
  });
});

describe("TokenScanner", () => {
  it("agrees with tokensOf on UTF-8, and may be used again", () => {
    const scanner = new TokenScanner();
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (text) => {
        const utf8 = new TextEncoder().encode(text);
        scanner.reset(utf8);
        const scanned: string[] = [];
        while (scanner.next()) scanned.push(scanner.text());
        expect(scanned).toEqual(tokensOf(text));
      }),
    );
  });

  it("returns the position of a token", () => {
    const scanner = new TokenScanner();
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."abÀé 株式会社가나.ß\u0301"), maxLength: 60 }), (text) => {
        const utf8 = new TextEncoder().encode(text);
        scanner.reset(utf8);
        let previousEnd = 0;
        while (scanner.next()) {
          const token = scanner.text();
          expect(tokensOf(new TextDecoder().decode(utf8.subarray(scanner.start, scanner.end)))[0]).toBe(token);
          expect(scanner.end).toBeGreaterThanOrEqual(previousEnd);
          previousEnd = scanner.end;
        }
      }),
      { numRuns: 300 },
    );
  });

  it("survives any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const scanner = new TokenScanner();
        scanner.reset(bytes);
        while (scanner.next()) expect(scanner.end).toBeLessThanOrEqual(bytes.length);
      }),
      { numRuns: 500 },
    );
  });
});
