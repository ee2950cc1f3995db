import { expect, it } from "vitest";
import { symbolFontOf, symbolText } from "./symbol-fonts.ts";

it.each([
  ["Wingdings", "JKL", "☺😐☹"],
  ["WINGDINGS ", "ü û þ à", "✓ ✗ ☑ →"],
  ["Wingdings", "\uf04a\uf0e0\uf0a7", "☺→▪"],
  ["Wingdings", "€Œž\x81\xa0", "🄋➊∙\x81\xa0"],
  ["Symbol", "abgD · \uf0b7", "αβγΔ • •"],
  ["Webdings", "a", "✔"],
  ["Wingdings 2", "P", "✓"],
  ["Wingdings 3", "g", "→"],
])("reads text in %s", (name, text, shown) => {
  expect(symbolText(text, symbolFontOf(name)!)).toBe(shown);
});

it("keeps characters that are not codes of a font", () => {
  expect(symbolText("\t\n☺日", symbolFontOf("Wingdings")!)).toBe("\t\n☺日");
  expect(symbolText("\x90", symbolFontOf("Symbol")!)).toBe("\x90");
});

it.each(["Segoe UI Symbol", "Arial", "", "constructor"])("does not read %j as a symbol font", (name) => {
  expect(symbolFontOf(name)).toBeNull();
});
