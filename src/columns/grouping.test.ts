import fc from "fast-check";
import { expect, it } from "vitest";
import { groupByKey, groupStarts } from "./grouping.ts";

const keyed = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 });

it("groups things by their keys, in the order they came", () => {
  fc.assert(
    fc.property(keyed, (keys) => {
      const { starts, members } = groupByKey(Uint32Array.from(keys), 10);
      for (let key = 0; key < 10; key++) {
        const own = keys.flatMap((other, at) => (other === key ? [at] : []));
        expect([...members.subarray(starts[key], starts[key + 1])]).toEqual(own);
      }
      expect(groupStarts(Int32Array.from(keys), 10)).toEqual(starts);
      expect([starts[0], starts[10]]).toEqual([0, keys.length]);
    }),
  );
});

it("keeps another order within a group", () => {
  fc.assert(
    fc.property(keyed, (keys) => {
      const order = Uint32Array.from(keys, (_, at) => keys.length - 1 - at);
      const { starts, members } = groupByKey(Uint32Array.from(keys), 10, order);
      for (let key = 0; key < 10; key++) {
        const own = keys.flatMap((other, at) => (other === key ? [at] : []));
        expect([...members.subarray(starts[key], starts[key + 1])]).toEqual(own.reverse());
      }
    }),
  );
});
