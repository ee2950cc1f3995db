import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keepLetters } from "./text-letters.ts";

function letters(text: string): string {
  const bytes = Buffer.from(`..${text}9`);
  return bytes.subarray(2, keepLetters(bytes, 2, bytes.length - 1)).toString();
}

describe("keepLetters", () => {
  it.each([
    ["Pay 1.50, or 1,500.", "Pay1.50or1,500"],
    ["> quoted\n>> text=\n", "quotedtext"],
    [".5 5. , a.b 1..2", "55ab12"],
    ["“Ours” – it’s ﬁne…", "Oursitsﬁne"],
    ["Größe ½ m² №5\u00a0\ufeff!", "Größe½m²№5"],
    ["東京、「予算」。！ ok？", "東京予算ok"],
    ["👍 👎 ❤\ufe0f", "👍👎❤"],
    ["", ""],
    ["5.", "5"],
  ])("of %j", (text, kept) => {
    expect(letters(text)).toBe(kept);
  });

  it("agrees with a simple implementation", () => {
    const text = fc.string({ unit: fc.constantFrom(..."aZ09.,>- \n'\"é€…、字😀\u00a0"), maxLength: 40 });
    fc.assert(
      fc.property(text, (written) => {
        const units = Array.from(written);
        const isDigit = (unit: string | undefined): boolean => unit !== undefined && /^[0-9]$/.test(unit);
        const kept = units.filter((unit, at) =>
          /[.,]/.test(unit) ? isDigit(units[at - 1]) && isDigit(units[at + 1]) : /[aZ09é€字😀]/u.test(unit),
        );
        expect(letters(written)).toBe(kept.join(""));
      }),
    );
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const once = letters(text.toWellFormed());
        // A point may move to another position, but is never removed.
        expect(letters(once)).toBe(once);
      }),
    );
  });
});
