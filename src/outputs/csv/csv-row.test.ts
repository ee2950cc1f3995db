import fc from "fast-check";
import { expect, it } from "vitest";
import { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import { type CsvValue, writeCsvRow } from "./csv-row.ts";

function csvRow(values: readonly CsvValue[]): string {
  const out = new Utf8Buffer();
  writeCsvRow(values, out);
  return out.view().toString();
}

/** A reader of RFC 4180 for this test: the inverse of the writer, except for the formula guard. */
function readRow(text: string): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      at++;
      while (text[at] !== '"' || text[at + 1] === '"') {
        cell += text[at];
        at += text[at] === '"' ? 2 : 1;
      }
      at++;
    } else {
      while (at < text.length && text[at] !== "," && text[at] !== "\r") cell += text[at++];
    }
    cells.push(cell);
    if (text.startsWith("\r\n", at)) break;
    at++;
  }
  return cells;
}

/** C0 but tab and line ends, DEL, C1. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

it("survives a round trip with any content", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string({ unit: "grapheme" }),
          fc.string({ unit: "binary" }).filter((text) => text.isWellFormed()),
        ),
        { minLength: 1 },
      ),
      (cells) => {
        const guarded = cells.map((cell) => cell.replace(CONTROL, "").replace(/^[=+\-@\t\r\n＝＋－＠]/, "'$&"));
        expect(readRow(csvRow(cells))).toEqual(guarded);
      },
    ),
  );
});

it("writes UTF-8 as it writes the same text", () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.stringMatching(/^[=+@a",\r\n\t\u0000\u001b\u007f\u0080\u009b\u00a0ÂÃ＝＠-]*$/),
    // Two-byte characters cross the ends of the blocks that are scanned.
    fc
      .tuple(
        fc.integer({ min: 1018, max: 1026 }),
        fc.constantFrom("\u009b", "\u00a0", '"', "\u001b"),
        fc.constantFrom("x", "\u0085", '"'),
      )
      .map(([length, first, second]) => `${"a".repeat(length)}${first}${second}\u009bz`),
  );
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), (cells) => {
      expect(csvRow(cells.map((cell) => Buffer.from(cell)))).toBe(csvRow(cells));
    }),
  );
});

it("escapes formulas, and keeps numbers", () => {
  expect(csvRow(['=HYPERLINK("http://x")', "+1", "-1", "@a", "\tx", -5, null, "a=b"])).toBe(
    `"'=HYPERLINK(""http://x"")",'+1,'-1,'@a,'\tx,-5,,a=b\r\n`,
  );
});

it("drops control characters, and escapes formulas after them and full-width signs", () => {
  const cells = [
    "\u001b[31mred\u001b[0m",
    "a\tb\nc",
    "\u0001=1+1",
    "\u009b-2",
    "＝1",
    "＋1",
    "－1",
    "＠a",
    "\n=1",
    "\u007f",
  ];
  const row = `[31mred[0m,"a\tb\nc",'=1+1,'-2,'＝1,'＋1,'－1,'＠a,"'\n=1",\r\n`;
  expect(csvRow(cells)).toBe(row);
  expect(csvRow(cells.map((cell) => Buffer.from(cell)))).toBe(row);
});

it("truncates cells above the limit of spreadsheets, and marks them", () => {
  const fits = "é".repeat(32_766);
  expect(csvRow([fits, Buffer.from(fits)])).toBe(`${fits},${fits}\r\n`);
  const cut = `${"é".repeat(32_760)} [cut]`;
  expect(csvRow([`${fits}éé`, Buffer.from(`${fits}éé`)])).toBe(`${cut},${cut}\r\n`);
});
