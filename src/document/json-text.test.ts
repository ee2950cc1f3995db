import fc from "fast-check";
import { expect, it } from "vitest";
import { Utf8Buffer } from "../columns/utf8-buffer.ts";
import { writeFoldedJsonText, writeJsonText } from "./json-text.ts";

it("escapes like JSON.stringify, and omits NUL", () => {
  const everyAscii = String.fromCharCode(...Array.from({ length: 128 }, (_, code) => code));
  const texts = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(everyAscii, everyAscii.repeat(300)));
  fc.assert(
    fc.property(texts, fc.string(), (text, before) => {
      const out = new Utf8Buffer();
      out.text(before);
      writeJsonText(Buffer.from(text), out);
      const expected = JSON.stringify(text.toWellFormed().replaceAll("\0", "")).slice(1, -1);
      expect(out.view().toString()).toBe(before + expected);
    }),
  );
});

/** Output of the folding writer for a text. */
function foldedBehind(before: string, text: string): string {
  const out = new Utf8Buffer();
  out.text(before);
  writeFoldedJsonText(Buffer.from(text), out);
  return out.view().toString();
}

function foldedByPattern(text: string): string {
  const folded = text.toWellFormed().replace(/\s+/gu, " ").trim();
  return JSON.stringify(folded.replaceAll("\0", "")).slice(1, -1);
}

it("collapses white space", () => {
  const white = fc.constantFrom(
    " ",
    "  ",
    "\n",
    "\t\r\n",
    "\u00a0",
    "\u2003\u2028",
    "\u205f",
    "\u3000",
    "\ufeff",
    "\u0085",
    "\u200b",
    "\0",
  );
  const mixed = fc.array(fc.oneof(white, fc.string({ unit: "binary" }))).map((parts) => parts.join(""));
  fc.assert(
    fc.property(
      mixed,
      fc.constantFrom("", "x", "x "),
      fc.constantFrom(0, 16_380, 16_384, 40_000),
      (text, before, padding) => {
        const long = " ".repeat(padding) + text;
        expect(foldedBehind(before, long)).toBe(before + foldedByPattern(long));
        const words = "a".repeat(padding) + text;
        expect(foldedBehind(before, words)).toBe(before + foldedByPattern(words));
      },
    ),
  );
});

it("recognizes all ECMA-262 white space", () => {
  const everyUnit = Array.from({ length: 0x10000 }, (_, code) => `a${String.fromCharCode(code)}`).join("");
  expect(foldedBehind("", everyUnit)).toBe(foldedByPattern(everyUnit));
});
