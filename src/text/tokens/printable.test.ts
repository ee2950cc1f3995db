import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printable, printableJson } from "./printable.ts";

const HARMFUL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
/** Text with many harmful characters. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\u001b",
        "\u001b[2J",
        "\u009b31m",
        "[0m",
        "\u001b]0;t\u0007",
        "\r",
        "\n",
        "\t",
        "\u007f",
        "\u202e",
        "\u2066",
        "\u2028",
        "\ud800",
      ),
      fc.string({ unit: "binary", maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

describe("printable", () => {
  it.each([
    ["plain text, umlauts and emoji", "Grüße, 你好 👩‍🚀", "Grüße, 你好 👩‍🚀"],
    ["colors", "\u001b[1;31mred\u001b[0m", "red"],
    ["sequences begun by C1", "\u009b2Jx", "x"],
    ["titles of windows", "\u001b]0;owned\u0007x", " ]0;owned x"],
    ["a sequence that appears when another is taken out", "\u001b\u001b[m[2J", " [2J"],
    ["line breaks and tabs", "a\r\n\tb", "a b"],
    ["separators of lines and paragraphs", "a\u2028b\u2029c", "a b c"],
    ["overrides and isolates", "photo\u202egpj\u202c.exe \u2066a\u2069", "photogpj.exe a"],
    ["DEL and NEL", "a\u007fb\u0085c", "a b c"],
    ["half a character", "a\ud83d", "a\ufffd"],
  ])("converts %s to one harmless line", (_, text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it("removes all harmful characters, and is idempotent", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = printable(text);
        expect(shown).not.toMatch(HARMFUL);
        expect(shown.isWellFormed()).toBe(true);
        expect(printable(shown)).toBe(shown);
      }),
    );
  });
});

describe("printableJson", () => {
  it("preserves the value, with no control characters except line breaks", () => {
    fc.assert(
      fc.property(fc.array(hostile), (texts) => {
        const json = printableJson(JSON.stringify({ texts }, null, 2));
        expect(JSON.parse(json)).toEqual({ texts });
        expect(json.replaceAll("\n", "")).not.toMatch(HARMFUL);
      }),
    );
  });
});
