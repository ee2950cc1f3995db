import fc from "fast-check";
import { expect, it } from "vitest";
import { TextColumn } from "./text-column.ts";

it("returns every pushed text, across growth", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 200 }), { maxLength: 600 }), (strings) => {
      const texts = strings.map((text) => text.toWellFormed());
      const column = new TextColumn();
      for (const text of texts) column.push(text);
      expect(column.length).toBe(texts.length);
      expect(texts.map((_, index) => column.at(index))).toEqual(texts);
      column.clear();
      expect(column.length).toBe(0);
      column.push("€");
      expect(column.at(0)).toBe("€");
    }),
    { numRuns: 30 },
  );
});
