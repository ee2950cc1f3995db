import fc from "fast-check";
import { expect, it } from "vitest";
import { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import { writeAsciiParagraphs } from "./ascii-paragraphs.ts";
import { paragraphs } from "./markdown.ts";

function written(text: string): string {
  const out = new Utf8Buffer();
  writeAsciiParagraphs(Buffer.from(text, "latin1"), out);
  return out.view().toString();
}

const ascii = fc.string({
  unit: fc.integer({ min: 0, max: 127 }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
});
/** Texts of the characters that the rules check. */
const marks = fc.string({
  unit: fc.constantFrom(..."-+1.) :/\t\n\r\v\f\u0001\u007f#@a") as fc.Arbitrary<string>,
  maxLength: 30,
});

it("writes bytes as text is written", () => {
  fc.assert(
    fc.property(fc.oneof(ascii, marks), (text) => {
      expect(written(text)).toBe(paragraphs(text));
    }),
    { numRuns: 2_000 },
  );
});
