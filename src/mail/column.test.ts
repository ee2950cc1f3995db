import fc from "fast-check";
import { expect, it } from "vitest";
import { Float64Column, Int32Column, Uint8Column, Uint32Column } from "./column.ts";

it("gives back what was pushed, across growth", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 5000 }), (values) => {
      for (const column of [new Int32Column(), new Uint32Column(), new Float64Column(), new Uint8Column()]) {
        for (const value of values) column.push(value);
        expect(column.length).toBe(values.length);
        expect([...column.view()]).toEqual(values);
        if (values.length > 0) {
          column.set(0, 7);
          expect(column.at(0)).toBe(7);
        }
      }
    }),
    { numRuns: 30 },
  );
});
