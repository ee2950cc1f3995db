import fc from "fast-check";
import { expect, it } from "vitest";
import { fewPages } from "../../test/pages-in-memory.ts";
import { PagedTextColumn } from "./paged-text-column.ts";

/** Texts with one and two bytes per unit, with lone surrogates, and longer than a page. */
const text = fc
  .tuple(
    fc.string({ unit: fc.constantFrom("a", "é", "ÿ", "Ā", "\ud83d", "\udcec", "\0") }),
    fc.integer({ min: 1, max: 9_000 }),
  )
  .map(([some, times]) => some.repeat(times).slice(0, 40_000));

it("equals an array of texts with few pages in memory", () => {
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 12 }),
      fc.array(fc.tuple(fc.nat(), text), { maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      (texts, changes, pages) => {
        const column = new PagedTextColumn(fewPages(pages));
        const array = [...texts];
        for (const one of texts) column.push(one);
        for (const [at, other] of changes) {
          column.set(at % array.length, other);
          array[at % array.length] = other;
        }
        expect(column).toHaveLength(array.length);
        expect(array.map((_, index) => column.at(index))).toEqual(array);
        column.clear();
        expect(column).toHaveLength(0);
      },
    ),
    { numRuns: 60 },
  );
});
