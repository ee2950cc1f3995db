import fc from "fast-check";
import { expect, it } from "vitest";
import { fewPages } from "../../test/pages-in-memory.ts";
import { PagedObjects } from "./paged-objects.ts";

it("contains the same as an array of objects, in memory and in pages", () => {
  const object = fc.record({ text: fc.string({ unit: "binary" }), number: fc.nat(), list: fc.array(fc.boolean()) });
  fc.assert(
    fc.property(
      fc.array(object, { minLength: 1 }),
      fc.array(fc.tuple(fc.nat(), object)),
      fc.nat(4),
      (objects, changes, held) => {
        const list = new PagedObjects<(typeof objects)[number]>(fewPages(2, held));
        const array = [...objects];
        for (const one of objects) list.push(one);
        for (const [at, other] of changes) {
          list.set(at % array.length, other);
          array[at % array.length] = other;
        }
        expect(list).toHaveLength(array.length);
        expect(array.map((_, index) => list.at(index))).toEqual(array);
        expect(array.map((_, index) => list.holds(index))).toEqual(array.map((_, index) => index < held));
        list.clear();
        expect(list).toHaveLength(0);
      },
    ),
    { numRuns: 40 },
  );
});
