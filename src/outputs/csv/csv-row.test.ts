import fc from "fast-check";
import { expect, it } from "vitest";
import { Utf8Buffer } from "../../mail/utf8-buffer.ts";
import { type CsvValue, writeCsvRow } from "./csv-row.ts";

function csvRow(values: readonly CsvValue[]): string {
  const out = new Utf8Buffer();
  writeCsvRow(values, out);
  return out.view().toString();
}

/** A reader of RFC 4180 written for the test: the inverse of the writer but for the formula guard. */
function readRow(text: string): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      at += 1;
      while (text[at] !== '"' || text[at + 1] === '"') {
        cell += text[at];
        at += text[at] === '"' ? 2 : 1;
      }
      at += 1;
    } else {
      while (at < text.length && text[at] !== "," && text[at] !== "\r") cell += text[at++];
    }
    cells.push(cell);
    if (text.startsWith("\r\n", at)) break;
    at += 1;
  }
  return cells;
}

it("is read back as it was written, whatever the cells hold", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" }), { minLength: 1 }), (cells) => {
      const guarded = cells.map((cell) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell));
      expect(readRow(csvRow(cells))).toEqual(guarded);
    }),
  );
});

it("writes UTF-8 as it writes the same text", () => {
  const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.stringMatching(/^[=+@a",\r\n\t-]*$/));
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), (cells) => {
      expect(csvRow(cells.map((cell) => Buffer.from(cell)))).toBe(csvRow(cells));
    }),
  );
});

it("disarms formulas and leaves numbers alone", () => {
  expect(csvRow(['=HYPERLINK("http://x")', "+1", "-1", "@a", "\tx", -5, null, "a=b"])).toBe(
    `"'=HYPERLINK(""http://x"")",'+1,'-1,'@a,'\tx,-5,,a=b\r\n`,
  );
});
