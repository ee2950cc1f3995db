import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SqlValue } from "../../tables/sql-value.ts";
import type { StoredColumn } from "../../tables/stored-tables.ts";
import { RowDecoder, RowEncoder } from "./binary-rows.ts";
import { decodeText, encodeText } from "./stored-text.ts";

const TEXTS = fc.string({ unit: fc.constantFrom("\0", "\u0001", "\u0002", "a", "é", "😀"), maxLength: 12 });
const order = (left: string, right: string): number => Math.sign(Buffer.compare(Buffer.from(left), Buffer.from(right)));

describe("texts in PostgreSQL", () => {
  it("are read back without NUL", () => {
    fc.assert(
      fc.property(TEXTS, (text) => {
        expect(encodeText(text)).not.toContain("\0");
        expect(decodeText(encodeText(text))).toBe(text);
      }),
    );
  });

  it("are in the order of the original texts", () => {
    fc.assert(
      fc.property(TEXTS, TEXTS, (left, right) => {
        expect(order(encodeText(left), encodeText(right))).toBe(order(left, right));
      }),
    );
  });
});

const COLUMNS = (["INTEGER", "REAL", "TEXT", "BLOB"] as const).map(
  (type): StoredColumn => ({ name: type, type, isOriginal: true }),
);
const ROWS = fc.array(
  fc.tuple(
    fc.option(fc.maxSafeInteger()),
    fc.option(fc.double({ noNaN: true })),
    fc.option(TEXTS),
    fc.option(fc.uint8Array({ maxLength: 40 })),
  ),
  { maxLength: 8 },
);

describe("rows in the format of COPY", () => {
  it("are read back in pieces of any size", () => {
    fc.assert(
      fc.property(ROWS, fc.integer({ min: 1, max: 50 }), (rows, cut) => {
        const encoder = new RowEncoder();
        encoder.begin();
        for (const [lead, ...values] of rows.map((row): [number, ...SqlValue[]] => [7, ...row]))
          encoder.row([lead], COLUMNS, values);
        encoder.end();
        const bytes = encoder.take();
        // Results contain the leading number like any other column.
        const decoder = new RowDecoder([{ name: "epoch", type: "INTEGER", isOriginal: true }, ...COLUMNS]);
        const found: SqlValue[][] = [];
        for (let at = 0; at < bytes.length; at += cut) found.push(...decoder.rows(bytes.subarray(at, at + cut)));
        expect(found).toEqual(rows.map((row) => [7, ...row]));
      }),
    );
  });

  it("reject fractions in integer columns", () => {
    expect(() => new RowEncoder().row([1], COLUMNS, [1.5, null, null, null])).toThrow(RangeError);
  });
});
