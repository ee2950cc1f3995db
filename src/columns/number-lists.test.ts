import fc from "fast-check";
import { expect, it } from "vitest";
import { fewPages } from "../../test/pages-in-memory.ts";
import { NumberLists } from "./number-lists.ts";

it("contains the same as an array of arrays", () => {
  const step = fc.tuple(fc.constantFrom("begin", "extend", "add", "add", "add"), fc.nat(), fc.nat(2 ** 31 - 1));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const lists = new NumberLists(fewPages(1));
      const model: number[][] = [];
      for (const [kind, list, number] of steps) {
        if (kind === "begin") {
          lists.begin(number);
          model.push([number]);
        } else if (kind === "extend") {
          lists.extend(model.length + (list % 3));
          while (model.length < lists.length) model.push([]);
        } else if (model.length > 0) {
          lists.add(list % model.length, number);
          model[list % model.length]!.push(number);
        }
      }
      expect(model.map((_, list) => lists.of(list))).toEqual(model);
      expect(model.map((_, list) => lists.hasMany(list))).toEqual(model.map(({ length }) => length > 1));
      lists.clear();
      expect(lists).toHaveLength(0);
    }),
  );
});
